"""Payment links follow the specifications named in docs/paying.md."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.payment_methods import kinds
from league.payment_methods.kinds import PaymentDetails


def payment_request(**changes: object) -> PaymentDetails:
    told = {"minor": 1250, "currency": "USD", "payee": "Ann & Co", "note": "Night 12"}
    return PaymentDetails(**told | changes)  # type: ignore[arg-type]


def test_paypal_link_has_amount_and_currency_in_its_path() -> None:
    """The format paypal.me/name/25EUR is documented by PayPal.Me and used by Expensify."""
    assert (
        kinds.paypal("annplays", payment_request(currency="EUR"))
        == "https://paypal.me/annplays/12.50EUR"
    )
    assert (
        kinds.paypal("ann", payment_request(minor=2500, currency="EUR"))
        == "https://paypal.me/ann/25EUR"
    )
    assert (
        kinds.paypal("ann", payment_request(minor=1250, currency="JPY"))
        == "https://paypal.me/ann/1250JPY"
    )


def test_venmo_link_has_amount_and_private_note_in_its_query() -> None:
    assert kinds.venmo("ann-plays", payment_request()) == (
        "https://venmo.com/ann-plays?txn=pay&audience=private&amount=12.50&note=Night%2012"
    )


def test_cash_app_link_has_the_amount_in_its_path() -> None:
    assert kinds.cash_app("annplays", payment_request()) == "https://cash.app/$annplays/12.50"


def test_revolut_and_wise_links_have_no_amount() -> None:
    """According to Revolut.Me's terms, the payer enters the description and the amount."""
    assert kinds.revolut("annplays", payment_request()) == "https://revolut.me/annplays"
    assert kinds.wise("annplays", payment_request()) == "https://wise.com/pay/me/annplays"


def test_upi_link_follows_the_npci_specification() -> None:
    """UPI Linking Specifications 1.6: pa, pn, tn, am and cu, with spaces as %20."""
    assert kinds.upi("ann@okbank", payment_request(currency="INR")) == (
        "upi://pay?pa=ann@okbank&pn=Ann%20%26%20Co&tn=Night%2012&am=12.50&cu=INR"
    )


@pytest.mark.parametrize(
    ("minor", "currency", "major"),
    [(1, "EUR", "0.01"), (100_000_050, "USD", "1000000.50"), (7, "JPY", "7"), (1, "KWD", "0.001")],
)
def test_amount_is_in_major_units_without_thousands_separators(
    minor: int, currency: str, major: str
) -> None:
    assert payment_request(minor=minor, currency=currency).major == major


@given(st.text(min_size=1), st.text(min_size=1), st.integers(1, 10**15))
def test_names_and_notes_cannot_change_other_parameters(payee: str, note: str, minor: int) -> None:
    """Night and player names must not change other parts of the payment."""
    payee, note = (each.encode(errors="ignore").decode() for each in (payee, note))
    request = payment_request(minor=minor, currency="INR", payee=payee, note=note)
    query = parse_qs(urlsplit(kinds.upi("ann@okbank", request)).query, keep_blank_values=True)
    assert query == {
        "pa": ["ann@okbank"], "pn": [payee], "tn": [note], "am": [request.major], "cu": ["INR"]
    }  # fmt: skip
    venmo = parse_qs(urlsplit(kinds.venmo("ann", request)).query, keep_blank_values=True)
    assert (venmo["note"], venmo["amount"]) == ([note], [request.major])
