"""How many streams there may be: of all, of a league, of a token, link or user."""

from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import ClassVar
from uuid import UUID

from api.problems.kinds import TOO_MANY_STREAMS, ApiError, ProblemKind

MOST = 400
MOST_OF_LEAGUE = 250
MOST_OF_CALLER = 10
WAIT_SECONDS = 10


class TooManyStreamsError(ApiError):
    """There are as many as there may be."""

    kind: ClassVar[ProblemKind] = TOO_MANY_STREAMS
    wait = WAIT_SECONDS  # what the framework says in Retry-After


@dataclass(frozen=True, slots=True)
class Place:
    """What a stream takes up."""

    league: UUID
    caller: str


@dataclass
class Places:
    """Streams that are open; threads that let in and the loop that ends them share it."""

    _taken: Counter[object] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def take(self, place: Place) -> None:
        """Take it. Raises TooManyStreamsError with what there are too many of."""
        limits = (
            (None, MOST, "the service"),
            (place.league, MOST_OF_LEAGUE, "the league"),
            (place.caller, MOST_OF_CALLER, "this token, link or user"),
        )
        with self._lock:
            for whose, most, name in limits:
                if self._taken[whose] >= most:
                    raise TooManyStreamsError(f"There are {most} streams of {name} already.")
            self._taken.update(whose for whose, _, _ in limits)

    def leave(self, place: Place) -> None:
        """Give it back."""
        with self._lock:
            for whose in (None, place.league, place.caller):
                self._taken[whose] -= 1
                if not self._taken[whose]:
                    del self._taken[whose]
