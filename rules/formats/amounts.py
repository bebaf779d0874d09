"""Exact amounts in other formats: decimals become integers in the file's smallest unit."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from rules.game.hand import MOST_PLACES

LARGEST = 10**15
NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z", re.ASCII)

Number = int | Decimal


def places_of(numbers: Iterable[object]) -> int:
    """Return the number of decimal places that the numbers need, without trailing zeros."""
    most = 0
    for number in numbers:
        if isinstance(number, Decimal) and number.is_finite() and number != number.to_integral():
            exponent = number.normalize().as_tuple().exponent
            most = max(most, -int(exponent))
    return most


def is_chips(number: object) -> bool:
    """Return whether a number can be stored exactly. It must be finite, in range and short."""
    if type(number) is int:
        return abs(number) <= LARGEST
    if not isinstance(number, Decimal) or not number.is_finite():
        return False
    exponent = number.as_tuple().exponent
    return (
        type(exponent) is int
        and -30 <= exponent <= 12
        and abs(number) <= LARGEST
        and places_of([number]) <= MOST_PLACES
    )


def to_units(number: object, places: int) -> int | None:
    """Convert a number to units of 10^-places. Return None if it is invalid or too precise."""
    if type(number) is int:
        return number * int(10**places)
    if not isinstance(number, Decimal) or not is_chips(number):
        return None
    scaled = number.scaleb(places)
    whole = int(scaled)
    return whole if whole == scaled else None


def list_in_units(numbers: Sequence[object], places: int) -> list[int | None]:
    """Convert numbers to units. Lists of integers have a fast path."""
    if not places and set(map(type, numbers)) == {int}:
        return list(numbers)  # type: ignore[arg-type]
    return [to_units(number, places) for number in numbers]


def from_units(units: int, places: int) -> Number:
    """Convert units back to the file's unit, as an int if the result is whole."""
    if not places:
        return units
    whole, rest = divmod(units, 10**places)
    return whole if not rest else Decimal(units).scaleb(-places).normalize()


class Chip(NamedTuple):
    """The value of a chip in a file: `units` of 10^-`places` of the file's unit."""

    places: int = 0
    units: int = 1

    @classmethod
    def of(cls, amount: Decimal) -> "Chip":
        places = places_of([amount])
        return cls(places, to_units(amount, places) or 1)

    def amount(self, chips: int) -> Number:
        return from_units(chips * self.units, self.places)

    def rewritten(self, text: str) -> str:
        """Rewrite a string of chips in the file's unit if it can be read back unchanged."""
        chips = read_number(text)
        if not isinstance(chips, int):
            return text
        units = chips * self.units
        amount = written(units, self.places)
        return amount if to_units(read_number(amount), self.places) == units else text

    def chips(self, units: int, of: "Chip") -> int | None:
        """Return how many of these chips are worth `units` of another chip.

        Return None if that is not a whole number.
        """
        worth = units * of.units * 10**self.places
        chips, rest = divmod(worth, self.units * 10**of.places)
        return None if rest else int(chips)


def chip_of(about: object) -> Chip | None:
    """Return the value of a record's chip in its file, or None if `about` is invalid."""
    if not isinstance(about, dict):
        return None
    places, units = about.get("places", 0), about.get("chip", 1)
    if type(places) is not int or not 0 <= places <= MOST_PLACES:
        return None
    return Chip(places, units) if type(units) is int and 1 <= units <= LARGEST else None


def written(units: int, places: int) -> str:
    number = from_units(units, places)
    return str(number) if isinstance(number, int) else f"{number:f}"


def read_number(text: str) -> Number | None:
    if len(text) > 40 or not NUMBER.match(text):
        return None
    return Decimal(text) if "." in text else int(text)


# --- answers ----------------------------------------------------------------------------------


def in_file_unit(answer: dict[str, Any], record: object) -> dict[str, Any]:
    """Convert an answer to the file's unit, and compare the answer with the file's results."""
    about = record.get("about") if isinstance(record, dict) else None
    chip = chip_of(about)
    if about is None or chip is None:
        return answer
    if "rake" in about and answer["won"] is not None:
        _without_rake(answer, about, chip)
    for key in ("starting_stacks", "finishing_stacks", "won"):
        if answer[key] is not None:
            answer[key] = [_shown(chips, chip) for chips in answer[key]]
    fields = about.get("fields")
    stacks = fields.get("finishing_stacks") if isinstance(fields, dict) else None
    if isinstance(stacks, list) and answer["finishing_stacks"] is not None:
        stacks = [_plain(chips) for chips in stacks]
        if stacks != answer["finishing_stacks"]:
            text = f"the file gives {stacks}, the rules {answer['finishing_stacks']}"
            finding = {"where": "finishing_stacks", "code": "stacks-differ", "text": text}
            answer["findings"].append(finding)
    return answer


def _without_rake(answer: dict[str, Any], about: dict[str, Any], chip: Chip) -> None:
    """Subtract the rake from the winners' chips if it explains what they collected."""
    won, rake = answer["won"], about["rake"]
    alone = [chips and chips - rake for chips in won] if type(rake) is int else []
    collected = about.get("collected", alone)
    amounts = [*collected, rake] if isinstance(collected, list) else []
    if len(amounts) <= len(won) or not all(type(chips) is int for chips in amounts):
        return
    differences = [right - got for right, got in zip(won, collected, strict=True)]
    if min(differences) >= 0 and sum(differences) == rake:
        answer["won"] = list(collected)
        left = zip(answer["finishing_stacks"], differences, strict=True)
        answer["finishing_stacks"] = [stack and stack - chips for stack, chips in left]
        code, text = "rake", f"the room took {_shown(rake, chip)} of the pot as rake"
    else:
        got, right = ([_shown(chips, chip) for chips in each] for each in (collected, won))
        code, text = "took-differs", f"the file gives {got} as collected, the rules {right}"
    answer["findings"].append({"where": "", "code": code, "text": text})


def _shown(chips: int | None, chip: Chip) -> int | float | None:
    if chips is None:
        return None
    number = chip.amount(chips)
    return number if isinstance(number, int) else float(number)


def _plain(chips: object) -> int | float | None:
    """Convert a number from the file for use in an answer."""
    if isinstance(chips, dict) and isinstance(chips.get("toml"), str):
        try:
            number = float(chips["toml"])
        except ValueError:  # in a handwritten record, this place may contain any string
            return None
        return int(number) if number.is_integer() else number
    return chips if isinstance(chips, int) else None


# Numbers as people and spreadsheets write them: "15,38", "1.000", "1 000,50", "1'000.50". A number
# has up to two readings. In the grouped reading, all separators group thousands. In the pointed
# reading, the last separator is the decimal separator. "1.000" has both readings, and only the rest
# of the file can show which one is right.


LONGEST = 40
SHAPE = re.compile(r"[+-]?(?:\d+(?:[.,' ٫]\d+)*[.,]?|[.,٫]\d+)", re.ASCII)
SEPARATOR = re.compile(r"[.,' ٫]")
DECIMAL = ".,٫"  # the last of these is the Arabic decimal separator, which has no other meaning
# Apostrophes typed in Switzerland, the minus sign, and the Arabic thousands separator.
SPELLINGS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "−": "-", "٬": "'"})


@dataclass(frozen=True, slots=True)
class Readings:
    """The one or two possible values of a string, and its last separator ("" without one)."""

    grouped: Decimal | None
    pointed: Decimal | None
    separator: str

    @property
    def only(self) -> Decimal | None:
        """The number, or None if there are two readings."""
        if self.grouped is not None and self.pointed is not None:
            return None
        return self.pointed if self.grouped is None else self.grouped


def readings_of(text: str) -> Readings | None:
    """Return the possible values of a string, or None if it is not a number."""
    text = unicodedata.normalize("NFKC", text[: LONGEST + 1]).translate(SPELLINGS).strip()
    if len(text) > LONGEST:
        return None
    plain = "".join(
        " " if character.isspace() else str(unicodedata.decimal(character, character))
        for character in text
    )
    if not SHAPE.fullmatch(plain):
        return None
    sign, unsigned = ("-", plain[1:]) if plain[0] == "-" else ("", plain.removeprefix("+"))
    parts, separators = SEPARATOR.split(unsigned), SEPARATOR.findall(unsigned)
    if not separators:
        return Readings(grouped=Decimal(sign + unsigned), pointed=None, separator="")
    grouped = pointed = None
    *before, last = separators
    if last != "٫" and set(before) <= {last} and _are_groups(parts, last):
        grouped = Decimal(sign + "".join(parts))
    *whole, fraction = parts
    groups = set(before)  # the separators of thousands before a decimal separator
    if last in DECIMAL and (
        not groups or (len(groups) == 1 and last not in groups and _are_groups(whole, before[0]))
    ):
        pointed = Decimal(f"{sign}{''.join(whole) or '0'}.{fraction or '0'}")
    if grouped is None and pointed is None:
        return None
    return Readings(grouped, pointed, separator=last)


def _are_groups(parts: Sequence[str], separator: str) -> bool:
    """Return whether the groups have three digits each, or two above thousands, as in India."""
    first, *middle, last = parts
    threes = len(first) <= 3 and all(len(group) == 3 for group in middle)
    twos = separator == "," and len(first) <= 2 and all(len(group) == 2 for group in middle)
    return first[:1] not in ("", "0") and len(last) == 3 and (threes or twos)
