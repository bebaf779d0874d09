"""The latest events of a feed, kept once for all who read it."""

from collections import deque
from collections.abc import Sequence
from itertools import takewhile

from api.streams.events import Event

# What is older is read from the database by whoever still wants it.
MOST_KEPT = 1024 * 1024


class EventLog:
    """All events after `oldest` and up to `position`; until that is known, there are none."""

    def __init__(self) -> None:
        self.position: int | None = None
        self.oldest = 0
        self._events: deque[Event] = deque()
        self._size = 0

    def begin(self, position: int) -> None:
        """Keep what comes after this cursor."""
        self.position = self.oldest = position

    def add(self, events: Sequence[Event], position: int) -> None:
        """Add what has come, up to this position; let go of the oldest that are too many."""
        self._events.extend(events)
        self._size += sum(len(each.body) for each in events)
        self.position = position
        while self._size > MOST_KEPT:
            gone = self._events.popleft()
            self._size -= len(gone.body)
            self.oldest = gone.cursor

    def after(self, cursor: int) -> list[Event] | None:
        """Return the events after a cursor; None where some of them are no longer kept."""
        if cursor < self.oldest:
            return None
        found = list(takewhile(lambda each: each.cursor > cursor, reversed(self._events)))
        return found[::-1]
