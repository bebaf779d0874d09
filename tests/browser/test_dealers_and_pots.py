"""The recording page names the dealer and the pot that it stores, and asks for no unused amount."""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Night, Revision
from league.recording.record import record_hand
from tests.helpers.browser.phone import Phone


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat")
    phone.press("Record a hand")
    return phone


def test_pot_in_the_bar_is_without_uncalled_bets(phone: Phone) -> None:
    """Bob put in 20 and only 10 were called. The bar used to say "Pot 30"."""
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.done()
    phone.paid("Bob", 20)
    phone.done()
    phone.fold("Cat")
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    pot = phone.page.locator(".bar [data-part=pot]")
    expect(phone.verdict()).to_contain_text("Ann wins 30")
    expect(pot).to_have_text("Pot 30")
    expect(phone.page.locator("#says")).to_contain_text("Ann wins 30")


def test_dealer_who_sits_out_is_replaced_above_the_form(phone: Phone) -> None:
    """The line above the form used to name Ann, and the hand was stored with Bob as the dealer."""
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.done()
    head = phone.page.locator("#table-now [data-part=dealer]")
    expect(head).to_have_text("Ann deals")
    phone.tap(phone.seat("Ann").get_by_role("button", name="Ann isn't dealt in"))
    expect(head).to_have_text("Bob deals")
    phone.page.wait_for_timeout(3000)  # an update of the stacks keeps it
    expect(head).to_have_text("Bob deals")
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    phone.save()
    record = Revision.objects.get().record
    assert record["players"][record["button"]]["name"] == "Bob"


def test_game_against_the_bank_asks_for_no_amounts(phone: Phone) -> None:
    """An amount that was entered first used to cause one warning for each player."""
    phone.choose("Texas Hold'em")
    phone.all_paid(40)
    phone.done()
    phone.tap(".picker > summary")
    phone.choose("Put and Take")
    expect(phone.page.get_by_text("The cards decide what each player pays.")).to_be_visible()
    expect(phone.page.locator("#all_paid")).to_be_hidden()
    expect(phone.page.locator("#sheet")).to_be_hidden()
    phone.open_board()
    phone.cards("Ks 7d 2h 9c Jd Kd 3s Qh 7c 5d Kh Kc 4d 8s Ts 7s 9d Jc 2s 6h")
    expect(phone.page.locator("#says")).not_to_contain_text("warning")


def test_other_game_during_a_match_has_its_own_draft(phone: Phone) -> None:
    """The next deal of the match used to open the draft of the other game."""
    night = Night.objects.get()
    players = [{"name": name, "paid": 5, "folded": True} for name in ("Bob", "Cat")]
    players.append({"name": "Ann", "paid": 5, "down": ["As", "Ad"]})
    deal = {"variant": "guts", "options": {"legs": "3"}, "button": 0, "players": players}
    record_hand(night, uuid4(), deal, by=None)
    phone.go(f"/nights/{night.pk}/record?other")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.done()
    phone.go(f"/nights/{night.pk}/record")
    expect(phone.page.locator(".picker .chosen")).to_have_text("Guts")
    expect(phone.page.locator("#kept")).to_be_hidden()
    phone.go(f"/nights/{night.pk}/record?other")
    expect(phone.page.locator("#kept")).to_be_visible()
    expect(phone.page.locator("#all_paid")).to_have_value("10")
