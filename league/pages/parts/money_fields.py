"""Money as it is typed, and the whole chips that it is."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext

from league.common.money import Coined, in_money, minor_units
from league.models import MOST_CHIPS


class Money(forms.DecimalField):
    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(min_value=0, max_digits=15, widget=widget, **options)


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
