"""Recording offline: hands wait on the phone, and each one reaches the ledger exactly once."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest
from playwright.sync_api import Error, Page, Playwright, Route, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from league.models import ConflictingRecord, Hand, League, Night, Player, Revision, User
from league.pages.offline import batch, batches
from league.people.leagues import make_league
from league.privacy.renaming import rename_player
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from tests.helpers.browser.chromium import CHROMIUM, PHONE, QUIET
from tests.helpers.browser.finding import pill, proposals
from tests.helpers.browser.offline import (
    ALL_GAMES,
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
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.browser.waiting import wait_until
from tests.helpers.config.migrated import copy_migrated
from tests.helpers.league.books import total
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.offline
KEPT = """async () => {
    const name = (await caches.keys()).find((each) => each.startsWith("pages "));
    return (await (await caches.open(name)).keys()).map(({url}) => url);
}"""
# Returns the number of lines in a paragraph.
LINES = (
    "p => Math.round(p.getBoundingClientRect().height / parseFloat(getComputedStyle(p).lineHeight))"
)
# Taps a button as soon as the phone deletes the first saved hand. The short wait is enough for the
# next transaction to begin.
TAP_AFTER_SAVE = """button => {
    const remove = IDBObjectStore.prototype.delete;
    IDBObjectStore.prototype.delete = function (key) {
        IDBObjectStore.prototype.delete = remove;
        this.transaction.addEventListener("complete", () => setTimeout(() => button.click()));
        return remove.call(this, key);
    };
}"""
CHOOSE = """(select, value) => {
    select.value = value;
    for (const type of ["input", "change"])
        select.dispatchEvent(new Event(type, { bubbles: true }));
}"""
KEPT_HOME = "caches.match('/').then(Boolean)"


def at_the_table(phone: Phone) -> None:
    """Sign up, start a night with three players, and open its recording page."""
    phone.sign_up()
    phone.make_league(("Ann", "Bob", "Cat"))
    phone.start_night()
    phone.press("Record a hand")
    expect(phone.page.locator("#record .seat")).to_have_count(3)


def take_seat(phone: Phone) -> None:
    phone.join_night("Ann", "Bob", "Cat")
    phone.press("Record a hand")
    expect(phone.page.locator("#record .seat")).to_have_count(3)


def test_pages_without_a_form_prepare_the_phone_without_errors(phone: Phone) -> None:
    phone.join_night("Ann", "Bob", "Cat")
    errors: list[str] = []
    phone.page.on("pageerror", lambda error: errors.append(str(error)))
    with phone.page.expect_response("**/draw-game-form*.js"):
        phone.page.reload()
    phone.page.wait_for_timeout(500)  # its imports run
    assert errors == []


@pytest.fixture
def seated(phone: Phone) -> Phone:
    """A phone on the recording page for a night with three players."""
    fetch_first_forms(phone.page)
    take_seat(phone)
    return phone


@pytest.fixture(scope="module")
def drawn_forms() -> None:
    """Render the forms of all games first.

    A test takes twice as long if the phone has to wait for them.
    """
    for place in range(batches({})):
        batch({}, place)


@pytest.fixture
def ready(seated: Phone) -> Phone:
    """A phone that has cached the offline files and at least the form for Hold'em."""
    seated.page.evaluate(READY)
    seated.page.evaluate(HAS_FORMS, HOLDEM)
    seated.page.reload()
    return seated


def wait_for_reason(phone: Phone, why: str) -> None:
    """Wait until the waiting hand shows this reason."""
    if why == "unreached":
        expect(phone.page.locator("#waiting summary")).to_contain_text("waiting for signal")
        return
    expect(waiting(phone).locator(f"[data-why={why}]")).to_be_visible()


def test_three_hands_can_be_recorded_offline(ready: Phone) -> None:
    """One line reports the waiting hands, and the game search is reset after each hand.

    The search box used to be empty while the list was still filtered and Clear was visible. Three
    boxes used to fill the screen.
    """
    ready.page.context.set_offline(True)
    ready.page.fill("#search", "texas")
    expect(ready.page.locator(".choice:visible").nth(100)).to_be_hidden()
    keep_result(ready, 1, paid=1)
    expect(waiting(ready)).to_contain_text("Hand 1 · Texas Hold'em")
    expect(ready.page.locator("#record")).to_have_attribute("data-recent", "1")
    expect(waiting(ready).locator("[data-part=facts-pot]")).to_have_text("Pot 3")
    expect(waiting(ready).locator("[data-part=facts-won]")).to_have_text("won by Bob")
    expect(ready.page.locator("[data-clear]")).to_be_hidden()
    expect(ready.page.locator(".choice:visible").nth(100)).to_be_visible()
    ready.page.reload()
    expect(ready.page.locator("#record")).to_have_attribute("data-recent", "1")
    for place in range(1, 3):
        keep_result(ready, place + 1, paid=place + 1)
    assert Hand.objects.count() == 0
    summary = ready.page.get_by_text("3 hands waiting for signal. Sends automatically.")
    boxes = ready.page.locator(".note.warn:visible, .waiting:visible")
    assert boxes.count() == 1
    assert boxes.bounding_box()["height"] < 640 / 10
    summary.click()
    expect(ready.page.locator("#stale")).to_be_visible()
    expect(waiting(ready).first.locator("[data-part=facts-pot]")).to_have_text("Pot 3")
    expect(waiting(ready).first.locator("[data-part=facts-won]")).to_have_text("won by Bob")
    expect(ready.page.get_by_text("The result appears once you're online.").first).to_be_visible()
    ready.page.context.set_offline(False)
    expect(ready.page.locator("#waiting")).to_be_hidden()
    expect(ready.page.locator("#saved-hands")).to_contain_text("Hand 3 saved. Bob wins 9")
    hands = Revision.objects.order_by("hand__number")
    assert [hand.record["players"][0]["paid"] for hand in hands] == [1, 2, 3]
    assert total(League.objects.get().book) == 0


def test_waiting_hand_names_its_night_on_other_pages(seated: Phone) -> None:
    """On another night's page, a hand without its night looked like a hand of that night."""
    page = seated.page
    page.route("**/record", lambda route: route.abort())
    keep_result(seated, 1)
    expect(waiting(seated).locator("[data-part=title]")).to_be_hidden()
    seated.go("/account")
    expect(waiting(seated)).to_have_count(1)
    unfold(seated)
    expect(waiting(seated).locator("[data-part=title]")).to_have_text("Night 1")
    expect(waiting(seated).locator("[data-part=title]")).to_be_visible()
    page.unroute("**/record")
    seated.press("Send again")
    expect(page.locator("#saved-hands")).to_contain_text("Night 1 · Hand 1 saved. Bob wins 15")


def test_offline_hand_is_saved_under_a_name_that_changed_since(ready: Phone) -> None:
    ready.page.context.set_offline(True)
    keep_result(ready, 1, paid=1)
    bob = Player.objects.get(name="Bob")
    rename_player(bob, "Robert", by=None)
    ready.page.context.set_offline(False)
    expect(ready.page.locator("#saved-hands")).to_contain_text("Hand 1 saved. Robert wins 3")
    assert Revision.objects.get().names["Robert"] == str(bob.pk)


def test_cached_page_accounts_for_hands_that_the_phone_saw_later(ready: Phone) -> None:
    """Hands 1 and 2 used to come back as conflicts, and the dealer did not move."""
    night, page = Night.objects.get(), ready.page
    ready.go(f"/nights/{night.pk}")
    for number in (1, 2):
        record = {"variant": "nightmare", "depth": "result", "took": {"Ann": 6}, "button": 0}
        players = [{"name": name, "paid": 2} for name in ("Ann", "Bob", "Cat")]
        record_hand(night, uuid4(), record | {"players": players}, by=None)
        expect(page.locator(".hand-line")).to_have_count(number)
    page.context.set_offline(True)
    ready.press("Record a hand")
    expect(page.locator("#stale")).to_be_visible()
    for waits, dealer in ((1, "Bob"), (2, "Cat"), (3, "Ann")):
        expect(page.locator("#table-now summary")).to_contain_text(f"Hand {waits + 2}")
        expect(page.locator("#table-now summary")).to_contain_text(f"{dealer} deals")
        expect(ready.seat(dealer).locator("[name=button]")).to_be_checked()
        if waits < 3:
            keep_result(ready, waits)
    page.reload()
    expect(page.locator("#table-now summary")).to_contain_text("Hand 5")
    expect(ready.seat("Ann").locator("[name=button]")).to_be_checked()
    expect(waiting(ready)).to_have_count(2)
    # this used to be reported by two yellow boxes, with a third one listing the waiting hands
    page.wait_for_timeout(3000)  # the page polls the server every two seconds
    expect(page.locator(".note.warn:visible, .waiting:visible")).to_have_count(1)
    page.context.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    assert numbers() == [1, 2, 3, 4]
    assert not Hand.objects.filter(conflicts__isnull=False).exists()


def numbers() -> list[int]:
    """Return the numbers of the hands in the ledger, in order."""
    return list(Hand.objects.order_by("number").values_list("number", flat=True))


def see_saved_hand(phone: Phone) -> None:
    expect(phone.page.locator("#saved-hands li").first).to_be_visible()
    expect(phone.page.locator("#waiting")).to_be_hidden()


def test_any_game_can_be_recorded_offline(ready: Phone) -> None:
    """The game has its own form, which depends on a modifier and an option."""
    for game in ("omaha-8", "pot-limit-omaha"):
        ready.page.evaluate(HAS_FORMS, game)
    ready.page.context.set_offline(True)
    ready.choose("Omaha-8")
    expect(ready.page.locator("#verdict")).to_contain_text("The result appears once you're online")
    expect(ready.page.locator("#says")).to_have_text("Result pending")
    ready.tap("summary:has-text('Variations')")
    ready.tap(ready.page.locator(".pill", has_text="Two rows"))
    expect(ready.page.locator("[name='board/1']")).to_be_attached()
    ready.tap(ready.page.locator(".pill", has_text="floater"))
    expect(ready.page.locator("[name='board/2']")).to_be_attached()
    ready.tap("summary:has-text('Options')")
    ready.page.locator('[id="options/declare"]').select_option("high-low")
    ready.declare("Ann", "high")
    ready.open_hand("Bob")
    ready.cards("As Ks Qs Js")
    ready.done()
    ready.tap(".picker summary")
    ready.choose("Pot-Limit Omaha")
    expect(ready.page.locator("[name='players/1/down']")).to_have_value("As Ks Qs Js")
    # options of the previous game used to stay in the form and made the hand invalid
    expect(ready.page.locator("[name='options/declare'], [name$='/declared']")).to_have_count(1)
    expect(ready.page.locator("[name='options/declare']")).to_have_value("")
    ready.page.reload()
    expect(ready.page.locator(".picker .chosen")).to_have_text("Pot-Limit Omaha")
    expect(ready.page.locator("[name='players/1/down']")).to_have_value("As Ks Qs Js")


def test_verdict_seen_before_the_connection_was_lost_is_a_draft(ready: Phone) -> None:
    page = ready.page
    write_result(ready)
    expect(page.locator("#says")).to_contain_text("Bob wins 15")
    page.context.set_offline(True)
    expect(page.locator("#verdict")).to_contain_text("Draft, not yet confirmed")
    expect(page.locator("#verdict .who-won")).to_contain_text("Bob wins 15")
    ready.press("Save")
    expect(waiting(ready)).to_contain_text("Draft, not yet confirmed: Bob wins 15")
    expect(page.locator("#record[aria-busy]")).to_have_count(0)
    write_result(ready, paid=10)
    expect(page.locator("#says")).to_have_text("Result pending: won by Bob")
    expect(page.locator("#verdict .pending")).to_contain_text("won by Bob")
    page.context.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator("#says")).to_contain_text("Bob wins 30")
    expect(page.locator("#verdict")).not_to_contain_text("Draft, not yet confirmed")


def test_draft_verdict_survives_a_reload_offline(ready: Phone) -> None:
    page = ready.page
    write_result(ready)
    expect(page.locator("#says")).to_contain_text("Bob wins 15")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("#says")).to_contain_text("Draft, not yet confirmed: Bob wins 15")
    ready.press("Save")
    expect(waiting(ready)).to_contain_text("Draft, not yet confirmed: Bob wins 15")


@pytest.mark.scheduled
def test_game_can_be_suggested_found_and_recorded_offline(drawn_forms: None, phone: Phone) -> None:
    take_seat(phone)
    page, night = phone.page, Night.objects.get()
    page.evaluate(READY)
    page.evaluate(HAS_FORMS, ALL_GAMES)
    phone.go(f"/nights/{night.pk}")
    for step in ("record", "deal"):
        page.evaluate(HAS_PAGE, f"/nights/{night.pk}/{step}")
    page.context.set_offline(True)
    phone.press("Pick a game for me")
    expect(page.locator("#stale")).to_be_visible()
    proposals(phone)
    seed = page.locator("[data-suggestions]").get_attribute("data-seed") or ""
    phone.press("Shuffle")
    expect(page.locator("[data-suggestions]")).not_to_have_attribute("data-seed", seed)
    name = proposals(phone)[0]
    phone.tap("#shall .proposal")
    expect(page.locator(".picker .chosen")).to_have_text(name)
    phone.tap(".picker summary")
    pill(phone, "Wild cards")
    expect(page.locator(".choice:visible", has_text="Baseball").first).to_be_visible()
    expect(page.locator(".choice", has_text="Texas Hold'em").first).to_be_hidden()


def test_refused_offline_hand_is_shown_again_with_everything_typed(ready: Phone) -> None:
    ready.page.context.set_offline(True)
    ready.choose("Texas Hold'em")
    ready.all_paid(10)
    ready.open_board()
    ready.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    ready.done()
    ready.press("Save")
    wait_for_reason(ready, "unreached")
    ready.page.context.set_offline(False)
    wait_for_reason(ready, "refused")
    expect(waiting(ready)).to_contain_text("Cat")
    ready.press("Fix it")
    expect(ready.page.locator(".picker .chosen")).to_have_text("Texas Hold'em")
    expect(ready.page.locator("[name='players/0/down']")).to_have_value("Ac Ad")
    expect(ready.page.locator(".problems .error").first).to_be_visible()
    ready.fold("Cat")
    expect(ready.verdict()).to_contain_text("Ann wins 30")
    ready.save()
    expect(ready.page.locator("#waiting")).to_be_hidden()
    assert numbers() == [1]


def test_offline_correction_of_an_older_version_is_confirmed_in_its_form(ready: Phone) -> None:
    """The correction stays on the phone until its user replaces the newer version on purpose."""
    night, page = Night.objects.get(), ready.page
    record = {"variant": HOLDEM, "depth": "result", "took": {"Ann": 6}, "button": 0}
    record["players"] = [{"name": name, "paid": 2} for name in ("Ann", "Bob", "Cat")]
    hand = record_hand(night, uuid4(), record, by=None).hand
    ready.go(f"/hands/{hand.pk}/record")
    page.context.set_offline(True)
    ready.tap(".pill:has-text('Bob')")
    ready.press("Save correction")
    wait_for_reason(ready, "unreached")
    revise_hand(hand, uuid4(), record | {"took": {"Cat": 6}}, by=None)
    page.context.set_offline(False)
    change = "Another phone corrected this hand while you were editing"
    expect(waiting(ready)).to_contain_text(change)
    expect(waiting(ready).get_by_role("button", name="Send again")).to_be_hidden()
    assert hand.revisions.count() == 2
    ready.press("Fix it")
    expect(page.locator("#record .note.bad", has_text=change)).to_be_visible()
    expect(page.locator("#record .note.bad", has_text="Save again to replace")).to_be_visible()
    expect(ready.verdict()).to_contain_text("Bob wins 6")
    ready.press("Save correction")
    expect(page.get_by_text("Hand 1 corrected.")).to_be_visible()
    expect(page.locator("#waiting")).to_be_hidden()
    assert hand.revisions.get(current=True).answer["won"]["Bob"] == 6


def correct_offline(phone: Phone, hand: Hand, *winners: str) -> None:
    """Correct the result of a hand to each of these winners, without a connection."""
    phone.page.context.set_offline(True)
    for number, winner in enumerate(winners, start=1):
        if number > 1:
            phone.page.reload()
        phone.tap(f".pill:has-text('{winner}')")
        phone.press("Save correction")
        expect(waiting(phone)).to_have_count(number)
        expect(phone.page.locator("#record[aria-busy]")).to_have_count(0)


@pytest.fixture
def recorded(ready: Phone) -> Hand:
    """A result of 6 chips for Ann, whose form for a correction is open."""
    record = {"variant": HOLDEM, "depth": "result", "took": {"Ann": 6}, "button": 0}
    record["players"] = [{"name": name, "paid": 2} for name in ("Ann", "Bob", "Cat")]
    hand = record_hand(Night.objects.get(), uuid4(), record, by=None).hand
    ready.go(f"/hands/{hand.pk}/record")
    wait_until(ready.page, f"caches.match('/hands/{hand.pk}/record').then(Boolean)")
    return hand


def test_second_offline_correction_of_a_hand_replaces_the_first(
    ready: Phone, recorded: Hand
) -> None:
    """It had to be confirmed, as if another phone had made the first correction."""
    correct_offline(ready, recorded, "Bob", "Cat")
    ready.page.context.set_offline(False)
    expect(ready.page.locator("#waiting")).to_be_hidden()
    winners = [revision.answer["won"] for revision in recorded.revisions.order_by("number")]
    assert [max(won, key=won.get) for won in winners] == ["Ann", "Bob", "Cat"]


def test_form_that_stays_open_replaces_its_own_correction_that_was_sent_later(
    ready: Phone, recorded: Hand
) -> None:
    """The list of waiting hands was out of sight above the form, so nothing seemed to happen."""
    correct_offline(ready, recorded, "Bob")
    expect(ready.page.locator("#waiting summary")).to_be_in_viewport()
    ready.page.context.set_offline(False)
    expect(ready.page.locator("#waiting")).to_be_hidden()
    ready.tap(".pill:has-text('Cat')")
    ready.press("Save correction")
    expect(ready.page.get_by_text("Hand 1 corrected.")).to_be_visible()
    assert recorded.revisions.get(current=True).answer["won"]["Cat"] == 6


def test_refused_correction_is_saved_anyway_with_one_tap(ready: Phone, recorded: Hand) -> None:
    """ "Send again" was offered, but the same correction was always refused again."""
    correct_offline(ready, recorded, "Bob")
    record = recorded.revisions.get().record | {"took": {"Cat": 6}}
    revise_hand(recorded, uuid4(), record, by=None)
    ready.page.context.set_offline(False)
    expect(waiting(ready)).to_contain_text("Another phone corrected this hand")
    ready.press("Save mine anyway")
    expect(ready.page.locator("#waiting")).to_be_hidden()
    assert recorded.revisions.get(current=True).answer["won"]["Bob"] == 6


def test_second_refused_correction_is_saved_anyway_with_one_tap(
    ready: Phone, recorded: Hand
) -> None:
    """It was refused again, because it still replaced the version that the first one had replaced.

    The lines of the refused corrections had no space or line between them.
    """
    correct_offline(ready, recorded, "Bob", "Cat")
    revise_hand(recorded, uuid4(), recorded.revisions.get().record | {"button": 1}, by=None)
    ready.page.context.set_offline(False)
    anyway = waiting(ready).get_by_role("button", name="Save mine anyway")
    expect(anyway).to_have_count(2)
    expect(waiting(ready).nth(1)).to_have_css("border-top-width", "1px")
    expect(waiting(ready).nth(1)).not_to_have_css("padding-top", "0px")
    ready.tap(anyway.first)
    expect(anyway).to_have_count(1)
    ready.tap(anyway)
    expect(ready.page.locator("#waiting")).to_be_hidden()
    winners = [revision.answer["won"] for revision in recorded.revisions.order_by("number")]
    assert [max(won, key=won.get) for won in winners] == ["Ann", "Ann", "Bob", "Cat"]


def test_older_correction_is_confirmed_before_it_replaces_a_later_one(
    ready: Phone, recorded: Hand
) -> None:
    """A correction that was invalid replaced the later one as soon as it was fixed."""
    page = ready.page
    page.context.set_offline(True)
    ready.tap("summary:has-text('Split the pot')")
    ready.tap(page.get_by_label("Ann took", exact=True))
    ready.digits(1)  # of 6
    ready.done()
    ready.press("Save correction")
    expect(waiting(ready)).to_have_count(1)
    expect(page.locator("#record[aria-busy]")).to_have_count(0)
    page.reload()
    ready.tap(".pill:has-text('Bob')")
    ready.press("Save correction")
    expect(waiting(ready)).to_have_count(2)
    page.context.set_offline(False)
    expect(waiting(ready)).to_have_count(1)
    assert recorded.revisions.get(current=True).answer["won"]["Bob"] == 6
    ready.press("Fix it")
    expect(page.locator("#record .note.bad", has_text="Save again to replace")).to_be_visible()


def lose_first_response(page: Page) -> None:
    """Let the first hand that the page sends reach the server, without a response."""
    lost = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    page.route("**/record", lose)


def send_again(phone: Phone) -> None:
    """Tap "Send again", unless the phone sends the hand by itself first."""
    with suppress(Error):
        unfold(phone)
        waiting(phone).get_by_role("button", name="Send again").tap(timeout=2000)


def test_hand_is_sent_once_after_server_errors_or_a_lost_response(seated: Phone) -> None:
    stumbles, stands = cycle([500, 503]), Event()

    def stumble(route: Route) -> None:
        if route.request.method == "POST" and not stands.is_set():
            route.fulfill(status=next(stumbles), body="no")
        else:
            route.continue_()

    seated.page.route("**/record", stumble)
    keep_result(seated, 1)
    wait_for_reason(seated, "failed")
    seated.press("Send again")
    wait_for_reason(seated, "failed")
    seated.page.reload()
    wait_for_reason(seated, "failed")
    stands.set()
    send_again(seated)
    see_saved_hand(seated)
    assert numbers() == [1]
    seated.page.unroute("**/record")
    seated.page.reload()
    lose_first_response(seated.page)
    keep_result(seated, 1)
    wait_for_reason(seated, "unreached")
    assert numbers() == [1, 2]
    expect(waiting(seated).get_by_role("button", name="Discard")).to_be_hidden()
    send_again(seated)
    see_saved_hand(seated)
    assert numbers() == [1, 2]


def test_button_of_a_waiting_hand_can_be_tapped_while_its_line_is_updated(seated: Phone) -> None:
    """The line used to be replaced after each attempt, and a tap during that was lost."""
    page = seated.page
    page.route("**/record", lambda route: route.fulfill(status=500, body="no"))
    keep_result(seated, 1)
    wait_for_reason(seated, "failed")
    button = waiting(seated).get_by_role("button", name="Send again")
    button.evaluate("(button) => button.addEventListener('click', () => { window.tapped = true; })")
    button.hover()
    page.mouse.down()
    page.evaluate("document.dispatchEvent(new CustomEvent('outbox'))")
    page.evaluate("new Promise((wake) => setTimeout(wake, 500))")
    page.mouse.up()
    wait_until(page, "window.tapped")


def test_hands_recorded_offline_on_two_phones_are_saved_once_each(
    ready: Phone, phones: Callable[[], Phone]
) -> None:
    """Both phones report the same three results without cards, in different orders."""
    other = phones()
    fetch_first_forms(other.page)
    other.sign_in(User.objects.get())
    other.page.goto(ready.page.url)
    other.page.evaluate(HAS_FORMS, HOLDEM)
    for phone in (ready, other):
        phone.page.context.set_offline(True)
        for place, winner in enumerate(("Bob", "Cat", "Bob")):
            keep_result(phone, place + 1, winner=winner)
    for phone in (ready, other):
        phone.page.context.set_offline(False)
        expect(phone.page.locator("#waiting")).to_be_hidden()
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2, 3]
    wait_for_reason = ConflictingRecord.objects.order_by("number").values_list("number", "state")
    assert list(wait_for_reason) == [
        (number, ConflictingRecord.State.MERGED) for number in (1, 2, 3)
    ]


def test_waiting_hands_survive_a_closed_tab_and_are_sent_once_by_two_tabs(ready: Phone) -> None:
    context = ready.page.context
    path = ready.page.url
    context.set_offline(True)
    for place in range(3):
        keep_result(ready, place + 1)
    ready.page.close()
    tabs = [context.new_page(), context.new_page()]
    for tab in tabs:
        fetch_first_forms(tab)
        tab.goto(path)
        expect(tab.locator("#waiting li:has([data-part=game])")).to_have_count(3)
    context.set_offline(False)
    for tab in tabs:
        expect(tab.locator("#waiting")).to_be_hidden()
    assert numbers() == [1, 2, 3]


def test_offline_hands_are_stored_over_plain_http_and_sent_once(
    playwright: Playwright, live_server: LiveServer, settings: Settings
) -> None:
    """Over plain HTTP, there is no service worker, Web Locks or randomUUID."""
    settings.ALLOWED_HOSTS = ["table.home"]
    rule = "--host-resolver-rules=MAP table.home 127.0.0.1"
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, rule])
    context = browser.new_context(**PHONE)
    port = live_server.url.rpartition(":")[2]
    phone = Phone(context.new_page(), f"http://table.home:{port}")
    fetch_first_forms(phone.page)
    at_the_table(phone)
    assert phone.page.evaluate("!isSecureContext && !navigator.serviceWorker && !navigator.locks")
    phone.page.evaluate(HAS_FORMS, HOLDEM)
    path = phone.page.url
    other = context.new_page()
    fetch_first_forms(other)
    other.goto(path)
    context.set_offline(True)
    for place in range(2):
        keep_result(phone, place + 1)
    expect(other.locator("#waiting li:has([data-part=game])")).to_have_count(2)
    context.set_offline(False)
    for tab in (phone.page, other):
        expect(tab.locator("#waiting")).to_be_hidden()
    assert numbers() == [1, 2]
    browser.close()


def test_page_without_browser_storage_keeps_the_hand_and_shows_an_error(seated: Phone) -> None:
    """Storage is unavailable in private windows or when the disk is full."""
    seated.page.add_init_script("IDBFactory.prototype.open = () => { throw new Error('private') }")
    seated.page.reload()
    write_result(seated)
    seated.page.context.set_offline(True)
    seated.press("Save")
    expect(seated.page.locator("#unsent [data-why=unreached]")).to_be_visible()
    expect(seated.page.locator("#all_paid")).to_have_value("5")
    seated.page.context.set_offline(False)
    seated.save()
    assert numbers() == [1]


def test_hand_keeps_waiting_if_the_night_has_been_closed(ready: Phone) -> None:
    ready.page.context.set_offline(True)
    keep_result(ready, 1)
    with unguarded():
        Night.objects.update(state=Night.State.CLOSED)
    ready.page.context.set_offline(False)
    expect(waiting(ready)).to_contain_text("The night is closed. A host can reopen it.")
    with unguarded():
        Night.objects.update(state=Night.State.OPEN)
    ready.press("Send again")
    see_saved_hand(ready)
    assert numbers() == [1]


def test_waiting_hand_is_sent_only_by_the_user_who_recorded_it(ready: Phone) -> None:
    page, path = ready.page, ready.page.url
    page.context.set_offline(True)
    keep_result(ready, 1)
    page.context.clear_cookies()
    page.context.set_offline(False)
    wait_for_reason(ready, "signed-out")
    ready.sign_up("mia")
    expect(page.locator("#waiting")).to_contain_text("joel")
    expect(waiting(ready)).to_have_count(0)
    wait_until(page, f"({KEPT})().then((urls) => !urls.some((url) => url.includes('/record')))")
    assert numbers() == []
    with page.expect_navigation():
        ready.press("Sign out")
    page.goto(f"{ready.address}/sign-in?next={path.removeprefix(ready.address)}")
    page.fill("[name=username]", "joel")
    page.fill("[name=password]", PASSWORD)
    ready.tap("main .button.main")
    see_saved_hand(ready)
    assert numbers() == [1]


def test_waiting_hand_delays_signing_out_and_can_be_discarded(ready: Phone) -> None:
    ready.page.context.set_offline(True)
    keep_result(ready, 1)
    with ready.page.expect_event("dialog") as dialog:
        ready.press("Sign out")
    assert "not sent yet" in dialog.value.message
    dialog.value.dismiss()
    expect(waiting(ready)).to_have_count(1)
    ready.page.once("dialog", lambda dialog: dialog.accept())
    unfold(ready)
    ready.press("Discard Hand 1 · Texas Hold'em")
    expect(ready.page.locator("#waiting")).to_be_hidden()
    ready.page.context.set_offline(False)
    ready.page.reload()
    assert numbers() == []


def test_waiting_hand_can_be_changed_offline_and_keeps_its_place(ready: Phone) -> None:
    """It could only be discarded, so a wrong card cost the whole hand."""
    page = ready.page
    page.context.set_offline(True)
    enter_hand(ready, paid=10)
    ready.press("Save")
    wait_for_reason(ready, "unreached")
    keep_result(ready, 2)
    unfold(ready)
    waiting(ready).first.get_by_role("button", name="Change").click()
    expect(page.locator("[name='players/0/down']")).to_have_value("Ac Ad")
    expect(page.locator("#all_paid")).to_have_value("10")
    page.locator("#all_paid").evaluate("(field) => { field.value = '20'; }")
    page.locator("#all_paid").dispatch_event("input", {"bubbles": True})
    ready.press("Save")
    expect(waiting(ready)).to_have_count(2)
    page.context.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    assert numbers() == [1, 2]
    assert Revision.objects.get(hand__number=1).record["players"][0]["paid"] == 20


def test_options_of_a_waiting_hand_are_kept_while_it_is_changed(ready: Phone) -> None:
    """They were replaced by the usual options, as if another game had been chosen."""
    page = ready.page
    page.evaluate(HAS_FORMS, "omaha-8")
    page.context.set_offline(True)
    write_result(ready, "Omaha-8")
    option = page.locator("[name='options/declare']")
    option.evaluate(CHOOSE, "high-low")
    expect(option).to_have_value("high-low")
    ready.press("Save")
    wait_for_reason(ready, "unreached")
    unfold(ready)
    ready.press("Change")
    expect(page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(option).to_have_value("high-low")
    page.context.set_offline(False)
    page.reload()  # the server draws the form
    expect(page.locator(".picker .chosen")).to_have_text("Omaha-8")
    expect(option).to_have_value("high-low")


def test_hand_that_is_being_changed_is_sent_only_on_request(ready: Phone) -> None:
    page = ready.page
    page.context.set_offline(True)
    enter_hand(ready, paid=10)
    ready.press("Save")
    wait_for_reason(ready, "unreached")
    unfold(ready)
    ready.press("Change")
    expect(page.locator("#all_paid")).to_have_value("10")
    page.context.set_offline(False)
    ready.go(f"/nights/{Night.objects.get().pk}")
    wait_for_reason(ready, "held")
    page.reload()
    wait_for_reason(ready, "held")
    assert numbers() == []
    ready.press("Send as it was")
    expect(page.locator("#waiting")).to_be_hidden()
    assert numbers() == [1]


def enter_hand(phone: Phone, *, paid: int) -> None:
    """Enter a hand of Hold'em that Ann wins against Bob."""
    phone.choose("Texas Hold'em")
    phone.all_paid(paid)
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    phone.done()
    phone.fold("Cat")


def test_hand_that_is_discarded_while_another_is_saved_is_not_sent(ready: Phone) -> None:
    """It was stored again after it had been discarded, and recorded."""
    ready.page.context.set_offline(True)
    for number in range(1, 4):
        keep_result(ready, number)
    unfold(ready)
    ready.page.on("dialog", lambda dialog: dialog.accept())
    waiting(ready).nth(2).locator("[data-part=discard]").evaluate(TAP_AFTER_SAVE)
    ready.page.context.set_offline(False)
    expect(ready.page.locator("#saved-hands")).to_contain_text("Hand 2 saved")
    expect(ready.page.locator("#waiting")).to_be_hidden()
    assert numbers() == [1, 2]


def test_installed_app_starts_offline(ready: Phone) -> None:
    wait_until(ready.page, KEPT_HOME)
    session = ready.page.context.new_cdp_session(ready.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    manifest = ready.page.request.get(f"{ready.address}/manifest.webmanifest").json()
    # Chromium's criteria for installing a page as an app: https://web.dev/articles/install-criteria
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        answer = ready.page.request.get(f"{ready.address}{icon['src']}")
        assert answer.ok
        assert answer.headers["content-type"] == icon["type"]
    worker = ready.page.evaluate("navigator.serviceWorker.controller.scriptURL")
    assert worker == f"{ready.address}/service-worker.js"
    ready.page.context.set_offline(True)
    ready.go("/")
    expect(ready.page.get_by_role("link", name="Thursday")).to_be_visible()
    ready.go("/leagues/new")
    expect(ready.page.get_by_role("heading", name="No connection")).to_be_visible()
    ready.tap(ready.page.locator("#kept-pages a", has_text="Record a hand"))
    expect(ready.page.locator("#record .seat")).to_have_count(3)


def test_cached_game_page_keeps_the_league_that_it_was_opened_from(ready: Phone) -> None:
    first = League.objects.get()
    second = make_league(User.objects.get(), "Friday")
    pages = {league: f"/games/omaha-8?league={league.pk}" for league in (first, second)}
    for page in pages.values():
        ready.go(page)
        ready.page.evaluate(HAS_PAGE, page)
    ready.page.context.set_offline(True)
    for league, other in ((first, second), (second, first)):
        ready.go("/leagues/new")
        ready.tap(ready.page.locator(f"#kept-pages a[href$='league={league.pk}']"))
        expect(ready.page.locator("html[data-kept]")).to_be_attached()
        places = ready.page.get_by_role("navigation", name="League")
        expect(places.locator(f"[href*='{league.pk}']").first).to_be_attached()
        expect(places.locator(f"[href*='{other.pk}']")).to_have_count(0)


@contextmanager
def served(folder: Path, port: int) -> Iterator[str]:
    """Run the service as `make run` does, until the end of the block."""
    command = [sys.executable, "manage.py", "serve", "--prepare", "--port", str(port)]
    with subprocess.Popen(
        command,
        cwd=Path(__file__).parents[2],
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    ) as service:
        assert service.stdout is not None
        try:
            yield service.stdout.readline().split()[-1]
        finally:  # end the process after the block, even if it raises an error
            service.terminate()


@pytest.mark.scheduled
def test_all_waiting_hands_are_sent_when_the_server_returns(page: Page, tmp_path: Path) -> None:
    copy_migrated(tmp_path / "league.sqlite3")
    with served(tmp_path, 0) as address:
        phone = Phone(page, address)
        at_the_table(phone)
        page.evaluate(READY)
        page.evaluate(HAS_FORMS, HOLDEM)
    keep_result(phone, 1)
    page.reload()
    expect(page.locator("html[data-kept]")).to_have_count(1)
    keep_result(phone, 2)
    expect(phone.page.locator("#waiting summary")).to_contain_text("waiting for signal")
    with served(tmp_path, int(address.rpartition(":")[2])):
        page.reload()
        expect(page.locator("#waiting")).to_be_hidden(timeout=30_000)
        phone.go(page.url.removeprefix(address).removesuffix("/record"))
        expect(page.locator(".hand-line")).to_have_count(2)
