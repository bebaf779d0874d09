"""Kinds of payment methods: handles and IBANs, links and EPC codes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import quote, urlencode

import segno
from segno import helpers

from league.common.money import decimals_of
from league.common.text import tidy

LONGEST = 200  # maximum number of characters to read; a pasted link is longer than a user name
Reader = Callable[[str], str | None]

_SCHEME = re.compile(r"^https?://(www\.)?", re.IGNORECASE)
_AFTER_NAME = re.compile(r"[/?#]")
_PHONE = re.compile(r"\+[1-9][0-9]{6,14}")  # E.164: at most fifteen digits
_VPA = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}@[A-Za-z][A-Za-z0-9]{1,63}")
_EMAIL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}@([A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}")
_NORTH_AMERICAN = re.compile(r"[2-9][0-9]{9}")
_BETWEEN_DIGITS = str.maketrans("", "", " -./()\N{NO-BREAK SPACE}")


def named(whole: re.Pattern[str], *hosts: str, sign: str = "@") -> Reader:
    """Return a reader for names that match `whole`, either alone, after `sign`, or in a link."""
    starts = sorted(hosts, key=len, reverse=True)

    def read(typed: str) -> str | None:
        name = _SCHEME.sub("", typed.strip())
        host = next((each for each in starts if name.lower().startswith(f"{each}/")), None)
        if host:
            name = _AFTER_NAME.split(name[len(host) + 1 :], maxsplit=1)[0]
        name = name.removeprefix(sign)
        return name if whole.fullmatch(name) and name.lower() not in starts else None

    return read


def read_phone(typed: str) -> str | None:
    """Return a phone number in E.164 format (a plus, the country code, the number), or None."""
    number = typed.strip().translate(_BETWEEN_DIGITS)
    number = f"+{number[2:]}" if number.startswith("00") else number
    return number if _PHONE.fullmatch(number) else None


def read_vpa(typed: str) -> str | None:
    """Return a UPI address, such as ann@bank, or None."""
    address = typed.strip()
    return address if _VPA.fullmatch(address) else None


def read_contact(typed: str) -> str | None:
    """Return an e-mail address, or a phone number in E.164 format, or None.

    A number of ten digits without a country code is from North America.
    """
    text = typed.strip()
    if _EMAIL.fullmatch(text):
        return text
    digits = text.translate(_BETWEEN_DIGITS)
    return read_phone(f"+1{digits}" if _NORTH_AMERICAN.fullmatch(digits) else text)


# IBAN length by SEPA country, from SWIFT's registry.
LENGTHS = {
    **dict.fromkeys(("NO",), 15),
    **dict.fromkeys(("BE",), 16),
    **dict.fromkeys(("DK", "FI", "NL"), 18),
    **dict.fromkeys(("MK", "SI"), 19),
    **dict.fromkeys(("AT", "EE", "LT", "LU"), 20),
    **dict.fromkeys(("CH", "HR", "LI", "LV"), 21),
    **dict.fromkeys(("BG", "DE", "GB", "IE", "ME", "RS", "VA"), 22),
    **dict.fromkeys(("GI",), 23),
    **dict.fromkeys(("AD", "CZ", "ES", "MD", "RO", "SE", "SK"), 24),
    **dict.fromkeys(("PT",), 25),
    **dict.fromkeys(("IS",), 26),
    **dict.fromkeys(("FR", "GR", "IT", "MC", "SM"), 27),
    **dict.fromkeys(("AL", "CY", "HU", "PL"), 28),
    **dict.fromkeys(("MT",), 31),
}
# Transfers outside the European Economic Area also require the bank's BIC (EPC069-12).
NOT_EEA = frozenset("AD AL CH GB GI MC MD ME MK RS SM VA".split())
LONGEST_IBAN = 34  # the maximum length in any country (ISO 13616)
_SHAPE = re.compile(rf"[A-Z]{{2}}[0-9]{{2}}[A-Z0-9]{{1,{LONGEST_IBAN - 4}}}")


def read_iban(typed: str) -> str | None:
    """Return the IBAN in capitals without spaces, or None if it is invalid or outside SEPA."""
    iban = "".join(typed.split()).upper()
    if not _SHAPE.fullmatch(iban) or len(iban) != LENGTHS.get(iban[:2]):
        return None
    return iban if remainder(iban) == 1 else None


def remainder(iban: str) -> int:
    """Return the ISO 13616 remainder of the IBAN, which is 1 if it is valid.

    The country code and the check digits are moved to the end, letters are converted to numbers
    from A = 10, and the result is taken modulo 97.
    """
    return int("".join(str(int(letter, 36)) for letter in iban[4:] + iban[:4])) % 97


def needs_bic(iban: str) -> bool:
    """Return whether an EPC code with this IBAN also requires the bank's BIC."""
    return iban[:2] in NOT_EEA


def in_groups(iban: str) -> str:
    """Return the IBAN in groups of four, as printed by banks."""
    return " ".join(iban[at : at + 4] for at in range(0, len(iban), 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentDetails:
    """A payment's amount, payee and note."""

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
        """The amount for links, in major units with a decimal point and no thousands separators."""
        return f"{self.amount:f}"


Link = Callable[[str, PaymentDetails], str]


def paypal(name: str, payment: PaymentDetails) -> str:
    """Return paypal.me/name/12.50EUR. Whole amounts have no decimals, and there is no note."""
    major = f"{payment.amount.to_integral_value():f}" if payment.is_whole else payment.major
    return f"https://paypal.me/{_quoted(name)}/{major}{payment.currency}"


def venmo(name: str, payment: PaymentDetails) -> str:
    """Return venmo.com/name?txn=pay&amount=12.50&note=Night 12, with a private audience."""
    query = {"txn": "pay", "audience": "private", "amount": payment.major, "note": payment.note}
    return f"https://venmo.com/{_quoted(name)}?{urlencode(query, quote_via=quote)}"


def cash_app(name: str, payment: PaymentDetails) -> str:
    """Return cash.app/$name/12.50, without a note."""
    return f"https://cash.app/${_quoted(name)}/{payment.major}"


def revolut(name: str, payment: PaymentDetails) -> str:
    """Return revolut.me/name. The payer types the amount and the note."""
    return f"https://revolut.me/{_quoted(name)}"


def wise(name: str, payment: PaymentDetails) -> str:
    """Return wise.com/pay/me/name. The payer types the amount and the note."""
    return f"https://wise.com/pay/me/{_quoted(name)}"


def upi(address: str, payment: PaymentDetails) -> str:
    """Return a UPI link, such as upi://pay?pa=ann@bank&pn=Ann&tn=Night 12&am=12.50&cu=INR."""
    query = {"pa": address, "pn": payment.payee, "tn": payment.note}
    query |= {"am": payment.major, "cu": payment.currency}
    return f"upi://pay?{urlencode(query, quote_via=quote, safe='@')}"


def _quoted(name: str) -> str:
    return quote(name, safe="")


# developer.paypal.com, "PayPal supported currencies".
AT_PAYPAL = frozenset(
    "AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB"
    " USD".split()
)
# Currencies without decimals, from the same page.
WHOLE_AT_PAYPAL = frozenset({"HUF", "JPY", "TWD"})
# Currencies that both Revolut and Wise accounts can hold, regardless of country.
HELD = frozenset(
    "AED AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PLN RON SEK SGD THB TRY USD"
    " ZAR".split()
)
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
PAYPAL_NAME = re.compile(r"[A-Za-z0-9]{1,20}")
CASHTAG = re.compile(r"(?=[0-9_]*[A-Za-z])[A-Za-z0-9_]{1,20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of payment method. If it has no link, the payer types the handle.

    `fills` is true if the link or the code contains the amount. `holder` is true if the account
    holder's name is also required. Currencies in `whole` have no decimals.
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

    def fits(self, payment: PaymentDetails) -> bool:
        """Return whether this method supports the amount's currency and decimals."""
        decimals = payment.currency in self.whole and not payment.is_whole
        return payment.currency in self.currencies and not decimals


# In display order: for each currency, the most common one is first.
_ALL = (
    Kind(
        code="venmo",
        title="Venmo",
        currencies=frozenset({"USD"}),
        read=named(NAME, "venmo.com", "venmo.com/u", "account.venmo.com/u"),
        example="@ann",
        link=venmo,
        fills=True,
    ),
    Kind(
        code="zelle",
        title="Zelle",
        currencies=frozenset({"USD"}),
        read=read_contact,
        example="ann@example.com",
    ),
    Kind(
        code="cash-app",
        title="Cash App",
        currencies=frozenset({"USD"}),
        read=named(CASHTAG, "cash.app", sign="$"),
        example="$ann",
        link=cash_app,
        fills=True,
    ),
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
        code="interac",
        title="Interac e-Transfer",
        currencies=frozenset({"CAD"}),
        read=read_contact,
        example="ann@example.com",
    ),
    Kind(
        code="swish",
        title="Swish",
        currencies=frozenset({"SEK"}),
        read=read_phone,
        example="+46 70 123 45 67",
    ),
    Kind(
        code="vipps",
        title="Vipps",
        currencies=frozenset({"NOK"}),
        read=read_phone,
        example="+47 412 34 567",
    ),
    Kind(
        code="mobilepay",
        title="MobilePay",
        currencies=frozenset({"DKK"}),
        read=read_phone,
        example="+45 20 12 34 56",
    ),
    Kind(
        code="twint",
        title="TWINT",
        currencies=frozenset({"CHF"}),
        read=read_phone,
        example="+41 79 123 45 67",
    ),
    Kind(
        code="blik",
        title="BLIK",
        currencies=frozenset({"PLN"}),
        read=read_phone,
        example="+48 512 345 678",
    ),
    Kind(
        code="payid",
        title="PayID",
        currencies=frozenset({"AUD"}),
        read=read_contact,
        example="ann@example.com",
    ),
    Kind(
        code="upi",
        title="UPI",
        currencies=frozenset({"INR"}),
        read=read_vpa,
        example="ann@bank",
        link=upi,
        fills=True,
    ),
    Kind(
        code="paypal",
        title="PayPal",
        currencies=AT_PAYPAL,
        read=named(PAYPAL_NAME, "paypal.me", "paypal.com/paypalme"),
        example="paypal.me/ann",
        link=paypal,
        fills=True,
        whole=WHOLE_AT_PAYPAL,
    ),
    Kind(
        code="revolut",
        title="Revolut",
        currencies=HELD,
        read=named(NAME, "revolut.me"),
        example="revolut.me/ann",
        link=revolut,
    ),
    Kind(
        code="wise",
        title="Wise",
        currencies=HELD,
        read=named(NAME, "wise.com/pay/me"),
        example="wise.com/pay/me/ann",
        link=wise,
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


LONGEST_NAME = 70
LONGEST_NOTE = 140
MOST_CENTS = 99_999_999_999  # EUR 999,999,999.99
# 331 bytes minus the maximum length of the other lines (markers, IBAN and amount) and line ends.
ROOM = 331 - 69


def epc_qr(iban: str, holder: str, payment: PaymentDetails) -> segno.QRCode | None:
    """Return the EPC code, or None if the standard does not support the payment.

    The encoding is always UTF-8, because some apps can't read the other seven character sets.
    """
    name, note = tidy(holder), tidy(payment.note)  # each line of the code is a separate field
    if payment.currency != "EUR" or not 1 <= payment.minor <= MOST_CENTS or needs_bic(iban):
        return None
    if not (1 <= len(name) <= LONGEST_NAME and 1 <= len(note) <= LONGEST_NOTE):
        return None
    if len(f"{name}{note}".encode()) > ROOM:
        return None
    return helpers.make_epc_qr(
        name=name, iban=iban, amount=payment.amount, text=note, encoding="utf-8"
    )
