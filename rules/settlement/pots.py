"""Main pot, side pots, uncalled chips: who can win what (docs/record.md, "Pots")."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.game.hand import Carried, Hand


class Pot(NamedTuple):
    """Chips and the seats that can win them, in seat order.

    `floor` is the stake above which chips went into this pot. `late` are those who folded after
    the last card and have a right in it should it be carried. `kept_for` are the seats for which
    a pot that stands alone was carried from an earlier hand, out of the game or not.
    """

    amount: int
    seats: tuple[int, ...]
    floor: int = 0
    late: tuple[int, ...] = ()
    kept_for: tuple[int, ...] | None = None

    def is_won_as(self, other: "Pot") -> bool:
        """Whether the same players can win both, and the same have a right in both."""
        return bool(self.seats) and (self.seats, self.late) == (other.seats, other.late)

    def with_carried(self, carried: "Pot") -> "Pot":
        """Both as one pot. Of two for whom another had folded, it is for those who had not."""
        kept_for = self.kept_for
        if kept_for is not None and kept_for != carried.kept_for:
            kept_for = tuple(sorted((*self.seats, *self.late)))
        return self._replace(amount=self.amount + carried.amount, kept_for=kept_for)


def pots_of(hand: Hand) -> tuple[list[Pot], dict[int, int]]:
    """The pots of a hand, and the chips that go back to the seat whose stake nobody called."""
    players = hand.players
    stakes = [player.paid - player.dead for player in players]
    dead = sum([player.dead for player in players])
    dead += sum([carried.amount for carried in hand.carried if carried.seats is None])
    late = [seat for seat, player in enumerate(players) if player.late]
    live: Sequence[int] = hand.live if hand.ended is None else hand.ended.seats
    seat, extra = uncalled(stakes)
    stakes[seat] -= extra
    pots = split(stakes, live, dead, late)
    if hand.carried:
        pots = _join_carried(pots, hand.carried, live, late)
    return pots, {seat: extra} if extra else {}


def uncalled(stakes: Sequence[int]) -> tuple[int, int]:
    """The seat whose stake nobody called in full, and by how many chips it is too high."""
    highest = max(stakes)
    seat = stakes.index(highest)
    if len(stakes) == 1 or stakes.count(highest) > 1:
        return seat, 0
    return seat, highest - sorted(stakes)[-2]


def split(
    stakes: Sequence[int], live: Sequence[int], dead: int = 0, late: Sequence[int] = ()
) -> list[Pot]:
    """The pots of one deal, main pot first.

    `stakes` are the chips of each seat without what was returned and without dead chips; `live`
    the seats still in, `late` those that folded after the last card. Dead chips, and whatever
    else is put to them, join the main pot. When nobody is left there is one pot that nobody can
    win.
    """
    levels = sorted({stakes[seat] for seat in live})
    if len(levels) <= 1:
        whole = sum(stakes) + dead
        return [Pot(whole, tuple(live), 0, _above(0, stakes, late))] if whole else []
    pots: list[Pot] = []
    floor = 0
    for level in levels:
        # what folded players staked above the highest level is dead money of the last pot
        top = level if level != levels[-1] else max(stakes)
        amount = sum([min(stake, top) - floor for stake in stakes if stake > floor])
        seats = tuple([seat for seat in live if stakes[seat] >= level])
        pots.append(Pot(amount + dead, seats, floor, _above(floor, stakes, late)))
        floor, dead = level, 0
    # a first pot of those without a stake may hold dead and carried chips, or nothing
    return [pot for pot in pots if pot.amount]


def _join_carried(
    made: Sequence[Pot], carried: Iterable[Carried], live: Sequence[int], late: Sequence[int]
) -> list[Pot]:
    """The pots of a deal and those that were carried for some (docs/rulings.md 3).

    One that is won as another is the same pot: one division, one odd chip. The rest stand last.
    """
    pots = list(made)
    for some in carried:
        if some.seats is None or not some.amount:
            continue
        alone = Pot(
            some.amount,
            tuple(seat for seat in live if seat in some.seats),
            late=tuple(seat for seat in late if seat in some.seats),
            kept_for=some.seats,
        )
        for index, pot in enumerate(pots):
            if pot.is_won_as(alone):
                pots[index] = pot.with_carried(alone)
                break
        else:
            pots.append(alone)
    return pots


def _above(floor: int, stakes: Sequence[int], late: Sequence[int]) -> tuple[int, ...]:
    return tuple([seat for seat in late if stakes[seat] > floor]) if late else ()
