"""Numbers as people type them in their locale: "15,38", "1.000", "1 000,50", "1'000.50".

A number is read in two ways. Grouped: every separator separates thousands. Pointed: the last
separator is the decimal one. "1.000" has both readings, and only the locale can decide between
them. Where it does not, the number is rejected: no reading is guessed.
"""

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

from babel import Locale

LONGEST = 40
SHAPE = re.compile(r"[+-]?(?:\d+(?:[.,' ٫]\d+)*[.,]?|[.,٫]\d+)", re.ASCII)
SEPARATOR = re.compile(r"[.,' ٫]")
DECIMAL = ".,٫"  # the last one is Arabic and separates nothing else
# Apostrophes as they are typed in Switzerland, the minus sign, and the thousands of Arabic.
SPELLINGS = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "−": "-", "٬": "'"})


class NotNumber(ValueError):
    """The text is not a number."""


class AmbiguousNumber(ValueError):
    """The text has two readings and the locale does not decide between them."""

    def __init__(self, grouped: Decimal, pointed: Decimal) -> None:
        super().__init__(f"{grouped} or {pointed}")
        self.grouped, self.pointed = grouped, pointed


def read_typed(text: str, *, places: int, locale: Locale | None) -> Decimal:
    """Return the number that was typed; `places` are the decimals that it may have.

    Raises NotNumber and AmbiguousNumber.
    """
    plain = _plain(text)
    if not SHAPE.fullmatch(plain):
        raise NotNumber
    sign, unsigned = ("-", plain[1:]) if plain[0] == "-" else ("", plain.removeprefix("+"))
    parts = SEPARATOR.split(unsigned)
    separators = SEPARATOR.findall(unsigned)
    grouped, pointed = _grouped(parts, separators), _pointed(parts, separators)
    if grouped and pointed:
        number = _by_locale(separators[0], places, locale, grouped=grouped, pointed=pointed)
    else:
        number = grouped or pointed
    if not number:
        raise NotNumber
    return Decimal(sign + number)


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
    if separators and (
        len(set(separators)) > 1 or "٫" in separators or not _are_groups(parts, separators[0])
    ):
        return ""
    return "".join(parts)


def _pointed(parts: Sequence[str], separators: Sequence[str]) -> str:
    """Return the number if its last separator is the decimal one, else ""."""
    if not separators or separators[-1] not in DECIMAL:
        return ""
    *whole, fraction = parts
    before = separators[:-1]
    if before and (
        len(set(before)) > 1 or before[0] == separators[-1] or not _are_groups(whole, before[0])
    ):
        return ""
    return f"{''.join(whole) or '0'}.{fraction or '0'}"


def _are_groups(parts: Sequence[str], separator: str) -> bool:
    """Tell whether these are groups of three digits, or of two above the thousands as in India."""
    first, *middle, last = parts
    threes = len(first) <= 3 and all(len(group) == 3 for group in middle)
    twos = separator == "," and len(first) <= 2 and all(len(group) == 2 for group in middle)
    return first[:1] not in ("", "0") and len(last) == 3 and (threes or twos)


def _by_locale(
    separator: str, places: int, locale: Locale | None, *, grouped: str, pointed: str
) -> str:
    symbols = locale.number_symbols["latn"] if locale else {}
    if symbols.get("group") == separator:
        return grouped
    if symbols.get("decimal") == separator and places >= 3:
        return pointed
    raise AmbiguousNumber(Decimal(grouped), Decimal(pointed))
