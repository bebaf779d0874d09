"""A hand that is typed is not lost: not to a reload, the arrow back or a dead network."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand, Night, Revision
from tests.helpers.browser.phone import Thumb

HERE_AGAIN = "Draft restored"
ASIDE = "Another hand that you entered here"


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Thumb:
    thumb = Thumb(page, live_server.url)
    thumb.join_night("Ann", "Bob")
    thumb.press("Record a hand")
    return thumb


def typed(thumb: Thumb) -> None:
    thumb.choose("Texas Hold'em")
    thumb.all_paid(10)
    thumb.done()
    thumb.open_board()
    thumb.cards("2h 7d 9s Jd Qc Ac Ad")
    thumb.done()
    expect(thumb.verdict()).to_contain_text("Missing")


def is_back(thumb: Thumb) -> None:
    expect(thumb.page.get_by_text(HERE_AGAIN)).to_be_visible()
    expect(thumb.page.locator(".picker .chosen")).to_have_text("Texas Hold'em")
    expect(thumb.page.locator("#all_paid")).to_have_value("10")
    expect(thumb.page.locator("[name='board/0']")).to_have_value("2h 7d 9s Jd Qc")
    expect(thumb.page.locator("[name='players/0/down']")).to_have_value("Ac Ad")


def finish(thumb: Thumb) -> None:
    thumb.open_hand("Bob")
    thumb.cards("Kc Kd")
    expect(thumb.verdict()).to_contain_text("Ann wins 20")


def test_hand_is_restored_after_a_reload(thumb: Thumb) -> None:
    typed(thumb)
    thumb.page.reload()
    is_back(thumb)
    finish(thumb)
    thumb.save()
    thumb.press("Record a hand")
    expect(thumb.page.locator(".picker")).to_be_visible()
    expect(thumb.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    expect(thumb.page.locator("#all_paid")).to_have_value("")


def test_hand_is_restored_after_going_back(thumb: Thumb) -> None:
    typed(thumb)
    thumb.page.go_back()
    thumb.press("Record a hand")
    is_back(thumb)
    thumb.press("Start over")
    expect(thumb.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    expect(thumb.page.locator("#all_paid")).to_have_value("")
    thumb.page.reload()
    expect(thumb.page.locator("#all_paid")).to_have_value("")


def test_refused_hand_is_shown_again_with_its_errors(thumb: Thumb) -> None:
    typed(thumb)
    thumb.press("Save")
    expect(thumb.page.locator('.problems[data-field="players/1/down"] .error')).to_be_visible()
    finish(thumb)
    thumb.save()
    assert Hand.objects.count() == 1


def test_correction_has_its_own_draft(thumb: Thumb) -> None:
    typed(thumb)
    finish(thumb)
    thumb.save()
    thumb.tap(".hand-line")
    thumb.press("Correct this hand")
    thumb.page.fill("#reason", "they paid 20")
    thumb.page.reload()
    expect(thumb.page.get_by_text(HERE_AGAIN)).to_be_visible()
    expect(thumb.page.locator("#reason")).to_have_value("they paid 20")
    thumb.go(f"/nights/{Night.objects.get().pk}/record")
    expect(thumb.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    thumb.page.go_back()
    expect(thumb.page.locator("#reason")).to_have_value("they paid 20")
    thumb.press("Save correction")
    expect(thumb.page.get_by_text("is saved")).to_be_visible()
    assert Revision.objects.count() == 2


def test_chosen_game_opens_and_the_draft_of_another_is_offered(thumb: Thumb) -> None:
    """A draft of Hold'em used to stand where Omaha was asked for."""
    typed(thumb)
    address = f"/nights/{Night.objects.get().pk}/record"
    thumb.go(f"{address}?game=omaha-8")
    expect(thumb.page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(thumb.page.locator("#all_paid")).to_have_value("")
    expect(thumb.page.get_by_text(HERE_AGAIN)).not_to_be_visible()
    expect(thumb.page.get_by_text(ASIDE)).to_be_visible()
    thumb.all_paid(20)
    thumb.done()
    thumb.page.reload()
    expect(thumb.page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(thumb.page.locator("#all_paid")).to_have_value("20")
    thumb.press("Continue it")
    is_back(thumb)
    thumb.press("Continue it")
    expect(thumb.page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(thumb.page.locator("#all_paid")).to_have_value("20")
    thumb.press("Discard it")
    expect(thumb.page.get_by_text(ASIDE)).not_to_be_visible()
    thumb.page.reload()
    expect(thumb.page.locator("#all_paid")).to_have_value("20")
    expect(thumb.page.get_by_text(ASIDE)).not_to_be_visible()


def test_draft_of_the_chosen_game_is_restored(thumb: Thumb) -> None:
    typed(thumb)
    thumb.go(f"/nights/{Night.objects.get().pk}/record?game=texas-holdem")
    is_back(thumb)
    expect(thumb.page.get_by_text(ASIDE)).not_to_be_visible()
