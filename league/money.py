"""Chips as money: whole minor units inside, the currency's own decimals outside."""

from decimal import ROUND_HALF_UP, Decimal

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


def in_money(chips: int, chip_value: int, currency: str) -> str:
    """Return what the chips are worth, with the currency, as "-12.50 EUR"."""
    return f"{shown(chips * chip_value, currency)} {currency}"
