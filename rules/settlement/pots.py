"""The main pot, side pots and carried pots of a hand.

See docs/record.md, "Pots". Uncalled chips are returned before pots are formed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rules.game.hand import Hand, Run
from rules.settlement.contest import divide


class Pot(NamedTuple):
    """Chips and the seats that can win them, in seat order.

    `floor` is the stake above which chips belong to this pot. `late` contains seats that folded
    after the last card and keep a right to the pot if it is carried. `kept_for` contains the seats
    for which a separate pot was carried from an earlier hand, even if their players have left the
    game.
    """

    amount: int
    seats: tuple[int, ...]
    floor: int = 0
    late: tuple[int, ...] = ()
    kept_for: tuple[int, ...] | None = None

    def is_won_as(self, other: "Pot") -> bool:
        """Return whether the same players can win both pots and have a right to both."""
        return bool(self.seats) and (self.seats, self.late) == (other.seats, other.late)

    def with_carried(self, carried: "Pot") -> "Pot":
        """Merge a carried pot. If `kept_for` differs, `seats` and `late` can win the merged pot."""
        kept_for = self.kept_for
        if kept_for is not None and kept_for != carried.kept_for:
            kept_for = tuple(sorted((*self.seats, *self.late)))
        return self._replace(amount=self.amount + carried.amount, kept_for=kept_for)


def pots_of(hand: Hand) -> tuple[list[Pot], dict[int, int]]:
    """Return the pots of a hand, and the uncalled chips, keyed by seat.

    The pots of a run contain its part of the chips (docs/rulings.md, "Several runs").
    """
    players = hand.players
    stakes = [player.paid - player.dead for player in players]
    dead = sum([player.dead for player in players])
    dead += sum([carried.amount for carried in hand.carried if carried.seats is None])
    late = [seat for seat, player in enumerate(players) if player.late]
    live: Sequence[int] = hand.live if hand.ended is None else hand.ended.seats
    seat, extra = uncalled(stakes)
    stakes[seat] -= extra
    before = live if hand.run is None else hand.run.live
    pots = split(stakes, before, dead, late)
    for carry in hand.carried:
        if carry.seats is None or not carry.amount:
            continue
        # A pot carried for certain players is merged with a pot that the same players can win, so
        # that both are divided together and have one odd chip. Otherwise it comes last
        # (docs/rulings.md 3).
        alone = Pot(
            carry.amount,
            tuple(seat for seat in before if seat in carry.seats),
            late=tuple(seat for seat in late if seat in carry.seats),
            kept_for=carry.seats,
        )
        same = next((at for at, pot in enumerate(pots) if pot.is_won_as(alone)), None)
        if same is None:
            pots.append(alone)
        else:
            pots[same] = pots[same].with_carried(alone)
    if hand.run is not None:
        pots = _parts_of_run(pots, hand.run, live)
    return pots, {seat: extra} if extra else {}


def uncalled(stakes: Sequence[int]) -> tuple[int, int]:
    """Return the seat with the highest stake, and how many of its chips were not called."""
    highest = max(stakes)
    seat = stakes.index(highest)
    if len(stakes) == 1 or stakes.count(highest) > 1:
        return seat, 0
    return seat, highest - sorted(stakes)[-2]


def split(
    stakes: Sequence[int], live: Sequence[int], dead: int = 0, late: Sequence[int] = ()
) -> list[Pot]:
    """Return the pots of one deal, main pot first.

    `stakes` are each seat's chips, without returned and dead chips. `live` are the seats left, and
    `late` are the seats that folded after the last card. Dead chips go to the main pot. If no
    player is left, the result is one pot without seats.
    """
    levels = sorted({stakes[seat] for seat in live})
    if len(levels) <= 1:
        whole = sum(stakes) + dead
        return [Pot(whole, tuple(live), 0, _above(0, stakes, late))] if whole else []
    pots: list[Pot] = []
    floor = 0
    for level in levels:
        # chips that folded players staked above the highest level are dead money in the last pot
        top = level if level != levels[-1] else max(stakes)
        amount = sum([min(stake, top) - floor for stake in stakes if stake > floor])
        seats = tuple([seat for seat in live if stakes[seat] >= level])
        pots.append(Pot(amount + dead, seats, floor, _above(floor, stakes, late)))
        floor, dead = level, 0
    # the first pot is for players without a stake; it may be empty, or contain dead and carried
    # chips
    return [pot for pot in pots if pot.amount]


def _parts_of_run(pots: Sequence[Pot], run: Run, live: Sequence[int]) -> list[Pot]:
    """Return the part of each pot that a run decides. Earlier runs get the odd chips.

    If cards of the run kill hands, pots that the same players can win are merged, as if these hands
    had folded. Chips that no player left can win join the previous pot.
    """
    parts: list[Pot] = []
    for pot in pots:
        seats = tuple([seat for seat in pot.seats if seat in live])
        part = pot._replace(amount=divide(pot.amount, run.of)[run.index], seats=seats)
        if part.kept_for is not None:
            same = next((at for at, other in enumerate(parts) if other.is_won_as(part)), None)
        else:
            same = len(parts) - 1 if parts and seats in ((), parts[-1].seats) else None
        if same is None:
            parts.append(part)
        elif part.kept_for is not None:
            parts[same] = parts[same].with_carried(part)
        else:
            parts[same] = parts[same]._replace(amount=parts[same].amount + part.amount)
    return parts


def _above(floor: int, stakes: Sequence[int], late: Sequence[int]) -> tuple[int, ...]:
    return tuple([seat for seat in late if stakes[seat] > floor]) if late else ()
