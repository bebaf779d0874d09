"""Paying a planned payment takes two taps, using the payee's link or a QR code."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Payment, PaymentMethod, Role
from league.people.leagues import add_member
from tests.helpers.browser.accessibility import looks_right
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.waiting import wait_until
from tests.helpers.league.payment_methods import HOLDER, IBAN, PAYPAL, Debt, a_debt

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phone(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> Callable[[], Phone]:
    """Create a phone without network access. The test answers requests to other hosts."""

    def made() -> Phone:
        context = new_context()
        context.route("https://paypal.me/**", _paypal)
        return Phone(context.new_page(), live_server.url)

    return made


def _paypal(route: Route) -> None:
    route.fulfill(body="<title>PayPal</title>", content_type="text/html")


def add_ways(phone: Phone, debt: Debt) -> None:
    """Add payment methods on the account page. The first attempt contains a typo."""
    PaymentMethod.objects.all().delete()
    phone.sign_in(debt.ann)
    phone.go("/account")
    phone.tap(phone.page.get_by_role("link", name="Payment methods"))
    expect(phone.page.get_by_role("heading", name="Add payment method")).to_be_visible()
    looks_right(phone)
    phone.tap("summary:has-text('PayPal')")
    phone.page.fill("#paypal-handle", f"paypal.me/{PAYPAL}")
    phone.press("Add PayPal")
    expect(phone.page.locator(".own-methods")).to_contain_text(PAYPAL)
    phone.tap("summary:has-text('IBAN')")
    phone.page.fill("#iban-handle", f"{IBAN[:-1]}1")
    phone.press("Add IBAN")
    expect(phone.page.locator(".error")).to_have_count(2)
    expect(phone.page.locator("#iban-handle")).to_have_value(f"{IBAN[:-1]}1")
    looks_right(phone)
    phone.page.fill("#iban-handle", IBAN)
    phone.page.fill("#iban-holder", HOLDER)
    phone.press("Add IBAN")
    expect(phone.page.locator(".own-methods > li")).to_have_count(2)
    looks_right(phone)


def test_payer_reports_a_payment_in_two_taps(phone: Callable[[], Phone]) -> None:
    debt = a_debt()
    ann, bob = phone(), phone()
    add_ways(ann, debt)
    bob.sign_in(debt.bob)
    bob.go(debt.address)
    expect(bob.page.locator(".ways")).to_contain_text("DE33 1002 0500 0001 1947 00")
    expect(bob.page.locator(".ways")).to_contain_text(HOLDER)
    looks_right(bob)
    with bob.page.context.expect_page() as opened:
        bob.press("Pay 12.50 EUR with PayPal")
    assert opened.value.url == f"https://paypal.me/{PAYPAL}/12.50EUR"
    assert opened.value.evaluate("[document.referrer, window.opener]") == ["", None]
    opened.value.close()
    bob.press("Mark as sent")
    expect(bob.page.locator(".tag")).to_have_text("sent")
    assert bob.taps == 2
    assert Payment.objects.get().chips == 10
    expect(bob.page.locator(".ways")).to_have_count(0)
    ann.go(debt.address)
    ann.press("Confirm receipt")
    expect(ann.page.locator(".due .tag")).to_have_text("received")


def test_payees_qr_code_stays_open_while_the_page_updates(
    phone: Callable[[], Phone],
) -> None:
    debt = a_debt()
    ann = phone()
    ann.sign_in(debt.ann)
    ann.go(debt.address)
    ann.tap("summary:has-text('QR codes for bob')")
    code = ann.page.locator(".codes svg").first
    expect(code).to_be_visible()
    looks_right(ann)
    box = code.bounding_box()
    assert box
    assert box["width"] > 200
    with ann.page.expect_response("**/pulse"):
        pass
    expect(code).to_be_visible()


def test_tapping_an_account_number_copies_it(phone: Callable[[], Phone]) -> None:
    debt = a_debt()
    bob = phone()
    bob.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    bob.sign_in(debt.bob)
    bob.go(debt.address)
    bob.press("Copy IBAN")
    expect(bob.page.get_by_role("button", name="Copy IBAN")).to_have_text("Copied")
    assert bob.page.evaluate("navigator.clipboard.readText()") == IBAN


def test_settle_up_leads_to_its_opened_form(phone: Callable[[], Phone]) -> None:
    debt, host = a_debt(), phone()
    add_member(debt.night.league, debt.ann, Role.HOST)
    host.sign_in(debt.ann)
    host.go(debt.address)
    host.tap(host.page.get_by_role("link", name="Settle up"))
    expect(host.page.get_by_role("button", name="Plan payments")).to_be_visible()
    expect(host.page.get_by_role("button", name="Plan payments")).to_be_in_viewport()


KEPT = """async () => {
    const paths = [];
    for (const name of await caches.keys()) {
        if (!name.startsWith("pages")) continue;
        const asked = await (await caches.open(name)).keys();
        paths.push(...asked.map((each) => new URL(each.url).pathname));
    }
    return paths;
}"""


@pytest.mark.offline
def test_phone_does_not_cache_the_payments_page(phone: Callable[[], Phone]) -> None:
    debt = a_debt()
    bob, night = phone(), f"/nights/{debt.night.pk}"
    bob.sign_in(debt.bob)
    bob.go(debt.address)
    bob.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    bob.go(debt.address)
    bob.go(night)
    wait_until(bob.page, f"({KEPT})().then((paths) => paths.includes('{night}'))")
    assert debt.address not in bob.page.evaluate(KEPT)
