"""Main pot, side pots, uncalled chips: who can win what (RECORD.md, "Pots")."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Pot(NamedTuple):
    """Chips and the seats that can win them, in seat order.

    `floor` is the stake above which chips went into this pot; `kept_for` are the seats for which
    a pot was carried from an earlier hand, out of the game or not.
    """

    amount: int
    seats: tuple[int, ...]
    floor: int = 0
    kept_for: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Carried:
    """Chips from an earlier hand. `seats` None: for everybody."""

    amount: int
    seats: tuple[int, ...] | None = None


def uncalled(stakes: Sequence[int]) -> tuple[int, int]:
    """The seat whose stake nobody called in full, and by how many chips it is too high."""
    highest = max(stakes)
    seat = stakes.index(highest)
    second = max((stake for index, stake in enumerate(stakes) if index != seat), default=highest)
    return seat, highest - second


def split(
    stakes: Sequence[int], live: Sequence[int], dead: int = 0, carried: Sequence[Carried] = ()
) -> list[Pot]:
    """The pots, main pot first, carried pots for some last.

    `stakes` are the chips of each seat without what was returned and without dead chips; `live`
    the seats still in. Dead chips and those carried for everybody join the main pot. When nobody
    is left there is one pot that nobody can win.
    """
    extra = dead + sum(some.amount for some in carried if some.seats is None)
    kept = [
        Pot(some.amount, tuple(s for s in live if s in some.seats), kept_for=some.seats)
        for some in carried
        if some.seats is not None and some.amount
    ]
    levels = sorted({stakes[seat] for seat in live})
    if len(levels) <= 1:
        whole = sum(stakes) + extra
        return ([Pot(whole, tuple(live))] if whole else []) + kept
    return _levels(stakes, live, levels, extra) + kept


def _levels(
    stakes: Sequence[int], live: Sequence[int], levels: Sequence[int], extra: int
) -> list[Pot]:
    """A pot for each level of stakes among those still in; what folded players staked above the
    highest of them is dead money of the last pot."""
    pots: list[Pot] = []
    floor = 0
    for level in levels:
        top = level if level != levels[-1] else max(stakes)
        amount = sum(min(stake, top) - floor for stake in stakes if stake > floor)
        seats = tuple(seat for seat in live if stakes[seat] >= level)
        pots.append(Pot(amount + (extra if not pots else 0), seats, floor))
        floor = level
    # a first pot of those without a stake may hold dead and carried chips, or nothing
    return [pot for pot in pots if pot.amount]
