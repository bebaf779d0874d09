"""How the process that streams meets the address of a stream, which knows who may read it.

The process that streams puts a `Doorway` into the request; where there is none, nothing streams.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from rest_framework.request import Request

from api.streams.places import Place, Places

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
