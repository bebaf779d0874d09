"""A match on one phone: one tap from one deal to the next (docs/decisions/0033-matches.md)."""

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Night, Revision
from league.recording.record import record_hand
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.offline import (
    HAS_FORMS,
    HAS_PAGE,
    HOLDEM,
    READY,
    fetch_first_forms,
    keep_result,
    waiting,
)
from tests.helpers.browser.phone import Phone


def test_next_deal_of_a_guts_match_starts_with_one_tap(page: Page, live_server: LiveServer) -> None:
    phone = Phone(page, live_server.url)
    win_first_deal_of_guts(phone)
    match = page.locator(".match")
    expect(match).to_contain_text("Guts, after deal 1")
    assert hard_to_use(page) == []
    phone.taps = 0
    phone.tap(match.get_by_role("link", name="Deal 2 · Bob deals"))
    expect(page.locator("#record .match summary")).to_have_text("Deal 2 of this match")
    assert phone.taps == 1
    phone.showed("Bob")
    phone.open_hand("Bob")
    phone.cards("Ks Kd")
    phone.save()
    expect(match).to_contain_text("Guts, after deal 2")
    first, second = Revision.objects.order_by("hand__number")
    assert second.record["match"]["id"] == str(first.hand_id)
    assert second.record["options"] == {"legs": "3"}
    assert second.answer["findings"] == []
    assert second.answer["match"]["legs"] == {"Ann": 1, "Bob": 1, "Cat": 0}


def win_first_deal_of_guts(phone: Phone) -> None:
    """Record that Ann wins the first deal of a match to three legs."""
    phone.join_night("Ann", "Bob", "Cat")
    phone.press("Record a hand")
    phone.choose("Guts")
    phone.option("legs", "3")
    phone.all_paid(5)
    phone.showed("Ann")
    phone.next()
    phone.cards("As Ad")
    phone.save()


def test_player_without_lives_is_not_offered_as_having_gone_in(
    page: Page, live_server: LiveServer
) -> None:
    """ "All" used to tick the player, and the form then asked to fix this."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat")
    hands = {"Ann": ["Ac", "Ad"], "Bob": ["Kc", "Kd"], "Cat": []}
    record = {
        "variant": "guts-for-lives",
        "button": 0,
        "players": [
            {"name": name, "paid": 1} | ({"down": cards} if cards else {"folded": True})
            for name, cards in hands.items()
        ],
        "match": {"id": "tonight", "deal": 3, "lives": {"Ann": 3, "Bob": 1, "Cat": 3}},
    }
    record_hand(Night.objects.get(), uuid4(), record, by=None)
    page.reload()
    phone.tap(page.locator(".match").get_by_role("link", name=re.compile("Deal 4")))
    phone.tap(page.locator("[data-all-showed]"))
    expect(page.locator("[name=showed]:checked")).to_have_count(2)
    expect(page.locator(".showed .pill:visible", has_text="Bob")).to_have_count(0)


def test_last_player_in_a_later_deal_of_a_match_is_not_asked_for_an_amount(
    page: Page, live_server: LiveServer
) -> None:
    """The pot is carried, but the keypad used to cover the verdict."""
    phone = Phone(page, live_server.url)
    win_first_deal_of_guts(phone)
    phone.tap(page.locator(".match").get_by_role("link", name="Deal 2 · Bob deals"))
    phone.tap("summary:has-text('Only one player went in')")
    phone.tap(page.locator(".left-alone .pill", has_text="Bob"))
    page.wait_for_timeout(500)  # the keypad used to open by now
    expect(page.locator("#sheet")).to_be_hidden()
    phone.save()
    assert Revision.objects.latest("hand__number").answer["match"]["legs"]["Bob"] == 1


def test_card_keypad_marks_players_as_out_if_they_declare_in_or_out(
    page: Page, live_server: LiveServer
) -> None:
    """The keys used to be "Fold" and "Everyone else folded"."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat", "Dan", "Eve")
    phone.press("Record a hand")
    phone.choose("Guts")
    phone.option("legs", "None")
    phone.all_paid(5)
    phone.open_hand("Ann")
    phone.fate("Out")
    phone.cards("As Ad Kc Kd")
    phone.fate("Everyone else is out")
    expect(phone.verdict()).to_contain_text("Bob wins 25")
    expect(page.locator(".seat[data-state=folded]")).to_have_count(3)


def test_in_between_can_be_recorded_round_by_round_until_the_pot_is_empty(
    page: Page, live_server: LiveServer, picture: Callable[[str], Path]
) -> None:
    """docs/record.md, "Against the pot": antes first, then rounds of turns."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat")
    phone.press("Record a hand")
    phone.choose("In-Between")
    phone.all_paid(5)
    phone.done()
    phone.save()
    match = page.locator(".match")
    expect(match).to_contain_text("In-Between, after deal 1")
    draft_of_another_game_is_set_aside(phone)
    phone.tap(match.get_by_role("link", name="Deal 2 · Bob deals"))
    expect(page.get_by_text("15 carried over into this pot.")).to_be_visible()
    phone.paid("Cat", 15)
    phone.done()
    phone.open_hand("Cat")
    phone.cards("2s Kd 9h")
    phone.done()
    expect(page.locator("#verdict")).to_contain_text("Cat's 9♥ lies between 2♠ and K♦")
    picture("in-between")
    assert hard_to_use(page) == []
    phone.save()
    revision = Revision.objects.get(hand__number=2)
    assert revision.answer["match"]["over"]
    assert revision.answer["net"] == {"Ann": 0, "Bob": 0, "Cat": 15}
    assert revision.answer["findings"] == []


def draft_of_another_game_is_set_aside(phone: Phone) -> None:
    """A draft of Hold'em once replaced the next deal of the match."""
    night = phone.page.url
    phone.go(f"{night.removeprefix(phone.address)}/record")
    phone.tap(".picker summary")
    phone.choose("Texas Hold'em")
    phone.all_paid(5)
    phone.go(night.removeprefix(phone.address))


def next_deal_stays_in_the_cache(phone: Phone, night: Night) -> None:
    """The page for another game once replaced the page of the next deal. The phone goes offline."""
    phone.go(f"/nights/{night.pk}/record?other")
    phone.go(f"/nights/{night.pk}")
    phone.page.context.set_offline(True)
    phone.go(f"/nights/{night.pk}/record")
    expect(phone.page.locator("#record .picker .chosen")).to_have_text("Guts")
    phone.go(f"/nights/{night.pk}")


@pytest.mark.offline
def test_another_game_can_be_recorded_offline_during_a_match(
    page: Page, live_server: LiveServer
) -> None:
    """The page of the next deal is in the cache, also for the link to another game."""
    phone = Phone(page, live_server.url)
    fetch_first_forms(page)
    phone.join_night("Ann", "Bob", "Cat")
    night = Night.objects.get()
    players = [{"name": name, "paid": 5, "folded": True} for name in ("Bob", "Cat")]
    players.append({"name": "Ann", "paid": 5, "down": ["As", "Ad"]})
    deal = {"variant": "guts", "options": {"legs": "3"}, "button": 0, "players": players}
    record_hand(night, uuid4(), deal, by=None)
    phone.go(f"/nights/{night.pk}/record")
    page.evaluate(READY)
    page.evaluate(HAS_FORMS, HOLDEM)
    phone.go(f"/nights/{night.pk}")
    page.evaluate(HAS_PAGE, f"/nights/{night.pk}")
    next_deal_stays_in_the_cache(phone, night)
    page.get_by_role("link", name="Record another game").click()
    expect(page.locator("#record .picker .chosen")).to_have_text("Which game?")
    for waits in (1, 2):
        keep_result(phone, waits)
    expect(page.locator("#waiting summary")).not_to_contain_text("Sending")
    phone.go(f"/nights/{night.pk}")
    expect(page.locator(".match")).to_contain_text("pot 15")
    next_deal = page.locator("[data-next-deal]")
    expect(next_deal).to_be_hidden()
    page.context.set_offline(False)
    expect(waiting(phone)).to_have_count(0)
    expect(next_deal).to_be_visible()
    assert not Revision.objects.filter(carried__gt=0).exists()
