"""Joining a league and confirming chips: a tap on the host's phone lets the other continue."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from league.models import BuyIn, League, Night
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.pictures import look
from tests.helpers.browser.table import other, phone

__all__ = ["other", "phone"]
REDRAWN_WITHIN = 8_000  # milliseconds


@pytest.fixture
def stranger(phones: Callable[[], Phone]) -> Phone:
    return phones()


def narrow(phone: Phone) -> None:
    """Check that the page has no horizontal overflow."""
    phone.page.wait_for_load_state("load")
    wide = phone.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


def test_phone_waits_until_a_host_approves_it(phone: Phone, stranger: Phone) -> None:
    League.objects.update(approves=True)
    stranger.go(f"/join/{League.objects.get().code}")
    stranger.press("Cat")
    expect(stranger.page.get_by_text("You asked to join as Cat")).to_be_visible()
    narrow(stranger)
    look(stranger, "waits")
    phone.go(f"/nights/{Night.objects.get().pk}")
    expect(phone.page.get_by_text("Cat wants to join")).to_be_visible(timeout=REDRAWN_WITHIN)
    narrow(phone)
    look(phone, "knocks")
    phone.press("Approve")
    hands = stranger.page.get_by_role("heading", name="Hands")
    expect(hands).to_be_visible(timeout=REDRAWN_WITHIN)


def test_banker_approves_a_cash_rebuy(phone: Phone, other: Phone) -> None:
    other.tap("summary:has-text('Rebuy')")
    other.page.get_by_label("Chips").fill("50")
    other.page.get_by_label("Paid").select_option(label="In cash, to Ann")
    look(other, "asks")
    other.press("Rebuy")
    expect(other.page.get_by_text("Waiting for Ann or a host.")).to_be_visible()
    narrow(other)
    look(other, "asked")
    text = "Bob wants to buy 50 chips, cash to Ann."
    expect(phone.page.get_by_text(text)).to_be_visible(timeout=REDRAWN_WITHIN)
    narrow(phone)
    look(phone, "is-asked")
    phone.press("Accept")
    expect(other.page.get_by_text("Waiting for")).to_have_count(0, timeout=REDRAWN_WITHIN)
    assert BuyIn.objects.filter(chips=50).count() == 1


def test_host_invites_a_player_and_signs_out_a_phone(
    phone: Phone, other: Phone, stranger: Phone
) -> None:
    code = League.objects.get().code
    phone.go(f"/leagues/{League.objects.get().pk}/phones")
    phone.page.get_by_label("Name").fill("Cat from work")
    phone.press("Create invitation")
    link = phone.page.locator("#address").inner_text()
    narrow(phone)
    look(phone, "invited")
    stranger.page.goto(link)
    stranger.press("Cat")
    expect(stranger.page.get_by_role("heading", name="Hands")).to_be_visible()
    phone.press("Done")
    expect(
        phone.page.get_by_role("heading", name="Members and devices", exact=True)
    ).to_be_visible()
    narrow(phone)
    look(phone, "phones")
    phone.tap(phone.page.get_by_role("button", name="Sign out Bob and create"))
    expect(phone.page.get_by_text("The new code is")).to_be_visible()
    assert League.objects.get().code != code
    narrow(phone)
