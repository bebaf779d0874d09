"""How long people have played: the time of each night, shared out by the hands they were in.

A night lasts from its start to its last hand. Whoever sat out half of the hands played for half
of the time; when somebody joined or left is not known any better than that.
"""

from collections.abc import Sequence
from uuid import UUID

from league.stats.figures.attendance import Attended, Evenings, evenings
from league.stats.scopes import Scope

HOUR = 3600


def hours(scope: Scope, *, player: UUID | None = None) -> dict[UUID, float]:
    """Return the hours of each player; five queries at most."""
    return hours_of(evenings(scope, player=player))


def hours_of(read: Evenings) -> dict[UUID, float]:
    """Return the same from the nights as they were read."""
    lasted = [(night.seconds, night.dealt) for night in read.nights]
    return {each.player: _spent(each, lasted) for each in read.players}


def _spent(mine: Attended, lasted: Sequence[tuple[float, int]]) -> float:
    spent = 0.0
    for at, hands in zip(mine.at, mine.hands, strict=True):
        seconds, dealt = lasted[at]
        spent += seconds if hands >= dealt else seconds * (hands / dealt)
    return spent / HOUR
