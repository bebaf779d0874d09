"""Main, side and carried pots, as specified in docs/record.md and docs/rulings.md."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Record = Mapping[str, Any]
Chips = dict[str, int]


class Pot(NamedTuple):
    amount: int
    seats: tuple[str, ...]
    late: tuple[str, ...] = ()
    carried: bool = False  # a pot left by an earlier hand that no pot of this hand was added to


def pots_of(record: Record, live: Sequence[str]) -> tuple[list[Pot], Chips]:
    """Return the pots level by level, the carried pots, and the uncalled chips."""
    players = record["players"]
    stakes = {p["name"]: p.get("paid", 0) - p.get("dead", 0) for p in players}
    highest = sorted(stakes.values())
    returned = dict.fromkeys(stakes, 0)
    if len(highest) > 1 and highest[-1] > highest[-2]:
        top = max(stakes, key=lambda name: stakes[name])
        returned[top] = highest[-1] - highest[-2]
        stakes[top] = highest[-2]
    carried = record.get("carried", 0)
    carried = [{"amount": carried}] if isinstance(carried, int) else carried
    extra = sum(p.get("dead", 0) for p in players)
    extra += sum(part["amount"] for part in carried if "for" not in part)
    late = [p["name"] for p in players if p.get("folded") == "late"]
    pots = _levels(stakes, live, late, extra)
    for part in carried:
        if "for" in part and part["amount"]:
            seats = tuple(name for name in stakes if name in live and name in part["for"])
            alone = Pot(part["amount"], seats, tuple(n for n in late if n in part["for"]), True)
            same = [n for n, pot in enumerate(pots) if seats and pot[1:3] == alone[1:3]]
            if same:
                joined = pots[same[0]]
                pots[same[0]] = joined._replace(amount=joined.amount + alone.amount)
            else:
                pots.append(alone)
    return pots, returned


def _levels(stakes: Chips, live: Sequence[str], late: Sequence[str], extra: int) -> list[Pot]:
    """Return main and side pots. `extra` chips are not stakes and belong to the first pot."""
    pots: list[Pot] = []
    floor = 0
    levels = sorted({stakes[name] for name in live}) or [max(stakes.values())]
    for place, level in enumerate(levels):
        upto = max(stakes.values()) if place == len(levels) - 1 else level
        amount = sum(min(stake, upto) - min(stake, floor) for stake in stakes.values())
        amount += 0 if place else extra
        there = tuple(name for name in stakes if name in live and stakes[name] >= level)
        if amount:
            pots.append(Pot(amount, there, tuple(n for n in late if stakes[n] > floor)))
        floor = level
    return pots


def divide(amount: int, among: int) -> list[int]:
    return [amount // among + (n < amount % among) for n in range(among)] if among else []
