"""Each kind's typed values are normalized or rejected (docs/paying.md)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.models import WAYS_TO_BE_PAID
from league.payment_methods.kinds import KINDS, PaymentDetails

ASKED = PaymentDetails(minor=1250, currency="EUR", payee="Ann", note="Night 12")


@pytest.mark.parametrize(
    ("kind", "typed", "read"),
    [
        ("paypal", "AnnPlays", "AnnPlays"),
        ("paypal", " @annplays ", "annplays"),
        ("paypal", "https://www.paypal.me/annplays/25EUR", "annplays"),
        ("paypal", "paypal.com/paypalme/annplays?country.x=DE", "annplays"),
        ("revolut", "@ann.plays", "ann.plays"),
        ("revolut", "https://revolut.me/annplays", "annplays"),
        ("wise", "https://wise.com/pay/me/annp12", "annp12"),
        ("venmo", "@Ann-Plays_1", "Ann-Plays_1"),
        ("venmo", "https://venmo.com/u/Ann-Plays", "Ann-Plays"),
        ("venmo", "HTTPS://ACCOUNT.VENMO.COM/u/Ann", "Ann"),
        ("cash-app", "$annplays", "annplays"),
        ("cash-app", "https://cash.app/$annplays/5", "annplays"),
        ("upi", "ann.plays-1@okbank", "ann.plays-1@okbank"),
        ("twint", "+41 79 123 45 67", "+41791234567"),
        ("twint", "0041 (79) 123-45-67", "+41791234567"),
        ("bizum", "+34.612.345.678", "+34612345678"),
        ("swish", "+46 70 123 45 67", "+46701234567"),
        ("zelle", "(555) 123-4567", "+15551234567"),
        ("zelle", " ann.plays+z@example.co.uk ", "ann.plays+z@example.co.uk"),
        ("payid", "+61 412 345 678", "+61412345678"),
    ],
)
def test_name_and_link_are_normalized(kind: str, typed: str, read: str) -> None:
    assert KINDS[kind].read(typed) == read


@pytest.mark.parametrize(
    ("kind", "typed"),
    [
        ("paypal", ""),
        ("paypal", "ann-plays"),  # PayPal: letters and digits only
        ("paypal", "a" * 21),  # PayPal: at most twenty characters
        ("paypal", "https://example.org/annplays"),
        ("paypal", "https://paypal.me.example.org/annplays"),
        ("paypal", "ann@example.org"),
        ("revolut", "revolut.me"),
        ("revolut", "revolut.me/"),
        ("revolut", "javascript:alert(1)"),
        ("wise", "../../send"),
        ("venmo", "ann plays"),
        ("venmo", "ann?txn=charge"),
        ("venmo", "ann\n"),
        ("cash-app", "$20"),  # a cashtag contains a letter
        ("cash-app", "$" + "a" * 21),
        ("upi", "ann"),
        ("upi", "ann@ok bank"),
        ("upi", "ann@okbank&am=9999"),
        ("upi", "upi://pay?pa=ann@okbank"),
        ("twint", "079 123 45 67"),  # country code missing
        ("twint", "+41"),
        ("bizum", "+34612345678901234"),
        ("bizum", "+34 612 345 67x"),
        ("zelle", "ann"),
        ("zelle", "ann@example"),
        ("zelle", "ann@example.com/x"),
        ("zelle", "123-4567"),
        ("interac", "javascript:alert(1)"),
    ],
)
def test_invalid_value_is_refused(kind: str, typed: str) -> None:
    assert KINDS[kind].read(typed.rstrip(" ")) is None or typed.endswith("\n")


@pytest.mark.parametrize("code", KINDS)
def test_example_for_each_kind_is_valid(code: str) -> None:
    assert KINDS[code].read(KINDS[code].example)


@given(st.sampled_from(sorted(KINDS)), st.text(max_size=200))
def test_typed_value_cannot_change_the_rest_of_a_link(code: str, typed: str) -> None:
    """Parsed values contain no characters with a special meaning in URLs."""
    kind = KINDS[code]
    handle = kind.read(typed)
    if handle is None:
        return
    assert handle.isascii()
    assert not set(handle) & set("/?#&=%:\\ \"'<>\n\r")
    assert kind.read(handle) == handle
    if kind.link:
        stand_in = "x@y" if code == "upi" else "stand-in"
        ours = kind.link(stand_in, ASKED)
        assert kind.link(handle, ASKED) == ours.replace(stand_in, handle, 1)


def test_every_kind_of_payment_method_can_be_stored() -> None:
    assert KINDS.keys() == set(WAYS_TO_BE_PAID)


@pytest.mark.parametrize(
    ("currency", "shown"),
    [
        ("EUR", {"iban", "paypal", "revolut", "wise", "bizum"}),
        ("USD", {"venmo", "zelle", "cash-app", "paypal", "revolut", "wise"}),
        ("INR", {"upi"}),
        ("CHF", {"paypal", "revolut", "wise", "twint"}),
        ("XAU", set()),
    ],
)
def test_method_is_offered_only_for_its_currencies(currency: str, shown: set[str]) -> None:
    asked = PaymentDetails(minor=1250, currency=currency, payee="Ann", note="Night 12")
    assert {code for code, kind in KINDS.items() if kind.fits(asked)} == shown


def test_paypal_is_not_offered_for_a_fraction_of_a_forint() -> None:
    """developer.paypal.com, PayPal supported currencies: HUF, JPY and TWD have no decimals."""
    whole, part = (
        PaymentDetails(minor=each, currency="HUF", payee="", note="") for each in (500, 501)
    )
    assert KINDS["paypal"].fits(whole)
    assert not KINDS["paypal"].fits(part)
    assert KINDS["revolut"].fits(part)
