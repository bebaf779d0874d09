"""Permission to read a stream, and limits on concurrent streams.

The process that serves streams adds an `Admission` to the request. Other processes can't stream.
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
    """The limit on concurrent streams is reached."""

    kind: ClassVar[ProblemKind] = TOO_MANY_STREAMS
    wait = WAIT_SECONDS  # the value of Retry-After in seconds


@dataclass(frozen=True, slots=True)
class Place:
    """The league and the caller that an open stream is counted for."""

    league: UUID
    caller: str


@dataclass
class Places:
    """Counts open streams. Shared by the event loop and the threads that authorize readers."""

    _connections: Counter[object] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def take(self, place: Place) -> None:
        """Count a stream. Raises TooManyStreamsError with the limit that was reached."""
        limits = (
            (None, MOST, "the service"),
            (place.league, MOST_OF_LEAGUE, "the league"),
            (place.caller, MOST_OF_CALLER, "this token, link or user"),
        )
        with self._lock:
            for key, most, name in limits:
                if self._connections[key] >= most:
                    raise TooManyStreamsError(f"There are {most} streams of {name} already.")
            self._connections.update(key for key, _, _ in limits)

    def leave(self, place: Place) -> None:
        """Release a stream's place."""
        with self._lock:
            for key in (None, place.league, place.caller):
                self._connections[key] -= 1
                if not self._connections[key]:
                    del self._connections[key]


# A request header can't have this name, because WSGI prefixes header names with HTTP_.
ADMISSION = "dealers_choice.stream"


@dataclass(frozen=True, slots=True)
class Subscription:
    """The league feeds that a reader may read, with a start cursor for each feed."""

    league: UUID
    cursors: Mapping[str, int]


@dataclass
class Admission:
    """Reserves a place for an authorized reader. If `again` is true, the reader already has one."""

    places: Places
    again: bool = False
    subscription: Subscription | None = None
    place: Place | None = None

    def admit(self, subscription: Subscription, caller: str) -> None:
        """Authorize the subscription. Raises TooManyStreamsError."""
        if not self.again:
            place = Place(subscription.league, caller)
            self.places.take(place)
            self.place = place
        self.subscription = subscription

    def leave(self) -> None:
        """Release the place, if there is one."""
        if self.place is not None:
            self.places.leave(self.place)
            self.place = None


def admission_of(request: Request) -> Admission | None:
    admission = request.META.get(ADMISSION)
    return admission if isinstance(admission, Admission) else None
