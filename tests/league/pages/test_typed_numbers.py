"""Typed numbers are parsed in the formats of Babel's (CLDR) locales."""

import re
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest
from babel import Locale
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

import league.pages
from league.pages.parts.numbers import typed_number, with_reader_locale

LOCALES = "en de fr es es_MX en_IN hi de_CH de_AT pl pt_BR sv it nl ja en_ZA en_DE fr_CA".split()

# the typed text, the currency's decimals, the locale (empty if unknown), and the number
READ = [
    ("15,38", 2, "", "15.38"),
    ("15,38", 2, "en", "15.38"),
    ("15.38", 2, "de", "15.38"),
    ("0,500", 2, "", "0.5"),
    (",5", 2, "", "0.5"),
    ("5.", 2, "", "5"),
    ("007", 2, "", "7"),
    ("-3,5", 2, "", "-3.5"),
    ("1.000", 2, "de", "1000"),
    ("1.000", 0, "es", "1000"),
    ("1,000", 2, "en", "1000"),
    ("1,000", 3, "de", "1"),
    ("1.234", 3, "en", "1.234"),
    ("1234.567", 3, "", "1234.567"),
    ("1.000.000", 2, "", "1000000"),
    ("1,000,000", 0, "de", "1000000"),
    ("12,34,567", 2, "", "1234567"),
    ("1.000,50", 2, "en", "1000.5"),
    ("1,000.50", 2, "de", "1000.5"),
    ("1 000,50", 2, "fr", "1000.5"),
    ("1\u00a0000,50", 2, "", "1000.5"),
    ("1\u202f000", 2, "", "1000"),
    ("1'000.50", 2, "de_CH", "1000.5"),
    ("1’000", 0, "", "1000"),
    ("１５．３８", 2, "ja", "15.38"),
    ("١٥٫٣٨", 2, "ar", "15.38"),
    ("١٬٠٠٠٫٥٠٠", 3, "", "1000.5"),
]
AMBIGUOUS = [
    ("1.000", 2, "", (1000, 1)),
    ("1.000", 0, "", (1000, 1)),
    ("1.000", 2, "en", (1000, 1)),
    ("1.000", 0, "en", (1000, 1)),
    ("1.000", 2, "fr", (1000, 1)),
    ("1,234", 2, "de", (1234, Decimal("1.234"))),
    ("1,000", 2, "", (1000, 1)),
    ("1.500", 3, "", (1500, Decimal("1.5"))),
]
NOT_NUMBERS = ["", " ", "many", "1e30", "NaN", "1_000", "--1", "1,,5", "1.5,5,5", "1.00.000"]
NOT_NUMBERS += ["1 00", "1,00 000", "1.000 000", "1'5", "5€5", "9" * 41, "1,5.5", "0,000,500"]


def read_typed(text: str, *, places: int, locale: str) -> Decimal:
    """Return the number that a page parses from a request in this language."""
    read: list[Decimal] = []

    def respond(_request: HttpRequest) -> HttpResponse:
        read.append(typed_number(text, places=places, not_number="Enter a number."))
        return HttpResponse()

    headers = {"accept-language": locale.replace("_", "-")}
    with_reader_locale(respond)(RequestFactory().get("/", headers=headers))
    return read[0]


def symbols_of(name: str) -> dict[str, str]:
    return Locale.parse(name).number_symbols["latn"] if name else {"group": "", "decimal": ""}


def test_numbers_are_parsed_by_locale() -> None:
    found = {each: read_typed(each[0], places=each[1], locale=each[2]) for each in READ}
    assert found == {each: Decimal(each[3]) for each in READ}


@pytest.mark.parametrize(("typed", "places", "locale", "readings"), AMBIGUOUS)
def test_ambiguous_number_is_rejected(
    typed: str, places: int, locale: str, readings: tuple[Decimal, Decimal]
) -> None:
    with pytest.raises(ValidationError) as raised:
        read_typed(typed, places=places, locale=locale)
    assert f"{typed} could mean {readings[0]} or {readings[1]}." in raised.value.messages[0]


@pytest.mark.parametrize("typed", NOT_NUMBERS)
def test_text_that_is_not_a_number_is_rejected(typed: str) -> None:
    with pytest.raises(ValidationError, match="Enter a number"):
        read_typed(typed, places=2, locale="en")


@given(
    st.integers(0, 10**13),
    st.integers(0, 4),
    st.sampled_from(LOCALES),
    st.sampled_from([*LOCALES, ""]),
)
def test_number_spelled_for_one_locale_is_never_parsed_as_a_different_number(
    units: int, places: int, writer: str, reader: str
) -> None:
    """In the writer's own locale, the result is the same number.

    A different locale parses a different number only if its thousands separator is the writer's
    decimal separator, or the other way round.
    """
    number = Decimal(units).scaleb(-places)
    own, other = (symbols_of(each) for each in (writer, reader))
    typed = f"{number:,f}".translate(str.maketrans({",": own["group"], ".": own["decimal"]}))
    assert read_typed(typed, places=places, locale=writer) == number
    swapped = own["group"] == other["decimal"] or own["decimal"] == other["group"]
    with suppress(ValidationError):
        found = read_typed(typed, places=places, locale=reader)
        assert found == number or swapped


def test_all_pages_parse_typed_numbers_with_the_same_field() -> None:
    """Django's own fields parse "1.000" as 1. Hidden fields have no localized format."""
    pages = Path(league.pages.__path__[0])
    plain = re.compile(r"(\w+) = .*forms\.(?:Integer|Decimal|Float)Field\(")
    uses = {
        f"{path.relative_to(pages)}: {name}"
        for path in pages.rglob("*.py")
        for name in plain.findall(path.read_text("utf-8"))
    }
    hidden = {"nights/close.py: missing", "nights/close.py: cash_expected"}
    assert uses == hidden | {"imports.py: seen"}
