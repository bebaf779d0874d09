"""The links by which apps open with a payment filled in; docs/paying.md has the source of each.

What stands between our words was checked by `handles`, and is quoted here all the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import quote, urlencode

from league.common.money import decimals_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be paid to whom, and what for."""

    minor: int
    currency: str
    payee: str
    note: str

    @property
    def amount(self) -> Decimal:
        return Decimal(self.minor).scaleb(-decimals_of(self.currency))

    @property
    def is_whole(self) -> bool:
        return self.amount == self.amount.to_integral_value()

    @property
    def major(self) -> str:
        """The amount as links want it: in major units, with a point, without thousands."""
        return f"{self.amount:f}"


Link = Callable[[str, Asked], str]


def paypal(name: str, asked: Asked) -> str:
    """paypal.me/name/12.50EUR, a whole amount without its decimals; no note."""
    major = f"{asked.amount.to_integral_value():f}" if asked.is_whole else asked.major
    return f"https://paypal.me/{_quoted(name)}/{major}{asked.currency}"


def venmo(name: str, asked: Asked) -> str:
    """venmo.com/name?txn=pay&amount=12.50&note=Night 12, between the two alone."""
    told = {"txn": "pay", "audience": "private", "amount": asked.major, "note": asked.note}
    return f"https://venmo.com/{_quoted(name)}?{urlencode(told, quote_via=quote)}"


def cash_app(name: str, asked: Asked) -> str:
    """cash.app/$name/12.50; no note."""
    return f"https://cash.app/${_quoted(name)}/{asked.major}"


def revolut(name: str, asked: Asked) -> str:
    """revolut.me/name: who pays types amount and note."""
    return f"https://revolut.me/{_quoted(name)}"


def wise(name: str, asked: Asked) -> str:
    """wise.com/pay/me/name: who pays types amount and note."""
    return f"https://wise.com/pay/me/{_quoted(name)}"


def upi(address: str, asked: Asked) -> str:
    """upi://pay?pa=ann@bank&pn=Ann&tn=Night 12&am=12.50&cu=INR."""
    told = {"pa": address, "pn": asked.payee, "tn": asked.note}
    told |= {"am": asked.major, "cu": asked.currency}
    return f"upi://pay?{urlencode(told, quote_via=quote, safe='@')}"


def _quoted(name: str) -> str:
    return quote(name, safe="")
