"""Convert chips to money, format amounts, and split chips evenly."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple, Protocol, TypeVar

from babel.numbers import get_currency_precision

# CLDR specifies no decimals for currencies whose coins are out of use, so stored amounts use the
# minor units of ISO 4217.
DIGITS_OUT_OF_USE = {
    "IQD": 3,
    **dict.fromkeys("AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK SOS SYP YER".split(), 2),
}


def decimals_of(currency: str) -> int:
    """Return the number of decimals of a currency according to ISO 4217."""
    return DIGITS_OUT_OF_USE.get(currency) or get_currency_precision(currency)


def is_whole(currency: str) -> bool:
    """Return whether prices in the currency have no decimals, such as JPY and HUF."""
    return get_currency_precision(currency) == 0


def shown(minor: int, currency: str) -> str:
    """Return an amount in minor units as formatted text, without the currency."""
    digits = decimals_of(currency)
    return f"{Decimal(minor).scaleb(-digits):,.{digits}f}"


def minor_units(amount: Decimal, currency: str) -> int | None:
    """Return the amount in minor units, or None if it is not a whole number of minor units."""
    minor = amount.scaleb(decimals_of(currency))
    whole = minor.quantize(Decimal(1), ROUND_HALF_UP) if minor.is_finite() else None
    return int(whole) if whole == minor else None


class Money(NamedTuple):
    """An amount in minor units of the currency."""

    amount: int
    currency: str


class Coined(Protocol):
    """A league, night or plan, which defines the chip value and the currency."""

    chip_value: int
    currency: str


def worth(chips: int, of: Coined) -> str:
    """Return the value of the chips without the currency, such as "-12.50"."""
    return shown(chips * of.chip_value, of.currency)


def money_of(chips: int, of: Coined) -> Decimal:
    """Return the value of the chips in units of the currency."""
    return Decimal(chips * of.chip_value).scaleb(-decimals_of(of.currency))


def in_money(chips: int, of: Coined) -> str:
    """Return the value of the chips with the currency, such as "-12.50 EUR"."""
    return f"{worth(chips, of)} {of.currency}"


Person = TypeVar("Person")


def evenly(chips: int, people: Sequence[Person]) -> dict[Person, int]:
    """Split the chips evenly. The first players get the odd chips. `chips` may be negative."""
    sign = 1 if chips >= 0 else -1
    each, odd = divmod(abs(chips), len(people))
    return {person: sign * (each + (place < odd)) for place, person in enumerate(people)}
