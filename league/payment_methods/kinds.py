"""The kinds of ways to be paid, one row each: for which currencies, how it is typed, its link."""

import re
from dataclasses import dataclass

from league.payment_methods import links
from league.payment_methods.handles import Reader, named, read_phone, read_vpa
from league.payment_methods.iban import read_iban
from league.payment_methods.links import Asked, Link

# developer.paypal.com, "PayPal supported currencies".
AT_PAYPAL = frozenset(
    "AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB"
    " USD".split()
)
WHOLE_AT_PAYPAL = frozenset({"HUF", "JPY", "TWD"})  # likewise: no decimals of these
# What accounts of both Revolut and Wise hold, wherever they are.
HELD = frozenset(
    "AED AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PLN RON SEK SGD THB TRY USD"
    " ZAR".split()
)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
PAYPAL_NAME = re.compile(r"[A-Za-z0-9]{1,20}")
CASHTAG = re.compile(r"(?=[0-9_]*[A-Za-z])[A-Za-z0-9_]{1,20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A way to be paid; without a link its handle is typed by whoever pays.

    `fills` says that the link or the code holds the amount. `holder`: the name of whom the account
    belongs to is asked as well. Of the `whole` currencies it takes no decimals.
    """

    code: str
    title: str
    currencies: frozenset[str]
    read: Reader
    example: str
    link: Link | None = None
    fills: bool = False
    holder: bool = False
    whole: frozenset[str] = frozenset()

    def fits(self, asked: Asked) -> bool:
        """Tell whether what is asked for can be paid so: its currency, its decimals."""
        decimals = asked.currency in self.whole and not asked.is_whole
        return asked.currency in self.currencies and not decimals


_ALL = (
    Kind(
        code="iban",
        title="IBAN",
        currencies=frozenset({"EUR"}),
        read=read_iban,
        example="DE89 3704 0044 0532 0130 00",
        fills=True,
        holder=True,
    ),
    Kind(
        code="paypal",
        title="PayPal",
        currencies=AT_PAYPAL,
        read=named(PAYPAL_NAME, "paypal.me", "paypal.com/paypalme"),
        example="paypal.me/ann",
        link=links.paypal,
        fills=True,
        whole=WHOLE_AT_PAYPAL,
    ),
    Kind(
        code="revolut",
        title="Revolut",
        currencies=HELD,
        read=named(NAME, "revolut.me"),
        example="revolut.me/ann",
        link=links.revolut,
    ),
    Kind(
        code="wise",
        title="Wise",
        currencies=HELD,
        read=named(NAME, "wise.com/pay/me"),
        example="wise.com/pay/me/ann",
        link=links.wise,
    ),
    Kind(
        code="venmo",
        title="Venmo",
        currencies=frozenset({"USD"}),
        read=named(NAME, "venmo.com", "venmo.com/u", "account.venmo.com/u"),
        example="@ann",
        link=links.venmo,
        fills=True,
    ),
    Kind(
        code="cash-app",
        title="Cash App",
        currencies=frozenset({"USD"}),
        read=named(CASHTAG, "cash.app", sign="$"),
        example="$ann",
        link=links.cash_app,
        fills=True,
    ),
    Kind(
        code="upi",
        title="UPI",
        currencies=frozenset({"INR"}),
        read=read_vpa,
        example="ann@bank",
        link=links.upi,
        fills=True,
    ),
    Kind(
        code="twint",
        title="TWINT",
        currencies=frozenset({"CHF"}),
        read=read_phone,
        example="+41 79 123 45 67",
    ),
    Kind(
        code="bizum",
        title="Bizum",
        currencies=frozenset({"EUR"}),
        read=read_phone,
        example="+34 612 345 678",
    ),
)
KINDS = {kind.code: kind for kind in _ALL}
