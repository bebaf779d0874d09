"""Chips as money: whole minor units inside, the currency's own decimals outside."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Protocol

DIGITS = {
    **dict.fromkeys(("CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
USUAL_DIGITS = 2


def shown(minor: int, currency: str) -> str:
    """Return an amount of minor units as people write it, without the currency."""
    digits = DIGITS.get(currency, USUAL_DIGITS)
    return f"{Decimal(minor).scaleb(-digits):,.{digits}f}"


def minor_units(amount: Decimal, currency: str) -> int | None:
    """Return the amount in minor units; None where it is finer than the currency."""
    minor = amount.scaleb(DIGITS.get(currency, USUAL_DIGITS))
    whole = minor.quantize(Decimal(1), ROUND_HALF_UP) if minor.is_finite() else None
    return int(whole) if whole == minor else None


class Coined(Protocol):
    """A league, a night or a plan: it says what a chip is worth in which currency."""

    chip_value: int
    currency: str


def worth(chips: int, of: Coined) -> str:
    """Return what the chips are worth, without the currency, as "-12.50"."""
    return shown(chips * of.chip_value, of.currency)


def in_money(chips: int, of: Coined) -> str:
    """Return what the chips are worth, with the currency, as "-12.50 EUR"."""
    return f"{worth(chips, of)} {of.currency}"
