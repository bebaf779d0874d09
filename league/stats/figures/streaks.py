"""How nights follow on each other: who was there, streaks and comebacks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from league.stats.figures.attendance import Attended, Evenings, evenings
from league.stats.scopes import Scope, rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a player's nights follow on each other.

    `streak` is how many of the last nights in a row were won (below zero: lost); `won` and `lost`
    are the longest of either. A `comeback` is the deepest that the running net was below zero
    before it came back to zero or above.
    """

    player: UUID
    name: str
    nights: int
    of_nights: int
    nights_won: int
    best: int
    worst: int
    streak: int
    won: int
    lost: int
    comeback: int

    @property
    def attendance(self) -> float | None:
        """The share of nights that the player was there."""
        return rate(self.nights, self.of_nights)


def forms(scope: Scope, *, player: UUID | None = None) -> list[Form]:
    """Return attendance, streaks and comebacks of each player; five queries at most."""
    return forms_of(evenings(scope, player=player))


def forms_of(read: Evenings) -> list[Form]:
    """Return the same from the nights as they were read."""
    return [_form(each, read.dealt) for each in read.players]


def _form(mine: Attended, of_nights: int) -> Form:
    runs = list(_runs(mine.nets))
    return Form(
        player=mine.player,
        name=mine.name,
        nights=len(mine.nets),
        of_nights=of_nights,
        nights_won=sum(net > 0 for net in mine.nets),
        best=max(mine.nets),
        worst=min(mine.nets),
        streak=runs[-1],
        won=max(0, *runs),
        lost=-min(0, *runs),
        comeback=comeback(mine.totals),
    )


def _runs(nets: Iterable[int]) -> Iterator[int]:
    """Yield how many nights in a row were won, below zero lost; an even night ends both."""
    last = run = 0
    for net in nets:
        sign = 1 if net > 0 else -1 if net < 0 else 0
        if run and sign != last:
            yield last * run
            run = 0
        last, run = sign, run + 1
    yield last * run


def comeback(totals: Iterable[int]) -> int:
    """Return the deepest fall below zero from which a running total came back to zero."""
    deepest = low = 0
    for total in totals:
        if total < low:
            low = total
        elif low and total >= 0:
            deepest = min(deepest, low)
            low = 0
    return -deepest
