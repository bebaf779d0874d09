"""Chips of other formats, exactly: decimals become whole numbers of the smallest unit told."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from rules.game.hand import MOST_PLACES

LARGEST = 10**15
NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z", re.ASCII)

Number = int | Decimal


def places_of(numbers: Iterable[object]) -> int:
    """How many decimal places the numbers need; trailing zeros are none."""
    most = 0
    for number in numbers:
        if isinstance(number, Decimal) and number.is_finite() and number != number.to_integral():
            exponent = number.normalize().as_tuple().exponent
            most = max(most, -int(exponent))
    return most


def is_chips(number: object) -> bool:
    """Whether a number can be told exactly: finite, not too large and not too fine."""
    if type(number) is int:
        return abs(number) <= LARGEST
    if not isinstance(number, Decimal) or not number.is_finite():
        return False
    exponent = number.as_tuple().exponent
    return type(exponent) is int and -30 <= exponent <= 12 and _fits(number)


def _fits(number: Decimal) -> bool:
    return abs(number) <= LARGEST and places_of([number]) <= MOST_PLACES


def to_units(number: object, places: int) -> int | None:
    """A number in whole units of 10^-places, None for what is no number or too fine."""
    if type(number) is int:
        return number * int(10**places)
    if not isinstance(number, Decimal) or not is_chips(number):
        return None
    scaled = number.scaleb(places)
    whole = int(scaled)
    return whole if whole == scaled else None


def list_in_units(numbers: Sequence[object], places: int) -> list[int | None]:
    """Each number in whole units; the usual case, whole numbers alone, at once."""
    if not places and set(map(type, numbers)) == {int}:
        return list(numbers)  # type: ignore[arg-type]
    return [to_units(number, places) for number in numbers]


def from_units(units: int, places: int) -> Number:
    """Back to the unit of the file: an int where it is whole."""
    if not places:
        return units
    whole, rest = divmod(units, 10**places)
    return whole if not rest else Decimal(units).scaleb(-places).normalize()


def rewritten(text: str, places: int) -> str:
    """A text of whole units in the unit of the file, if it is read from there as the same again."""
    units = read_number(text)
    if not isinstance(units, int):
        return text
    amount = written(units, places)
    return amount if to_units(read_number(amount), places) == units else text


def written(units: int, places: int) -> str:
    number = from_units(units, places)
    return str(number) if isinstance(number, int) else f"{number:f}"


def read_number(text: str) -> Number | None:
    if len(text) > 40 or not NUMBER.match(text):
        return None
    return Decimal(text) if "." in text else int(text)
