"""The page on which users add their payment methods."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.views.debug import SafeExceptionReporterFilter

from league.models import League, PaymentMethod, User
from league.payment_methods.kinds import KINDS
from league.payment_methods.methods import methods_of
from tests.helpers.league.forms import errors_in
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.pages import html
from tests.helpers.league.payment_methods import HOLDER, IBAN, PAYPAL, browser, likes
from tests.helpers.security.people import PASSWORD, somebody, stale

pytestmark = pytest.mark.django_db
PAGE = "/account/paid"


@pytest.fixture
def ann() -> User:
    return somebody("ann")


@pytest.fixture
def client(ann: User) -> Client:
    return browser(ann)


def test_payment_methods_can_be_added_shown_ordered_and_removed(client: Client, ann: User) -> None:
    form = {"kind": "iban", "handle": "de33 1002 0500 0001 1947 00", "holder": HOLDER}
    assert client.post(PAGE, form).headers["Location"] == PAGE
    client.post(PAGE, {"kind": "paypal", "handle": f"https://paypal.me/{PAYPAL}"})
    page = html(client.get(PAGE))
    assert page.index("DE33 1002 0500 0001 1947 00") < page.index(PAYPAL)
    assert HOLDER in page
    paypal = methods_of(ann)[1].number
    assert client.post(f"{PAGE}/{paypal}/up").headers["Location"] == PAGE
    assert [method.handle for method in methods_of(ann)] == [PAYPAL, IBAN]
    assert client.post(f"{PAGE}/{paypal}/remove").status_code == 302
    assert [method.handle for method in methods_of(ann)] == [IBAN]
    assert client.post(f"{PAGE}/{paypal}/remove").status_code == 404


def test_invalid_values_are_shown_again_with_all_errors(client: Client) -> None:
    form = {"kind": "iban", "handle": "DE89 3704 0044 0532 0130 01", "holder": " "}
    answer = client.post(PAGE, form)
    page = html(answer)
    assert answer.status_code == 400
    assert len(list(errors_in(answer))) == 2
    assert 'value="DE89 3704 0044 0532 0130 01"' in page
    assert page.count(" open>") == 1  # the form that contains the typed text
    assert not PaymentMethod.objects.exists()


@pytest.mark.parametrize("kind", ["", "cheque", "IBAN"])
def test_unknown_kind_has_no_form(client: Client, kind: str) -> None:
    assert client.post(PAGE, {"kind": kind, "handle": "ann"}).status_code == 404


@pytest.mark.parametrize(
    ("currency", "titles"),
    [
        ("USD", ["Venmo", "Zelle", "Cash App", "PayPal", "Revolut", "Wise"]),
        ("EUR", ["IBAN", "PayPal", "Revolut", "Wise", "Bizum"]),
        ("SEK", ["Swish", "PayPal", "Revolut", "Wise"]),
        ("INR", ["UPI"]),
    ],
)
def test_methods_for_the_currency_of_the_league_are_first(currency: str, titles: list[str]) -> None:
    """The list began with the IBAN in leagues that play in dollars."""
    night = a_night()
    League.objects.filter(pk=night.league.pk).update(currency=currency)
    client = Client()
    client.post(f"/join/{night.league.code}", {"player": str(player(night, "ann").pk)})
    usual, _, others = html(client.get(PAGE)).partition("For other currencies")
    assert re.findall(r"Add ([\w ]+?)\s*</button>", usual) == titles
    assert len(re.findall(r'name="kind"', usual + others)) == len(KINDS)


def test_account_holder_name_is_escaped(client: Client) -> None:
    name = '<script>alert("x")</script>'
    client.post(PAGE, {"kind": "iban", "handle": IBAN, "holder": name})
    assert name not in client.get(PAGE).content.decode()


def test_stale_sign_in_cannot_add_a_method_and_typed_values_are_not_stored(
    client: Client, ann: User
) -> None:
    """Changing where money goes requires a fresh sign-in. No session stores the typed values."""
    stale(client, ann)
    assert "Sign in again" in html(client.get(PAGE))
    answer = client.post(PAGE, {"kind": "paypal", "handle": PAYPAL})
    assert answer.status_code == 400
    assert f'value="{PAYPAL}"' in html(answer)
    assert not PaymentMethod.objects.exists()
    kept = [each.get_decoded() for each in Session.objects.all()]
    assert PAYPAL not in str(kept)


def test_signing_in_again_returns_to_the_page(client: Client, ann: User) -> None:
    stale(client, ann)
    page = html(client.get(PAGE))
    at = page.split('<a class="button main full"')[1].split('href="')[1].split('"')[0]
    answer = client.post(at, {"password": PASSWORD})
    assert answer.headers["Location"] == PAGE
    assert client.post(PAGE, {"kind": "paypal", "handle": PAYPAL}).status_code == 302


def test_stale_sign_in_cannot_remove_a_method(client: Client, ann: User) -> None:
    likes(ann)
    stale(client, ann)
    for act in ("up", "remove"):
        answer = client.post(f"{PAGE}/{methods_of(ann)[1].number}/{act}")
        assert answer.headers["Location"].startswith("/account/again")
    assert [each.handle for each in methods_of(ann)] == [IBAN, PAYPAL]


def test_payment_methods_of_a_joined_phone_are_removed_with_it() -> None:
    """A joined phone has no password. After it signs out, no user could remove its methods."""
    night = a_night()
    client = Client()
    client.post(f"/join/{night.league.code}", {"player": str(player(night, "ann").pk)})
    assert client.post(PAGE, {"kind": "paypal", "handle": PAYPAL}).status_code == 302
    assert PAYPAL in html(client.get(PAGE))
    assert client.post("/sign-out", {"sure": "1"}).status_code == 302
    assert not PaymentMethod.objects.exists()


def test_payment_methods_of_an_account_survive_signing_out_a_phone(ann: User) -> None:
    night = a_night()
    client = browser(ann)
    client.post(f"/join/{night.league.code}", {"player": str(player(night, "ann").pk)})
    likes(ann)
    client.post("/sign-out", {"sure": "1"})
    assert PaymentMethod.objects.count() == 2


def test_error_report_contains_no_typed_values(client: Client, settings: object) -> None:
    answer = client.post(PAGE, {"kind": "iban", "handle": "DE00 12345", "holder": HOLDER})
    parameters = SafeExceptionReporterFilter().get_post_parameters(answer.wsgi_request)
    assert parameters["kind"] == "iban"
    assert "DE00" not in str(parameters)
    assert HOLDER not in str(parameters)
