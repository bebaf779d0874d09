"""Money and chips as people type them in their locale."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from league.common.money import Coined, decimals_of, in_money, minor_units
from league.models import MOST_CHIPS
from league.pages.parts.reader_locale import reader_locale
from rules.formats.typed_numbers import readings_of

NUMBER = {"inputmode": "numeric", "autocomplete": "off"}


def typed_number(text: str, *, places: int, not_number: str) -> Decimal:
    """Return the number as the reader's locale has it, where that decides between two readings.

    `places` are the decimals that it may have. Raises ValidationError.
    """
    found = readings_of(text)
    if found is None:
        raise ValidationError(not_number, code="invalid")
    if found.only is not None:
        return found.only
    locale = reader_locale()
    symbols = locale.number_symbols["latn"] if locale else {}
    if found.grouped is not None and symbols.get("group") == found.separator:
        return found.grouped
    if found.pointed is not None and symbols.get("decimal") == found.separator and places >= 3:
        return found.pointed
    words = gettext(
        "%(typed)s can mean %(grouped)s or %(pointed)s. "
        "Enter it without a separator between thousands."
    )
    readings = {"grouped": found.grouped, "pointed": f"{found.pointed:f}".rstrip("0").rstrip(".")}
    raise ValidationError(words % {"typed": text.strip(), **readings})


class MoneyField(forms.DecimalField):
    """An amount in a currency, with the decimals that its minor unit has."""

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
        """Return an amount in the reader's spelling, so that it is read back as the same."""
        locale = reader_locale()
        if not isinstance(value, Decimal) or locale is None:
            return value
        return f"{value:f}".replace(".", locale.number_symbols["latn"]["decimal"])


class WholeNumber(forms.IntegerField):
    """A whole number, with or without separators between thousands."""

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
    """Return the money as chips. Raises ValidationError where it is no whole number of them."""
    minor = minor_units(amount, of.currency)
    if minor is None:
        raise forms.ValidationError(gettext("This must be a whole number of the smallest coin."))
    chips, rest = divmod(minor, of.chip_value)
    if rest:
        text = gettext("That is no whole number of chips: say %(less)s or %(more)s.")
        near = {"less": in_money(chips, of), "more": in_money(chips + 1, of)}
        raise forms.ValidationError(text % near)
    if chips > MOST_CHIPS:
        raise forms.ValidationError(gettext("So much was never on a table."))
    return chips
