"""Feed rows as events with cursors, and an in-memory log of the latest events."""

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import NamedTuple

from api.feeds.dictionary import FEEDS
from api.feeds.formats import as_ndjson
from api.feeds.row_feed import Feed, FeedQuery
from api.feeds.views import LARGEST_CURSOR
from league.models import League

NAMES = ("hands", "nights", "transfers")
STREAMED: Mapping[str, Feed] = {each.name: each for each in FEEDS if each.name in NAMES}
WHOLE = re.compile(r"[0-9]{1,19}", re.ASCII)


def read_cursors(text: str, names: Iterable[str]) -> dict[str, int]:
    """Return the cursor of each of these feeds, or 0 for feeds that `text` does not contain.

    If there is only one feed, a plain number is its cursor. Raises ValueError if `text` is
    malformed.
    """
    wanted = dict.fromkeys(names, 0)
    if WHOLE.fullmatch(text) and len(wanted) == 1:
        return dict.fromkeys(wanted, _cursor(text))
    cursors: dict[str, int] = {}
    for part in text.split(",", len(wanted)):
        name, _, number = part.partition(":")
        if name not in wanted or name in cursors:
            raise ValueError(name)
        cursors[name] = _cursor(number)
    return wanted | cursors


def written(cursors: Mapping[str, int]) -> str:
    """Return the cursors as an event `id` that `read_cursors` can parse."""
    if len(cursors) == 1:
        return str(*cursors.values())
    return ",".join(f"{name}:{cursor}" for name, cursor in cursors.items())


def _cursor(text: str) -> int:
    if not WHOLE.fullmatch(text) or int(text) > LARGEST_CURSOR:
        raise ValueError(text)
    return int(text)


class Event(NamedTuple):
    """An event without its `id`, which also depends on the reader's cursors in other feeds."""

    cursor: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order of their cursors. `last` is the last cursor, or None without events."""

    events: Sequence[Event]
    last: int | None
    more: bool


def read_batch(feed: Feed, league: League, after: int, most: int) -> Batch:
    """Return the events after a cursor, for at most `most` hands or postings."""
    page = feed.page(FeedQuery(league=league, values={}, columns=feed.columns), after, most)
    lines = "".join(as_ndjson(feed.columns, [page])).splitlines()
    # the first column of every streamed feed is its cursor
    rows = zip((int(row[0]) for row in page.rows), lines, strict=True)
    events = []
    for cursor, group in groupby(rows, key=lambda row: row[0]):
        data = "".join(f"data: {line}\n" for _, line in group)
        events.append(Event(cursor, f"event: {feed.name}\n{data}\n".encode("ascii")))
    return Batch(events, page.last, page.more)


# Maximum size of the events in memory in bytes. Older events are read from the database.
MOST_KEPT = 1024 * 1024


class EventLog:
    """All events after `oldest`, up to `position`. While that is None, the log is empty."""

    def __init__(self) -> None:
        self.position: int | None = None
        self.oldest = 0
        self._events: deque[Event] = deque()
        self._size = 0

    def begin(self, position: int) -> None:
        """Start the log at this cursor."""
        self.position = self.oldest = position

    def add(self, events: Sequence[Event], position: int) -> None:
        """Add new events up to this position. Drops the oldest events beyond `MOST_KEPT`."""
        self._events.extend(events)
        self._size += sum(len(each.body) for each in events)
        self.position = position
        while self._size > MOST_KEPT:
            gone = self._events.popleft()
            self._size -= len(gone.body)
            self.oldest = gone.cursor

    def after(self, cursor: int) -> list[Event] | None:
        """Return the events after a cursor, or None if any of them were dropped."""
        if cursor < self.oldest:
            return None
        newer = list(takewhile(lambda each: each.cursor > cursor, reversed(self._events)))
        return newer[::-1]
