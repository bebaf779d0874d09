"""Pots as they are told: those that go the same way to the same players are one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules.settlement.chips.awards import Award, Awards, ShareAward
from rules.settlement.story.facts import Facts


@dataclass(frozen=True, slots=True)
class ToldPot:
    """One pot, or several that went alike: the first of them, with the chips of all.

    `of_pot` is what every reason says of it: its places in the answer's `pots`, and which of the
    table's pots it is.
    """

    award: Award
    of_pot: Facts
    alike: tuple[Award, ...]

    @property
    def amount(self) -> int:
        return self.award.pot.amount


def told_pots(awards: Awards) -> list[ToldPot]:
    """The pots of a hand; those of one deal are never for the same players, carried ones may be."""
    pots = awards.pots
    made = sum([one.pot.kept_for is None for one in pots])
    told = [
        ToldPot(one, {"pots": [index], "pot": _called(index, made)}, (one,))
        for index, one in enumerate(pots[:made])
    ]
    alike: dict[Any, list[int]] = {}
    for index in range(made, len(pots)):
        alike.setdefault(_result(pots[index]), []).append(index)
    for numbers in alike.values():
        some = [pots[index] for index in numbers]
        called: Facts = {"kind": "carried"} | ({"count": len(some)} if len(some) > 1 else {})
        told.append(ToldPot(_together(some), {"pots": numbers, "pot": called}, tuple(some)))
    return told


def _called(index: int, made: int) -> Facts:
    if made == 1:
        return {"kind": "only"}
    if index == 0:
        return {"kind": "main"}
    return {"kind": "side", "number": index} if made > 2 else {"kind": "side"}


def _result(one: Award) -> Any:
    """What carried pots share that are told as one. They may have been left to different players,
    as long as the same ones win them."""
    shares = tuple(share.outcome for share in one.shares)
    return one.why, one.contest is None, one.failures, tuple(one.chips), shares


def _together(some: list[Award]) -> Award:
    """Pots that went alike as one: their chips, and everybody who could win any."""
    first = some[0]
    if len(some) == 1:
        return first
    seats = tuple(sorted({seat for one in some for seat in one.pot.seats}))
    amount = sum(one.pot.amount for one in some)
    shares = tuple(_share(some, at) for at in range(len(first.shares)))
    return first._replace(
        pot=first.pot._replace(amount=amount, seats=seats),
        chips={seat: sum(one.chips[seat] for one in some) for seat in first.chips},
        shares=shares,
    )


def _share(some: list[Award], at: int) -> ShareAward:
    alike = [one.shares[at] for one in some]
    winners = {seat: sum(one.winners[seat] for one in alike) for seat in alike[0].winners}
    return alike[0]._replace(amount=sum(one.amount for one in alike), winners=winners)


def entitled(told: ToldPot) -> Iterator[tuple[tuple[int, ...], int]]:
    """Who may win what stays of these pots, and how many chips."""
    stays: dict[tuple[int, ...], int] = {}
    for one in told.alike:
        stays[one.carried_for] = stays.get(one.carried_for, 0) + one.pot.amount
    yield from stays.items()
