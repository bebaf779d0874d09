"""Issue 5: many phones, one table, in contexts that know nothing of each other."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from league.closing import Decisions, close_night
from league.leagues import add_player
from league.models import Hand, League, Night, Revision, Rival
from league.nights import stacks
from league.recording import record_hand, revise_hand
from league.stats.counting import count_marked
from tests.browser.conftest import PHONE
from tests.browser.phone import Thumb
from tests.browser.test_offline import FORMS, keep_result, waiting

RESULT = {
    "players": [{"name": name, "paid": 5} for name in ("Ann", "Bob", "Cat")],
    "depth": "result",
    "took": {"Bob": 15},
}
MOVED_ON = 3_000  # milliseconds: issue 5


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Thumb:
    """The host's phone, at a night of three."""
    page.set_default_timeout(20_000)
    expect.set_options(timeout=10_000)
    thumb = Thumb(page, live_server.url)
    thumb.sign_up()
    thumb.make_league(("Ann", "Bob", "Cat"))
    thumb.start_night()
    expect(page.get_by_role("link", name="Record a hand")).to_be_visible()
    return thumb


@pytest.fixture
def other(browser: Browser, thumb: Thumb) -> Iterator[Thumb]:
    """A phone that joins by the address in the picture, as Bob."""
    context = browser.new_context(**PHONE)
    phone = Thumb(context.new_page(), thumb.address)
    phone.page.set_default_timeout(10_000)
    thumb.tap("summary:has-text('Join with a phone')")
    link = thumb.page.locator(".join a").get_attribute("href")
    thumb.tap("summary:has-text('Join with a phone')")
    phone.page.goto(link or "")
    phone.press("Bob")
    expect(phone.page.get_by_role("heading", name="Hands")).to_be_visible()
    phone.page.wait_for_load_state("load")
    yield phone
    context.close()


def look(thumb: Thumb, name: str) -> None:
    """Take a picture to look at, where somebody asks for it."""
    if folder := os.environ.get("LOOK"):
        for scheme in ("dark", "light"):
            thumb.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for width, height in ((360, 740), (1280, 900)):
                thumb.page.set_viewport_size({"width": width, "height": height})
                path = Path(folder) / f"{name}-{width}-{scheme}.png"
                thumb.page.screenshot(path=path, full_page=True)
        thumb.page.set_viewport_size({"width": 360, "height": 640})


def lose(route: Route) -> None:
    """Lose what is sent; pages come."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def write_down(thumb: Thumb, winner: str) -> None:
    thumb.press("Record a hand")
    thumb.choose("Nightmare")
    thumb.result_only()
    thumb.all_paid(5)
    thumb.done()
    thumb.tap(f".pill:has-text('{winner}')")


def saved(thumb: Thumb) -> None:
    thumb.press("Save")
    expect(thumb.page.get_by_role("heading", name="Hands")).to_be_visible(timeout=20_000)


def night(thumb: Thumb) -> None:
    thumb.go(f"/nights/{Night.objects.get().pk}")


def test_another_phone_sees_a_hand_within_three_seconds(thumb: Thumb, other: Thumb) -> None:
    write_down(thumb, "Bob")
    saved(thumb)
    expect(other.page.locator(".hand-line")).to_have_count(1, timeout=MOVED_ON)
    expect(other.page.locator(".stacks tr", has_text="Bob")).to_contain_text("110")


def test_what_is_open_and_typed_stays_when_the_night_moves_on(thumb: Thumb, other: Thumb) -> None:
    other.tap("summary:has-text('Buy chips')")
    other.page.fill("[name=chips]", "77")
    key = other.page.input_value("details[open] [name=key]")
    write_down(thumb, "Bob")
    saved(thumb)
    expect(other.page.locator(".hand-line")).to_have_count(1)
    expect(other.page.locator("[name=chips]")).to_have_value("77")
    expect(other.page.locator("[name=chips]")).to_be_focused()
    assert other.page.input_value("details[open] [name=key]") == key


def test_lists_stand_once_when_another_hand_is_there_to_be_undone(thumb: Thumb) -> None:
    """The form that undoes a hand makes room for the next one's, above what is typed in."""
    write_down(thumb, "Bob")
    saved(thumb)
    thumb.tap("summary:has-text('Buy in')")
    thumb.page.fill("details[open] [name=chips]", "77")
    first = Revision.objects.get()
    said = {"variant": "nightmare", "button": 0, **RESULT}
    record_hand(Night.objects.get(), uuid4(), said, by=first.made_by)
    expect(thumb.page.locator(".hand-line")).to_have_count(2, timeout=MOVED_ON)
    expect(thumb.page.get_by_text("Hand 2 is in the book.")).to_be_visible()
    for heading in ("Hands", "Stacks"):
        expect(thumb.page.get_by_role("heading", name=heading, exact=True)).to_have_count(1)
    expect(thumb.page.locator("form.undo")).to_have_count(1)
    expect(thumb.page.locator("details[open] [name=chips]")).to_have_value("77")


def test_two_phones_record_the_same_hand_once(thumb: Thumb, other: Thumb) -> None:
    for phone in (thumb, other):
        write_down(phone, "Bob")
    saved(thumb)
    expect(other.page.get_by_text("Another phone has saved hand 1")).to_be_visible()
    look(other, "meanwhile")
    saved(other)
    expect(other.page.get_by_text("another phone said the same")).to_be_visible()
    assert Hand.objects.count() == 1
    assert sorted(stacks(Night.objects.get()).values()) == [95, 95, 110]


def test_two_phones_record_it_differently_and_the_host_picks(thumb: Thumb, other: Thumb) -> None:
    for phone, winner in ((thumb, "Bob"), (other, "Cat")):
        write_down(phone, winner)
    saved(thumb)
    saved(other)
    expect(other.page.get_by_text("Yours is kept beside it")).to_be_visible()
    note = thumb.page.get_by_role("link", name="Hand 1 was told twice")
    expect(note).to_be_visible(timeout=MOVED_ON)
    look(thumb, "night-rival")
    thumb.tap(note)
    look(thumb, "rivals")
    thumb.press("This one is right")
    expect(thumb.page.get_by_text("corrected to what the other phone told")).to_be_visible()
    assert Rival.objects.get().state == Rival.State.TAKEN
    assert thumb.stack("Cat") == "110"


def test_what_two_phones_kept_offline_is_recorded_once_each(thumb: Thumb, other: Thumb) -> None:
    """Three results without cards, told by both: each phone says which hand was which."""
    for phone in (thumb, other):
        phone.press("Record a hand")
        expect(phone.page.locator("#record .seat")).to_have_count(3)
        phone.page.evaluate(FORMS)
        phone.page.context.set_offline(True)
        for place, winner in enumerate(("Bob", "Cat", "Bob")):
            keep_result(phone, place + 1, winner=winner)
    for phone in (thumb, other):
        phone.page.context.set_offline(False)
        expect(phone.page.locator("#waiting")).to_be_hidden()
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2, 3]
    told = Rival.objects.order_by("number").values_list("number", "state")
    assert list(told) == [(number, Rival.State.MERGED) for number in (1, 2, 3)]


def test_what_waits_stays_shown_when_the_night_moves_on(thumb: Thumb, other: Thumb) -> None:
    """And what lands is told on the page that is there, which is not fetched anew."""
    thumb.page.route("**/record", lose)
    write_down(thumb, "Bob")
    thumb.press("Save")
    expect(waiting(thumb)).to_have_count(1)
    night(thumb)
    write_down(other, "Cat")
    saved(other)
    expect(thumb.page.locator(".hand-line")).to_have_count(1)
    expect(waiting(thumb)).to_have_count(1)
    thumb.page.evaluate("window.isTheSame = true")
    thumb.page.unroute("**/record")
    thumb.press("Send again")
    expect(thumb.page.locator("#landed")).to_contain_text("Another phone has told hand 1 otherwise")
    expect(thumb.page.get_by_role("link", name="Hand 1 was told twice")).to_be_visible()
    assert thumb.page.evaluate("window.isTheSame")


def test_mine_is_the_next_hand(thumb: Thumb, other: Thumb) -> None:
    for phone, winner in ((thumb, "Bob"), (other, "Cat")):
        write_down(phone, winner)
    saved(thumb)
    other.press("Mine is the next hand")
    expect(other.page.get_by_text("Another phone has saved")).to_be_hidden()
    saved(other)
    assert [hand.number for hand in Hand.objects.order_by("number")] == [1, 2]
    assert not Rival.objects.exists()


def test_a_count_on_one_phone_is_seen_on_another(thumb: Thumb, other: Thumb) -> None:
    for phone in (thumb, other):
        phone.press("Count")
    mine = thumb.page.get_by_label("Chips of Ann")
    mine.fill("42")
    other.page.get_by_label("Chips of Bob").fill("100")
    other.press("Keep the count")
    expect(thumb.page.get_by_label("Chips of Bob")).to_have_value("100")
    expect(mine).to_have_value("42")


def test_the_pages_of_a_league_move_on(thumb: Thumb, other: Thumb) -> None:
    """As the night: what is typed stays."""
    page, found = thumb.page, Night.objects.select_related("season__league").get()
    league = found.season.league
    thumb.go(f"/leagues/{league.pk}")
    page.fill("#players [name=name]", "Da")
    write_down(other, "Cat")
    saved(other)
    expect(page.locator("#nights-title ~ ul")).to_contain_text("1 hand")
    add_player(league, "Eve")
    expect(page.locator("#players")).to_contain_text("Eve")
    expect(page.locator("#players [name=name]")).to_have_value("Da")
    thumb.go(f"/seasons/{found.season_id}")
    count_marked(league.pk)
    expect(page.locator("#forms-title")).to_be_visible()


def test_the_pages_of_a_hand_and_of_closing_move_on(thumb: Thumb) -> None:
    page, found = thumb.page, Night.objects.get()
    write_down(thumb, "Cat")
    saved(thumb)
    hand = Hand.objects.get()
    thumb.go(f"/hands/{hand.pk}")
    expect(page.get_by_role("heading", name="Nightmare")).to_be_visible()
    thumb.tap("summary:has-text('Take it back')")
    page.fill("#reason", "they never")
    told = hand.revisions.get().record
    revise_hand(hand, uuid4(), told, by=None, reason="paid again")
    expect(page.get_by_text("paid again")).to_be_visible()
    expect(page.locator("#reason")).to_have_value("they never")
    thumb.go(f"/nights/{found.pk}/close")
    expect(page.get_by_text("Not counted")).to_be_visible()
    expect(page.locator("#outcome")).not_to_contain_text("pays")
    page.locator("[name=by_hands]").check()
    expect(page.locator("#outcome")).to_contain_text("Ann pays Cat 5")
    revise_hand(hand, uuid4(), told | {"took": {"Bob": 15}}, by=None)
    expect(page.locator("#outcome")).to_contain_text("Ann pays Bob 5")
    expect(page.locator("[name=by_hands]")).to_be_checked()
    page.locator("[name=by_hands]").uncheck()
    close_night(found, uuid4(), by=None, decisions=Decisions(by_hands=True))
    expect(page.get_by_role("heading", name="Payments")).to_be_visible()


def test_the_host_signs_a_phone_out(thumb: Thumb, other: Thumb) -> None:
    league = League.objects.get()
    thumb.go(f"/leagues/{league.pk}/phones")
    look(thumb, "phones")
    thumb.page.get_by_role("button", name="Sign out the phone of Bob").tap()
    expect(thumb.page.get_by_text("None yet.")).to_be_visible()
    expect(other.page.get_by_text("signed out of the table")).to_be_visible(timeout=MOVED_ON)
    night(other)
    assert "/sign-in" in other.page.url


def test_a_page_says_when_it_is_cut_off_and_catches_up(thumb: Thumb, other: Thumb) -> None:
    other.page.context.set_offline(True)
    expect(other.page.get_by_text("what you see may be old")).to_be_visible(timeout=15_000)
    write_down(thumb, "Bob")
    saved(thumb)
    other.page.context.set_offline(False)
    expect(other.page.locator(".hand-line")).to_have_count(1, timeout=MOVED_ON)
    expect(other.page.get_by_text("what you see may be old")).to_be_hidden()


def test_a_hidden_page_asks_nothing(thumb: Thumb) -> None:
    asked: list[Any] = []
    thumb.page.on("request", lambda each: asked.append(each.url) if "pulse" in each.url else None)
    with thumb.page.expect_request("**/pulse"):
        pass
    thumb.page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
    )
    thumb.page.wait_for_timeout(2_500)
    asked.clear()
    thumb.page.wait_for_timeout(4_500)
    assert not asked


def test_the_picture_of_a_night(thumb: Thumb) -> None:
    thumb.tap("summary:has-text('Join with a phone')")
    expect(thumb.page.locator(".join .qr")).to_be_visible()
    look(thumb, "join")
