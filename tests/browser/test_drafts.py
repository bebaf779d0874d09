"""A hand being entered survives a reload, the back button and a network failure."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand, Night, Revision
from tests.helpers.browser.phone import Phone

HERE_AGAIN = "Draft restored"
ASIDE = "You have another unsaved hand"


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob")
    phone.press("Record a hand")
    return phone


def typed(phone: Phone) -> None:
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.done()
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.done()
    expect(phone.verdict()).to_contain_text("Still to enter")


def is_back(phone: Phone) -> None:
    expect(phone.page.get_by_text(HERE_AGAIN)).to_be_in_viewport(ratio=1)
    expect(phone.page.locator("#table-now [data-part=hand]")).to_be_in_viewport(ratio=1)
    expect(phone.page.locator(".picker .chosen")).to_have_text("Texas Hold'em")
    expect(phone.page.locator("#all_paid")).to_have_value("10")
    expect(phone.page.locator("[name='board/0']")).to_have_value("2h 7d 9s Jd Qc")
    expect(phone.page.locator("[name='players/0/down']")).to_have_value("Ac Ad")


def finish(phone: Phone) -> None:
    phone.open_hand("Bob")
    phone.cards("Kc Kd")
    expect(phone.verdict()).to_contain_text("Ann wins 20")


def test_draft_is_restored_after_a_reload(phone: Phone) -> None:
    typed(phone)
    phone.page.reload()
    is_back(phone)
    finish(phone)
    phone.save()
    phone.press("Record a hand")
    expect(phone.page.locator(".picker")).to_be_visible()
    expect(phone.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    expect(phone.page.locator("#all_paid")).to_have_value("")


def test_draft_is_restored_after_going_back(phone: Phone) -> None:
    typed(phone)
    phone.page.go_back()
    phone.press("Record a hand")
    is_back(phone)
    phone.press("Start over")
    expect(phone.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    expect(phone.page.locator("#all_paid")).to_have_value("")
    phone.page.reload()
    expect(phone.page.locator("#all_paid")).to_have_value("")


def test_refused_hand_is_shown_again_with_errors(phone: Phone) -> None:
    typed(phone)
    phone.press("Save")
    expect(phone.page.locator('.problems[data-field="players/1/down"] .error')).to_be_visible()
    finish(phone)
    phone.save()
    assert Hand.objects.count() == 1


def test_correction_has_a_separate_draft(phone: Phone) -> None:
    typed(phone)
    finish(phone)
    phone.save()
    phone.tap(".hand-line")
    phone.press("Correct this hand")
    phone.page.fill("#reason", "they paid 20")
    phone.page.reload()
    expect(phone.page.get_by_text(HERE_AGAIN)).to_be_visible()
    expect(phone.page.locator("#reason")).to_have_value("they paid 20")
    phone.go(f"/nights/{Night.objects.get().pk}/record")
    expect(phone.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    phone.page.go_back()
    expect(phone.page.locator("#reason")).to_have_value("they paid 20")
    phone.press("Save correction")
    expect(phone.page.get_by_text("Nothing changed.")).to_be_visible()
    assert Revision.objects.count() == 1


def test_opening_a_chosen_game_offers_the_draft_of_another_game(phone: Phone) -> None:
    """A draft of Hold'em used to open when Omaha was chosen."""
    typed(phone)
    address = f"/nights/{Night.objects.get().pk}/record"
    phone.go(f"{address}?game=omaha-8")
    expect(phone.page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(phone.page.locator("#all_paid")).to_have_value("")
    expect(phone.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    expect(phone.page.get_by_text(ASIDE)).to_be_visible()
    phone.all_paid(20)
    phone.done()
    phone.page.reload()
    expect(phone.page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(phone.page.locator("#all_paid")).to_have_value("20")
    phone.press("Continue that hand")
    is_back(phone)
    phone.press("Continue that hand")
    expect(phone.page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(phone.page.locator("#all_paid")).to_have_value("20")
    phone.press("Discard that hand")
    expect(phone.page.get_by_text(ASIDE)).not_to_be_visible()
    phone.page.reload()
    expect(phone.page.locator("#all_paid")).to_have_value("20")
    expect(phone.page.get_by_text(ASIDE)).not_to_be_visible()


def test_draft_of_the_chosen_game_is_restored(phone: Phone) -> None:
    typed(phone)
    phone.go(f"/nights/{Night.objects.get().pk}/record?game=texas-holdem")
    is_back(phone)
    expect(phone.page.get_by_text(ASIDE)).not_to_be_visible()
