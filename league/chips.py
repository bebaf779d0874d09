"""A league's chip set: colours, values and numbers of pieces, and what to hand out for a buy-in.

All players start with the same portion: small pieces for blinds and bets, the rest in larger ones.
Rebuys are paid from the remaining pieces, with as few pieces as possible. For example, a set of 100
white (1), 100 red (5) and 50 green (25) pays eight buy-ins of 200 with 10 white, 8 red and 6 green.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import TypedDict

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from league.common.errors import Problem, problem, wrong_number
from league.models import MOST_CHIPS

# The style sheet has a rule for each colour.
COLOURS: dict[str, Promise] = {
    "white": gettext_lazy("white"),
    "red": gettext_lazy("red"),
    "blue": gettext_lazy("blue"),
    "green": gettext_lazy("green"),
    "black": gettext_lazy("black"),
    "purple": gettext_lazy("purple"),
    "yellow": gettext_lazy("yellow"),
    "orange": gettext_lazy("orange"),
    "pink": gettext_lazy("pink"),
    "grey": gettext_lazy("grey"),
}
COLOUR_NAMES = list(COLOURS)
MOST_PIECES = 2_000  # of one colour


class ChipColour(TypedDict):
    """The chips of one colour: `count` pieces, each worth `value` of the smallest chip."""

    colour: str
    value: int
    count: int


ChipSet = Sequence[ChipColour]


def by_value(chip_set: ChipSet) -> list[ChipColour]:
    """Return the colours in ascending order of values, the order in which a league stores them."""
    return sorted(chip_set, key=lambda chips: chips["value"])


def wrong_chip_set(chip_set: Sequence[object]) -> Iterator[Problem]:
    """Yield all problems with a chip set. An empty set is valid."""
    if len(chip_set) > len(COLOURS):
        text = f"a chip set has at most {len(COLOURS)} colours"
        yield problem("chip_set", "too-many", text)
        return
    seen: set[object] = set()
    for number, chips in enumerate(chip_set):
        where = f"chip_set/{number}"
        if not isinstance(chips, Mapping) or chips.keys() != ChipColour.__annotations__.keys():
            yield problem(where, "bad-chips", "enter a colour, a value and a number of pieces")
            continue
        if chips["colour"] not in COLOURS:
            text = f"this is {' or '.join(COLOURS)}"
            yield problem(f"{where}/colour", "bad-option", text)
        for name, most in (("value", MOST_CHIPS), ("count", MOST_PIECES)):
            yield from wrong_number(f"{where}/{name}", chips[name], 1, most, code="bad-chips")
        for name in ("colour", "value"):
            if (name, chips[name]) in seen:
                text = f"each colour needs its own {name}"
                yield problem(f"{where}/{name}", "bad-chips", text)
            seen.add((name, chips[name]))


MOST_PLAYERS = 100
MOST_REBUYS = 200
# The largest buy-in computed, in multiples of the greatest common divisor of the values.
MOST_STEPS = 1_000_000
# How many pieces of the smallest colour, the second smallest, and all others a player should get.
# Each line leaves more small pieces for rebuys than the line before it.
_WANTED = ((10, 8, 6), (5, 4, 3), (0, 0, 0))
_FEWEST = _WANTED[-1]

Portion = tuple[int, ...]  # pieces of each colour, in the order of the chip set


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOut:
    """What a chip set pays. Each portion is worth the buy-in exactly.

    `players` is the number of players who get the same `portion`. `rebuys` lists other portions
    with the number of rebuys paid with each. If not all players and rebuys can be paid, `missing`
    is the value of the chips that the set lacks. It is 0 if the set is worth enough, but its pieces
    can't be divided into buy-ins. If the buy-in can't be paid at all, `nearest` lists the closest
    buy-ins that can.
    """

    portion: Portion = ()
    players: int = 0
    rebuys: Sequence[tuple[Portion, int]] = ()
    missing: int = 0
    nearest: Sequence[int] = ()

    @property
    def rebuys_paid(self) -> int:
        return sum(times for _portion, times in self.rebuys)


def hand_out(chip_set: ChipSet, buy_in: int, players: int, rebuys: int = 0) -> HandOut | None:
    """Return what to hand out to the players at the start, and later for the rebuys.

    `chip_set` is in ascending order of values. Returns None if the set is empty, or if the buy-in
    is too large for the values (`MOST_STEPS`).
    """
    unit = gcd(*(chips["value"] for chips in chip_set))
    if not chip_set or buy_in > MOST_STEPS * unit:
        return None
    values = [chips["value"] // unit for chips in chip_set]
    counts = [chips["count"] for chips in chip_set]
    steps, rest = divmod(buy_in, unit)
    if rest or _portion(values, counts, steps, _FEWEST) is None:
        nearest = [unit * near for near in _nearest(values, counts, steps, rest)]
        return HandOut(nearest=nearest)

    def is_too_many(seats: int) -> bool:
        return _portion(values, [count // seats for count in counts], steps, _FEWEST) is None

    most = bisect_left(range(1, players + 1), True, key=is_too_many)
    worth = sum(chips["value"] * chips["count"] for chips in chip_set)
    best = max(
        _candidates(values, counts, steps, (most, rebuys if most == players else 0)),
        key=lambda each: each.rebuys_paid,
    )
    if most == players and best.rebuys_paid == rebuys:
        return best
    return HandOut(
        portion=best.portion,
        players=most,
        rebuys=best.rebuys,
        missing=max(0, (players + rebuys) * buy_in - worth),
    )


def _candidates(
    values: Sequence[int], counts: Sequence[int], steps: int, seats: tuple[int, int]
) -> Iterator[HandOut]:
    players, rebuys = seats
    for wanted in _WANTED:
        portion = _portion(values, [count // players for count in counts], steps, wanted)
        if portion is None:
            continue
        left = [count - players * pieces for count, pieces in zip(counts, portion, strict=True)]
        unpaid, paid = rebuys, []  # portions, with the number of rebuys paid with each
        while unpaid and (rebuy := _portion(values, left, steps, _FEWEST)):
            pairs = list(zip(left, rebuy, strict=True))
            times = min(unpaid, *(has // pieces for has, pieces in pairs if pieces))
            paid.append((rebuy, times))
            unpaid -= times
            left = [has - times * pieces for has, pieces in pairs]
        yield HandOut(portion=portion, players=players, rebuys=tuple(paid))


def _portion(
    values: Sequence[int], counts: Sequence[int], steps: int, wanted: Sequence[int]
) -> Portion | None:
    """Return pieces that pay `steps` exactly, or None. `counts` limits the pieces.

    Colours are chosen in order, smallest first. The portion has the wanted number of pieces of a
    colour if possible, otherwise fewer, otherwise as few more as possible.
    """
    payable = _payable(values, counts, steps)
    sums = [bits.to_bytes(steps // 8 + 1, "little") for bits in payable]
    if not _has(sums[0], steps):
        return None
    portion: list[int] = []
    for place, (value, count) in enumerate(zip(values, counts, strict=True)):
        most = min(count, steps // value)
        first = min(most, wanted[min(place, len(wanted) - 1)])
        choices = (*range(first, -1, -1), *range(first + 1, most + 1))
        pieces = next(each for each in choices if _has(sums[place + 1], steps - each * value))
        portion.append(pieces)
        steps -= pieces * value
    return tuple(portion)


def _payable(values: Sequence[int], counts: Sequence[int], most: int) -> list[int]:
    """Return the sums up to `most` payable with the colours from each place on, as bits."""
    bits, mask = 1, (1 << most + 1) - 1
    sums = [bits]
    for value, count in zip(reversed(values), reversed(counts), strict=True):
        left, pieces = min(count, most // value), 1
        while left:
            pieces = min(pieces, left)
            bits |= bits << pieces * value & mask
            left -= pieces
            pieces *= 2
        sums.append(bits)
    return sums[::-1]


def _has(sums: bytes, number: int) -> bool:
    return bool(sums[number // 8] >> number % 8 & 1)


def _nearest(values: Sequence[int], counts: Sequence[int], steps: int, rest: int) -> Iterator[int]:
    """Yield the largest sum below the buy-in, and the smallest one above, that can be paid."""
    most = steps + min(max(values), MOST_STEPS)  # larger sums are not worth finding
    bits = _payable(values, counts, most)[0]
    below = (bits & (1 << steps + bool(rest)) - 1).bit_length() - 1
    above = bits >> steps + 1
    if below > 0:
        yield below
    if above:
        yield steps + (above & -above).bit_length()
