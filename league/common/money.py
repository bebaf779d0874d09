"""Chips and money: amounts in words and numbers, and splitting them evenly."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple, Protocol, TypeVar

from babel.numbers import get_currency_precision

# CLDR reports no decimals where coins are out of use. Stored amounts count in minor units of ISO
# 4217.
DIGITS_OUT_OF_USE = {
    "IQD": 3,
    **dict.fromkeys("AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK SOS SYP YER".split(), 2),
}


def decimals_of(currency: str) -> int:
    """Return how many decimals the minor unit of a currency has by ISO 4217."""
    return DIGITS_OUT_OF_USE.get(currency) or get_currency_precision(currency)


def shown(minor: int, currency: str) -> str:
    """Return an amount of minor units as people write it, without the currency."""
    digits = decimals_of(currency)
    return f"{Decimal(minor).scaleb(-digits):,.{digits}f}"


def minor_units(amount: Decimal, currency: str) -> int | None:
    """Return the amount in minor units; None where it is finer than the currency."""
    minor = amount.scaleb(decimals_of(currency))
    whole = minor.quantize(Decimal(1), ROUND_HALF_UP) if minor.is_finite() else None
    return int(whole) if whole == minor else None


class Money(NamedTuple):
    """An amount in minor units of the currency."""

    amount: int
    currency: str


class Coined(Protocol):
    """A league, a night or a plan: it says what a chip is worth in which currency."""

    chip_value: int
    currency: str


def worth(chips: int, of: Coined) -> str:
    """Return what the chips are worth, without the currency, as "-12.50"."""
    return shown(chips * of.chip_value, of.currency)


def money_of(chips: int, of: Coined) -> Decimal:
    """Return what the chips are worth in the currency's unit."""
    return Decimal(chips * of.chip_value).scaleb(-decimals_of(of.currency))


def in_money(chips: int, of: Coined) -> str:
    """Return what the chips are worth, with the currency, as "-12.50 EUR"."""
    return f"{worth(chips, of)} {of.currency}"


Person = TypeVar("Person")


def evenly(chips: int, people: Sequence[Person]) -> dict[Person, int]:
    """Return each one's part of the chips, below zero where the chips are."""
    sign = 1 if chips >= 0 else -1
    each, odd = divmod(abs(chips), len(people))
    return {person: sign * (each + (place < odd)) for place, person in enumerate(people)}
