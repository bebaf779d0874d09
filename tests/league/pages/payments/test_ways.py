"""Payment methods are shown next to a planned payment, with the open amount filled in."""

from uuid import uuid4

import pytest

from league.closing import payments
from league.models import PaymentMethod, Player
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.payment_methods.methods import add_method, methods_of, move_up
from tests.helpers.league.leagues import holdem
from tests.helpers.league.nights import chosen, closed, dealt
from tests.helpers.league.pages import html
from tests.helpers.league.payment_methods import (
    HOLDER,
    IBAN,
    PAYPAL,
    Debt,
    a_debt,
    browser,
)

pytestmark = pytest.mark.django_db
SHOWN = "DE33 1002 0500 0001 1947 00"


def of_payer(debt: Debt) -> str:
    return html(browser(debt.bob).get(debt.address))


def test_payer_sees_link_number_name_amount_and_night() -> None:
    """The payment is ten chips of 1.25 EUR each."""
    page = of_payer(a_debt())
    assert f'href="https://paypal.me/{PAYPAL}/12.50EUR"' in page
    assert "Pay 12.50 EUR with PayPal" in page
    assert SHOWN in page
    assert HOLDER in page
    assert f'data-copy="{IBAN}"' in page
    assert "12.50 EUR, Night 1." in page
    assert page.count('class="qr"') == 2


def test_link_opens_in_a_new_tab_without_a_referrer() -> None:
    page = of_payer(a_debt())
    [link] = [each for each in page.split("<a ") if "paypal.me" in each]
    assert 'target="_blank"' in link
    assert 'rel="noopener noreferrer"' in link


def test_payee_sees_the_same_qr_codes_as_the_payer() -> None:
    debt = a_debt()
    page = html(browser(debt.ann).get(debt.address))
    assert "QR codes for bob" in page
    assert page.count('class="qr"') == 2
    assert SHOWN not in page


def test_payment_methods_are_shown_in_the_payees_order() -> None:
    debt = a_debt()
    assert of_payer(debt).index(SHOWN) < of_payer(debt).index("paypal.me")
    move_up(debt.ann, methods_of(debt.ann)[1].number)
    assert of_payer(debt).index(SHOWN) > of_payer(debt).index("paypal.me")


def test_promised_or_paid_amount_is_not_requested_twice() -> None:
    debt = a_debt()
    part = payments.promise(debt.planned, uuid4(), 4, by=debt.bob)
    assert f"https://paypal.me/{PAYPAL}/7.50EUR" in of_payer(debt)
    payments.confirm(part, by=debt.ann)
    assert f"https://paypal.me/{PAYPAL}/7.50EUR" in of_payer(debt)
    rest = payments.promise(debt.planned, uuid4(), 6, by=debt.bob)
    assert PAYPAL not in of_payer(debt)
    assert SHOWN not in of_payer(debt)
    payments.dispute(rest, by=debt.ann)  # the money did not arrive, so it has to be paid again
    assert f"https://paypal.me/{PAYPAL}/7.50EUR" in of_payer(debt)


def test_payment_methods_for_other_currencies_are_hidden() -> None:
    debt = a_debt("USD")
    add_method(debt.ann, "venmo", "ann-plays")
    add_method(debt.ann, "cash-app", "$annplays")
    page = of_payer(debt)
    assert SHOWN not in page
    assert (
        'href="https://venmo.com/ann-plays?txn=pay&amp;audience=private&amp;amount=12.50'
        '&amp;note=Night%201"' in browser(debt.bob).get(debt.address).content.decode()
    )
    assert 'href="https://cash.app/$annplays/12.50"' in page
    assert f'href="https://paypal.me/{PAYPAL}/12.50USD"' in page


def test_upi_link_opens_an_app_on_the_phone() -> None:
    debt = a_debt("INR")
    add_method(debt.ann, "upi", "ann@okbank")
    page = browser(debt.bob).get(debt.address).content.decode()
    at = "upi://pay?pa=ann@okbank&amp;pn=ann&amp;tn=Night%201&amp;am=12.50&amp;cu=INR"
    assert f'href="{at}"' in page
    [link] = [each for each in page.split("<a ") if "upi:" in each]
    assert "target" not in link.split(">")[0]


def test_payee_without_a_method_or_account_is_paid_in_cash() -> None:
    debt = a_debt()
    PaymentMethod.objects.all().delete()
    assert "ann hasn't added a payment method" in of_payer(debt)
    assert 'href="/account/paid"' in html(browser(debt.ann).get(debt.address))
    Player.objects.filter(user=debt.ann).update(user=None)
    assert "ann hasn't added a payment method" in of_payer(debt)


def test_unreadable_payment_method_is_hidden() -> None:
    debt = a_debt()
    PaymentMethod.objects.update(handle="spoilt")
    assert "ann hasn't added a payment method" in of_payer(debt)
    assert "read this one any more" in html(browser(debt.ann).get("/account/paid"))


def test_payment_methods_are_shown_for_a_settled_season() -> None:
    debt = a_debt()
    night = debt.night
    chosen(night, settles="season")
    again = open_night(night.league, players=list(night.league.players.order_by("name")[:2]))
    for each in night.league.players.order_by("name")[:2]:
        buy_in(again, each, 100, buy_in_id=uuid4(), by=None)
    dealt(again, holdem())
    closed(again)
    host = night.league.created_by
    assert host
    browser(host).post(f"/seasons/{night.season_id}/settle", {"key": str(uuid4())})
    answer = browser(debt.bob).get(f"/seasons/{night.season_id}")
    assert f"https://paypal.me/{PAYPAL}/25EUR" in html(answer)
    assert str(night.season) in html(answer)
    assert answer.headers["Not-Kept"] == "1"
    assert "Not-Kept" not in browser(host).get(f"/seasons/{night.season_id}").headers


def test_page_with_methods_is_not_cached() -> None:
    """The service worker caches pages for offline use, except those with this header."""
    debt = a_debt()
    assert browser(debt.bob).get(debt.address).headers["Not-Kept"] == "1"
    host = debt.night.league.created_by
    assert host
    assert "Not-Kept" not in browser(host).get(debt.address).headers
    payments.promise(debt.planned, uuid4(), 10, by=debt.bob)
    assert "Not-Kept" not in browser(debt.bob).get(debt.address).headers
