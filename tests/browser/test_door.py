"""Joining, and chips that wait for confirmation: one tap on the host's phone, and the other
continues.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from league.models import BuyIn, League, Night
from tests.helpers.browser.phone import Thumb
from tests.helpers.browser.pictures import look
from tests.helpers.browser.table import other, thumb

__all__ = ["other", "thumb"]
MOVED_ON = 8_000  # milliseconds


@pytest.fixture
def stranger(phones: Callable[[], Thumb]) -> Thumb:
    return phones()


def narrow(phone: Thumb) -> None:
    """Check that the page has no horizontal overflow."""
    phone.page.wait_for_load_state("load")
    wide = phone.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360


def test_phone_waits_until_the_host_approves(thumb: Thumb, stranger: Thumb) -> None:
    League.objects.update(approves=True)
    stranger.go(f"/join/{League.objects.get().code}")
    stranger.press("Cat")
    expect(stranger.page.get_by_text("You wait as Cat")).to_be_visible()
    narrow(stranger)
    look(stranger, "waits")
    thumb.go(f"/nights/{Night.objects.get().pk}")
    expect(thumb.page.get_by_text("A phone wants to join as Cat")).to_be_visible(timeout=MOVED_ON)
    narrow(thumb)
    look(thumb, "knocks")
    thumb.press("Yes")
    hands = stranger.page.get_by_role("heading", name="Hands")
    expect(hands).to_be_visible(timeout=MOVED_ON)


def test_banker_is_asked_and_approves(thumb: Thumb, other: Thumb) -> None:
    other.tap("summary:has-text('Rebuy')")
    other.page.get_by_label("Chips").fill("50")
    other.page.get_by_label("Paid").select_option(label="in cash, to Ann")
    look(other, "asks")
    other.press("Rebuy")
    expect(other.page.get_by_text("It waits for Ann or a host.")).to_be_visible()
    narrow(other)
    look(other, "asked")
    text = "Bob wants 50 chips, paid in cash to Ann."
    expect(thumb.page.get_by_text(text)).to_be_visible(timeout=MOVED_ON)
    narrow(thumb)
    look(thumb, "is-asked")
    thumb.press("Yes")
    expect(other.page.get_by_text("It waits for")).to_have_count(0, timeout=MOVED_ON)
    assert BuyIn.objects.filter(chips=50).count() == 1


def test_host_invites_and_signs_out(thumb: Thumb, other: Thumb, stranger: Thumb) -> None:
    code = League.objects.get().code
    thumb.go(f"/leagues/{League.objects.get().pk}/phones")
    thumb.page.get_by_label("Who is invited").fill("Cat from work")
    thumb.press("Make an invitation")
    link = thumb.page.locator("#made").inner_text()
    narrow(thumb)
    look(thumb, "invited")
    stranger.page.goto(link)
    stranger.press("Cat")
    expect(stranger.page.get_by_role("heading", name="Hands")).to_be_visible()
    thumb.press("Go on")
    expect(thumb.page.get_by_role("heading", name="Devices", exact=True)).to_be_visible()
    narrow(thumb)
    look(thumb, "phones")
    thumb.tap(thumb.page.get_by_role("button", name="Sign out the phone of Bob, and issue"))
    expect(thumb.page.get_by_text("The code is now")).to_be_visible()
    assert League.objects.get().code != code
    narrow(thumb)
