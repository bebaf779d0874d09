"""The recording page follows the table: discarded hands, and hands that other phones save."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from league.models import Hand, Night
from league.recording.record import record_hand
from tests.helpers.browser.offline import (
    HAS_FORMS,
    HAS_PAGE,
    HOLDEM,
    READY,
    fetch_first_forms,
    keep_result,
    unfold,
    waiting,
    write_result,
)
from tests.helpers.browser.phone import Phone

pytestmark = pytest.mark.offline


def record_elsewhere(winner: str = "Cat", dealer: int = 0) -> Hand:
    """Record a hand of Nightmare with another phone. Every player pays 2."""
    record = {"variant": "nightmare", "depth": "result", "took": {winner: 6}, "button": dealer}
    players = [{"name": name, "paid": 2} for name in ("Ann", "Bob", "Cat")]
    return record_hand(Night.objects.get(), uuid4(), record | {"players": players}, by=None).hand


def is_for(phone: Phone, number: int, dealer: str) -> None:
    """Check that the heading and the form have this number and this dealer."""
    heading = phone.page.locator("#table-now summary")
    expect(heading.locator("[data-part=hand]")).to_have_text(f"Hand {number}")
    expect(heading.locator("[data-part=dealer]")).to_have_text(f"{dealer} deals")
    expect(phone.seat(dealer).locator("[name=button]")).to_be_checked()


def discard(phone: Phone, hand: str) -> None:
    number, questions = waiting(phone).count(), list[str]()
    phone.page.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.accept()))
    unfold(phone)
    phone.tap(phone.page.get_by_role("button", name=f"Discard {hand}"))
    expect(waiting(phone)).to_have_count(number - 1)
    assert questions[0].startswith(hand)


@pytest.fixture
def recorder(phone: Phone) -> Phone:
    """A phone on the recording page, which works without a connection."""
    fetch_first_forms(phone.page)
    phone.join_night("Ann", "Bob", "Cat")
    phone.press("Record a hand")
    expect(phone.page.locator("#record .seat")).to_have_count(3)
    phone.page.evaluate(READY)
    phone.page.evaluate(HAS_FORMS, HOLDEM)
    return phone


def test_discarded_hand_leaves_no_gap_in_numbers_and_dealers(recorder: Phone) -> None:
    recorder.page.context.set_offline(True)
    is_for(recorder, 1, "Ann")
    for place, dealer in enumerate(("Bob", "Cat", "Ann"), start=1):
        keep_result(recorder, place, winner="Bob", paid=place)
        is_for(recorder, place + 1, dealer)
    discard(recorder, "Hand 3 · Texas Hold'em")
    is_for(recorder, 3, "Cat")
    discard(recorder, "Hand 1 · Texas Hold'em")
    expect(waiting(recorder)).to_contain_text("Hand 1")
    is_for(recorder, 2, "Cat")
    keep_result(recorder, 2, paid=3)
    expect(waiting(recorder).last).to_contain_text("Hand 2")
    recorder.page.context.set_offline(False)
    expect(recorder.page.locator("#waiting")).to_be_hidden()
    hands = list(Hand.objects.order_by("number"))
    assert [hand.number for hand in hands] == [1, 2]
    buttons = [hand.revisions.get().record["button"] for hand in hands]
    assert buttons == [1, 2]


def test_discarded_hand_moves_up_the_hand_in_progress(recorder: Phone) -> None:
    """The dealer that the form shows does not change once something is entered."""
    recorder.page.context.set_offline(True)
    keep_result(recorder, 1)
    write_result(recorder)
    is_for(recorder, 2, "Bob")
    discard(recorder, "Hand 1 · Texas Hold'em")
    is_for(recorder, 1, "Bob")


def test_stack_is_not_filled_in_after_a_waiting_hand(recorder: Phone) -> None:
    """The waiting hand has changed it. The old stack used to be filled in."""
    all_in = recorder.sheet().get_by_role("button", name="All in 100", exact=True)
    recorder.choose("Texas Hold'em")
    recorder.tap(recorder.seat("Bob").locator(".amount"))
    expect(all_in).to_be_visible()
    recorder.done()
    recorder.page.context.set_offline(True)
    recorder.result_only()
    recorder.all_paid(5)
    recorder.done()
    recorder.tap(".pill:has-text('Bob')")
    recorder.press("Save")
    expect(waiting(recorder)).to_have_count(1)
    recorder.choose("Texas Hold'em")
    recorder.tap(recorder.seat("Bob").locator(".amount"))
    expect(recorder.sheet().get_by_role("button", name="Done", exact=True)).to_be_visible()
    expect(all_in).to_be_hidden()


def test_hand_discarded_on_another_page_moves_up_the_draft(recorder: Phone) -> None:
    """The draft used to keep its number, so the table's second hand was called hand 3."""
    page, night = recorder.page, f"/nights/{Night.objects.get().pk}"
    recorder.go(night)
    page.evaluate(HAS_PAGE, night)
    recorder.press("Record a hand")
    page.context.set_offline(True)
    for place in (1, 2):
        keep_result(recorder, place)
    write_result(recorder)
    recorder.go(night)
    expect(waiting(recorder)).to_have_count(2)
    discard(recorder, "Hand 2 · Texas Hold'em")
    recorder.go(f"{night}/record")
    expect(page.get_by_text("Draft restored")).to_be_visible()
    is_for(recorder, 2, "Cat")
    recorder.press("Save")
    expect(waiting(recorder).last).to_contain_text("Hand 2")


def test_empty_form_is_for_the_hand_after_the_last_one(recorder: Phone) -> None:
    page = recorder.page
    record_elsewhere()
    expect(page.get_by_text("Another phone saved hand 1")).to_be_visible()
    is_for(recorder, 2, "Bob")
    expect(page.get_by_role("button", name="Save mine as the next hand")).to_be_hidden()
    write_result(recorder)
    expect(page.locator(".bar .newer")).to_be_hidden()
    recorder.save()
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2]
    assert Hand.objects.get(number=2).revisions.get().record["button"] == 1


def test_hand_saved_by_another_phone_is_not_in_question_after_sending(recorder: Phone) -> None:
    """The phone's own hand got the next number, so nothing is left to save.

    The other phone's hand was dealt last, so its dealer precedes the next one (decision 0110).
    """
    page = recorder.page
    page.context.set_offline(True)
    keep_result(recorder, 1)
    record_elsewhere(dealer=2)
    page.context.set_offline(False)
    expect(page.locator("#saved-hands")).to_contain_text("Hand 2 saved. Bob wins 15")
    is_for(recorder, 3, "Ann")
    expect(page.get_by_role("link", name="Another phone saved hand")).to_have_count(0)
    record_elsewhere(dealer=1)
    expect(page.get_by_text("Another phone saved hand 3")).to_be_visible()
    expect(page.get_by_text("Another phone saved hand 1")).to_be_hidden()


def test_bar_reports_that_another_phone_saved_the_hand(recorder: Phone) -> None:
    page = recorder.page
    write_result(recorder)
    note = page.locator(".bar").get_by_role("link", name="Another phone saved hand 1")
    expect(note).to_be_hidden()
    page.locator("#verdict").scroll_into_view_if_needed()
    record_elsewhere()
    expect(note).to_be_in_viewport()
    recorder.tap(note)
    button = page.get_by_role("button", name="Save mine as the next hand")
    expect(button).to_be_in_viewport()
    recorder.tap(button)
    expect(note).to_be_hidden()
    is_for(recorder, 2, "Bob")  # this used to be the dealer of the other phone's hand
    recorder.save()
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2]
    assert Hand.objects.get(number=2).revisions.get().record["button"] == 1


def test_restored_draft_reports_that_another_phone_saved_the_hand(recorder: Phone) -> None:
    page = recorder.page
    write_result(recorder)
    page.goto("about:blank")
    record_elsewhere()
    recorder.go(f"/nights/{Night.objects.get().pk}/record")
    expect(page.get_by_text("Draft restored")).to_be_visible()
    note = page.locator(".bar").get_by_role("link", name="Another phone saved hand 1")
    expect(note).to_be_visible()


def test_offline_form_has_the_options_with_which_the_game_was_last_played(phone: Phone) -> None:
    """Without a connection, a game with declarations used to be recorded as cards speak."""
    fetch_first_forms(phone.page)
    phone.join_night("Ann", "Bob", "Cat")
    players = [{"name": name, "paid": 5} for name in ("Ann", "Bob", "Cat")]
    last = {"variant": "omaha-8", "depth": "result", "took": {"Bob": 15}, "button": 0}
    last |= {"options": {"declare": "high-low"}, "players": players}
    record_hand(Night.objects.get(), uuid4(), last, by=None)
    phone.press("Record a hand")
    expect(phone.page.locator("#record .seat")).to_have_count(3)
    phone.page.evaluate(READY)
    phone.page.evaluate(HAS_FORMS, "omaha-8")
    phone.page.context.set_offline(True)
    phone.choose("Omaha-8")
    expect(phone.page.locator("[name='options/declare']")).to_have_value("high-low")
    expect(phone.seat("Ann").locator(".declaration")).to_be_visible()
