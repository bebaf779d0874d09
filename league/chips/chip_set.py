"""A chip set: the colours of a league's chips, with the value and the number of each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from league.common.errors import Problem, problem
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
        yield from _wrong_number(f"{where}/value", chips["value"], MOST_CHIPS)
        yield from _wrong_number(f"{where}/count", chips["count"], MOST_PIECES)
        for name in ("colour", "value"):
            if (name, chips[name]) in seen:
                text = f"each colour needs its own {name}"
                yield problem(f"{where}/{name}", "bad-chips", text)
            seen.add((name, chips[name]))


def _wrong_number(where: str, number: object, most: int) -> Iterator[Problem]:
    if type(number) is not int or not 1 <= number <= most:
        yield problem(where, "bad-chips", f"this must be a whole number from 1 to {most}")
