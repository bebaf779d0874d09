"""Numbers as people and spreadsheets write them: "15,38", "1.000", "1 000,50", "1'000.50".

A number is read in two ways. Grouped: every separator separates thousands. Pointed: the last
separator is the decimal one. "1.000" has both readings: only where it comes from decides.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

LONGEST = 40
SHAPE = re.compile(r"[+-]?(?:\d+(?:[.,' ٫]\d+)*[.,]?|[.,٫]\d+)", re.ASCII)
SEPARATOR = re.compile(r"[.,' ٫]")
DECIMAL = ".,٫"  # the last one is Arabic and separates nothing else
# Apostrophes as they are typed in Switzerland, the minus sign, and the thousands of Arabic.
SPELLINGS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "−": "-", "٬": "'"})


@dataclass(frozen=True, slots=True)
class Readings:
    """What a text can mean, one or both, and its last separator ("" for none)."""

    grouped: Decimal | None
    pointed: Decimal | None
    separator: str

    @property
    def only(self) -> Decimal | None:
        """The number, where there is one reading."""
        if self.grouped is not None and self.pointed is not None:
            return None
        return self.pointed if self.grouped is None else self.grouped


def readings_of(text: str) -> Readings | None:
    """Return what a text can mean; None for what is no number."""
    plain = _plain(text)
    if not SHAPE.fullmatch(plain):
        return None
    sign, unsigned = ("-", plain[1:]) if plain[0] == "-" else ("", plain.removeprefix("+"))
    parts, separators = SEPARATOR.split(unsigned), SEPARATOR.findall(unsigned)
    grouped, pointed = _grouped(parts, separators), _pointed(parts, separators)
    if not grouped and not pointed:
        return None
    return Readings(
        grouped=Decimal(sign + grouped) if grouped else None,
        pointed=Decimal(sign + pointed) if pointed else None,
        separator=separators[-1] if separators else "",
    )


def _plain(text: str) -> str:
    """Return the text in ASCII digits and separators; spaces of all kinds are one kind."""
    text = unicodedata.normalize("NFKC", text[: LONGEST + 1]).translate(SPELLINGS).strip()
    return "".join(_digit(character) for character in text) if len(text) <= LONGEST else ""


def _digit(character: str) -> str:
    if character.isspace():
        return " "
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def _grouped(parts: Sequence[str], separators: Sequence[str]) -> str:
    """Return the number if all separators separate thousands, else ""."""
    if not separators:
        return parts[0]
    alike = len(set(separators)) == 1 and separators[0] != "٫"
    return "".join(parts) if alike and _are_groups(parts, separators[0]) else ""


def _pointed(parts: Sequence[str], separators: Sequence[str]) -> str:
    """Return the number if its last separator is the decimal one, else ""."""
    if not separators or separators[-1] not in DECIMAL:
        return ""
    *whole, fraction = parts
    before = separators[:-1]
    if before:
        alike = len(set(before)) == 1 and before[0] != separators[-1]
        if not alike or not _are_groups(whole, before[0]):
            return ""
    return f"{''.join(whole) or '0'}.{fraction or '0'}"


def _are_groups(parts: Sequence[str], separator: str) -> bool:
    """Tell whether these are groups of three digits, or of two above the thousands as in India."""
    first, *middle, last = parts
    threes = len(first) <= 3 and all(len(group) == 3 for group in middle)
    twos = separator == "," and len(first) <= 2 and all(len(group) == 2 for group in middle)
    return first[:1] not in ("", "0") and len(last) == 3 and (threes or twos)
