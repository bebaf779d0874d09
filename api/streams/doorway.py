"""Who may read a stream, and how many may be read at the same time.

The process that serves streams puts a `Doorway` into the request. Without one, nothing streams.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import ClassVar
from uuid import UUID

from rest_framework.request import Request

from api.http.problems import TOO_MANY_STREAMS, ApiError, ProblemKind

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


# No header of a request can have this name: those begin with HTTP_.
DOORWAY = "dealers_choice.stream"


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a reader is let in to: feeds of a league, after the cursor of each."""

    league: UUID
    cursors: Mapping[str, int]


@dataclass
class Doorway:
    """Takes a place for whoever is let in; `again`: has one, and is only looked at once more."""

    places: Places
    again: bool = False
    subscription: Subscription | None = None
    place: Place | None = None

    def let_in(self, subscription: Subscription, caller: str) -> None:
        """Let a reader in. Raises TooManyStreamsError."""
        if not self.again:
            place = Place(subscription.league, caller)
            self.places.take(place)
            self.place = place
        self.subscription = subscription

    def leave(self) -> None:
        """Give the place back, if there is one."""
        if self.place is not None:
            self.places.leave(self.place)
            self.place = None


def doorway_of(request: Request) -> Doorway | None:
    """Return the doorway that the request came by, if any."""
    found = request.META.get(DOORWAY)
    return found if isinstance(found, Doorway) else None
