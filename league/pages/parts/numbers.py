"""Numbers and money on pages, displayed and parsed in the reader's locale."""

import re
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from decimal import Decimal
from typing import Any, ClassVar

from babel import Locale, UnknownLocaleError
from django import forms, template
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation.trans_real import parse_accept_lang_header

from league.common.money import Coined, decimals_of, in_money, minor_units
from league.models import MOST_CHIPS
from rules.formats.amounts import readings_of

MINUS = "\u2212"
# Our fonts have no non-breaking hyphen, so word joiners prevent the line break.
UNBROKEN_HYPHEN = "\u2060-\u2060"

_BEFORE_A_NUMBER = re.compile(r"(?<![\w-])-(?=\d)")
_ABOVE_ZERO = re.compile(r"\d[\d.,]*[1-9]|[1-9]")
_BEFORE_POINTS = re.compile(r"(?<![\w-])-(?=\d+ points?\b)")
_LOW = re.compile(r"\b(?:10|[2-9JQKA])(?:-(?:10|[2-9JQKA])){2,}\b")

register = template.Library()
register.filter(in_money)


@register.filter
def minus(text: str) -> str:
    """Return the text with a minus sign in place of each hyphen before a number."""
    return _BEFORE_A_NUMBER.sub(MINUS, text)


@register.filter
def signed_money(text: str) -> str:
    """Return amounts, such as "12.50 EUR, -3 USD", with their signs. Zero has no sign."""
    return ", ".join(
        f"+{amount}" if _ABOVE_ZERO.match(amount) else minus(amount) for amount in text.split(", ")
    )


@register.filter
def quartets(text: str) -> str:
    """Return a long number in groups of four characters, which are easier to compare."""
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


@register.filter(name="plain_points")
def points(text: str) -> str:
    """Return a hand name or a rules sentence with a minus sign before negative points.

    The rules write a hyphen there, and other programs that read their answers rely on it.
    """
    return _BEFORE_POINTS.sub(MINUS, text)


@register.filter(name="points")
def points_and_lows(text: str) -> str:
    """Return the text of `points` without line breaks in lows like 6-5-3-2-A. Not for pictures."""
    return _LOW.sub(lambda low: low[0].replace("-", UNBROKEN_HYPHEN), points(text))


@register.filter
def number(value: Any, places: int = 0) -> str:
    """Return the number with `places` decimal places."""
    return minus(floatformat(value, f"{places}g"))


@register.filter
def signed(value: float, places: int = 0) -> str:
    """Return the number with its sign. Zero has no sign."""
    return minus(f"{value:+,.{places}f}") if value else "0"


@register.filter
def unsigned(value: int) -> str:
    """Return the number without its sign, for sentences whose verb gives the direction."""
    return f"{abs(value):,}"


# Fields for money and chips, as people type them in their locale.


NUMBER = {"inputmode": "numeric", "autocomplete": "off"}


def typed_number(text: str, *, places: int, not_number: str) -> Decimal:
    """Return the typed number. If it has two possible readings, the reader's locale decides.

    `places` is the number of decimal places allowed. Raises ValidationError.
    """
    parsed = readings_of(text)
    if parsed is None:
        raise ValidationError(not_number, code="invalid")
    if parsed.only is not None:
        return parsed.only
    locale = reader_locale()
    symbols = locale.number_symbols["latn"] if locale else {}
    if parsed.grouped is not None and symbols.get("group") == parsed.separator:
        return parsed.grouped
    if parsed.pointed is not None and symbols.get("decimal") == parsed.separator and places >= 3:
        return parsed.pointed
    words = gettext(
        "%(typed)s could mean %(grouped)s or %(pointed)s. Enter it without thousands separators."
    )
    readings = {"grouped": parsed.grouped, "pointed": f"{parsed.pointed:f}".rstrip("0").rstrip(".")}
    raise ValidationError(words % {"typed": text.strip(), **readings})


class MoneyField(forms.DecimalField):
    """An amount in a currency, with the decimal places of its minor unit."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "min_value": gettext_lazy("Enter %(limit_value)s or more."),
    }

    def __init__(self, *, currency: str = "", **options: Any) -> None:
        self.currency = currency
        widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(min_value=0, max_digits=15, widget=widget, **options)

    def to_python(self, value: Any) -> Any:
        if not isinstance(value, str) or value.strip() in self.empty_values:
            return super().to_python(value)
        error = str(self.error_messages["invalid"])
        return typed_number(value, places=decimals_of(self.currency), not_number=error)

    def prepare_value(self, value: Any) -> Any:
        """Return the amount in the reader's number format, which parses back to the same value."""
        locale = reader_locale()
        if not isinstance(value, Decimal) or locale is None:
            return value
        return f"{value:f}".replace(".", locale.number_symbols["latn"]["decimal"])


class WholeNumber(forms.IntegerField):
    """A whole number, with or without thousands separators."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "min_value": gettext_lazy("Enter %(limit_value)s or more."),
        "max_value": gettext_lazy("Enter %(limit_value)s or less."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"widget": forms.TextInput(NUMBER)} | options)

    def to_python(self, value: Any) -> int | None:
        if not isinstance(value, str) or value.strip() in self.empty_values:
            return super().to_python(value)
        error = str(self.error_messages["invalid"])
        number = typed_number(value, places=0, not_number=error)
        if number != int(number):
            raise ValidationError(error, code="invalid")
        return int(number)


class Chips(WholeNumber):
    def __init__(self, **options: Any) -> None:
        super().__init__(max_value=MOST_CHIPS, **options)


def chips_of(amount: Decimal, of: Coined) -> int:
    """Return the money as chips. Raises ValidationError unless it is a whole number of chips."""
    minor = minor_units(amount, of.currency)
    if minor is None:
        raise forms.ValidationError(gettext("Enter an amount that this currency's coins can pay."))
    chips, rest = divmod(minor, of.chip_value)
    if rest:
        text = gettext("Not a whole number of chips. Enter %(more)s.")
        if chips:
            text = gettext("Not a whole number of chips. Enter %(less)s or %(more)s.")
        near = {"less": in_money(chips, of), "more": in_money(chips + 1, of)}
        raise forms.ValidationError(text % near)
    if chips > MOST_CHIPS:
        raise forms.ValidationError(gettext("This amount is too large."))
    return chips


# The reader's locale. It determines the number format, regardless of the page's language.


_locale: ContextVar[Locale | None] = ContextVar("reader_locale", default=None)


def with_reader_locale(
    respond: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that stores the first known locale of `Accept-Language` during the request."""

    def respond_in_locale(request: HttpRequest) -> HttpResponse:
        locale = None
        for tag, _quality in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
            with suppress(ValueError, UnknownLocaleError):
                locale = Locale.parse(tag, sep="-")
                break
        token = _locale.set(locale)
        try:
            return respond(request)
        finally:
            _locale.reset(token)

    return respond_in_locale


def reader_locale() -> Locale | None:
    """Return the locale of the current request, or None if its locale is unknown."""
    return _locale.get()
