"""On a 360-pixel phone, the main content is visible, not broken, and large enough to tap."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.closing.receipts import share
from league.models import Night, Role, User
from league.nights.share_links import share_hand
from league.people.leagues import add_member
from league.recording.record import record_hand
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.league.deals import a_deal
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import closed
from tests.helpers.league.stats_rows import count_all

pytestmark = pytest.mark.django_db(transaction=True)
THUMB = 44  # minimum size of a tap target in CSS pixels
NO_SHEET = """for (const each of ["share", "canShare"])
    Object.defineProperty(navigator, each, {value: undefined});
Object.defineProperty(navigator, "clipboard", {value: {writeText: async () => {}}});"""
REFUSED = "navigator.clipboard.writeText = async () => { throw new Error('refused'); };"
HIDDEN = "each => Math.max(0, each.scrollWidth - each.clientWidth)"


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def phone(page: Page, live_server: LiveServer, night: Night) -> Phone:
    phone, host = Phone(page, live_server.url), User.objects.create_user("joel", password=PASSWORD)
    add_member(night.league, host, Role.HOST)
    phone.sign_in(host)
    return phone


def box(element: Locator) -> Any:
    return element.bounding_box()


def test_replay_controls_do_not_cover_the_table(phone: Phone, night: Night) -> None:
    """The controls used to cover half the table."""
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    phone.go(f"/replays/{share_hand(hand, by=None)}")
    screen = phone.page.viewport_size
    assert screen is not None
    for _ in range(4):
        assert box(phone.page.locator(".narration"))["height"] < screen["height"] / 3
        phone.press("Next step")


def test_large_nets_are_not_cut_off(phone: Phone, night: Night) -> None:
    """Large nets used to be cut off on the right. Payments and winnings are now below the name."""
    players = [each | {"paid": 1_250_000} for each in holdem()["players"]]
    hand = record_hand(night, uuid4(), holdem(players=players), by=None).hand
    phone.go(f"/hands/{hand.pk}")
    net = phone.page.get_by_role("cell", name="+1,250,000")
    expect(net).to_be_visible()
    assert phone.page.locator(".panel:has(> table)").first.evaluate(HIDDEN) == 0
    expect(phone.page.get_by_text("paid 1,250,000, won 2,500,000")).to_be_visible()


def test_player_links_on_a_night_are_large_enough_to_tap(phone: Phone, night: Night) -> None:
    """Links to players and to hands that were paid differently used to be 33 by 25 pixels."""
    record_hand(night, uuid4(), holdem(took={"bob": 20}), by=None)
    phone.go(f"/nights/{night.pk}")
    links = phone.page.locator(".stacks a").all()
    assert len(links) == 6
    for link in links:
        assert box(link)["height"] >= THUMB, link.inner_text()
        assert box(link)["width"] >= THUMB, link.inner_text()


def test_player_links_in_the_stats_of_a_game_are_large_enough_to_tap(
    phone: Phone, night: Night
) -> None:
    """Links to players used to be 40 pixels high, links to hands 30."""
    record_hand(night, uuid4(), holdem(), by=None)
    count_all(night.league)
    phone.go(f"/leagues/{night.league.pk}/stats/game?game=texas-holdem&season={night.season.pk}")
    links = phone.page.locator("td a, th a, .memories a").all()
    assert len(links) > 2
    assert [link.inner_text() for link in links if box(link)["height"] < THUMB] == []


def test_receipt_is_shared_from_the_first_screen(phone: Phone, night: Night) -> None:
    """The buttons used to be below all hands."""
    record_hand(night, uuid4(), holdem(), by=None)
    closed(night)
    screen = phone.page.viewport_size
    assert screen is not None
    phone.go(f"/nights/{night.pk}/receipt")
    button = box(phone.page.get_by_role("button", name="Create share link"))
    assert button["y"] + button["height"] < screen["height"]


@pytest.mark.parametrize("copies", [True, False])
def test_recap_is_saved_if_it_can_not_be_shared_or_copied(
    copies: bool, phone: Phone, night: Night
) -> None:
    """Without a share sheet, a refused clipboard made the button do nothing."""
    record_hand(night, uuid4(), holdem(), by=None)
    closed(night)
    page = phone.page
    page.add_init_script(NO_SHEET if copies else NO_SHEET + REFUSED)
    phone.go(f"/nights/{night.pk}")
    if copies:
        phone.press("Send the recap")
        expect(page.get_by_text("Link copied")).to_be_visible()
    else:
        with page.expect_download() as download:
            phone.press("Send the recap")
        assert download.value.suggested_filename == "recap.png"


def test_standings_fit_and_hint_at_more_columns(phone: Phone, night: Night) -> None:
    """Ten columns used to be cut off without a hint. Names now stay fixed while they scroll."""
    record_hand(night, uuid4(), holdem(), by=None)
    closed(night)
    count_all(night.league)
    phone.go(f"/seasons/{night.season_id}")
    page = phone.page
    assert page.locator(".panel:has(> table.places)").evaluate(HIDDEN) == 0
    expect(page.get_by_text("Swipe for more columns. Tap a column to sort.")).to_be_visible()
    scroll, name = page.locator("#figures .aside-scroll"), page.locator("#figures tbody th").first
    before = box(name)["x"]
    assert scroll.evaluate(HIDDEN) > 0
    scroll.evaluate("each => each.scrollTo(200, 0)")
    assert abs(box(name)["x"] - before) < 1


def test_game_can_be_found_by_its_name_or_an_alias(phone: Phone) -> None:
    page = phone.page
    phone.go("/games")
    rows = page.locator("[data-family] li:not([hidden])")
    everything = rows.count()
    page.get_by_label("Find a game").fill("seven card stud")
    expect(rows).not_to_have_count(everything)
    expect(page.get_by_role("link", name="Seven-Card Stud").first).to_be_visible()
    page.get_by_label("Find a game").fill("no such game")
    expect(page.get_by_text("No games found")).to_be_visible()
    expect(rows).to_have_count(0)


def test_receipt_link_can_be_copied_and_the_seal_is_collapsed(phone: Phone, night: Night) -> None:
    closing = closed(night)
    page = phone.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.go(f"/receipts/{share(night, by=None)}")
    seal = page.locator("details .hash", has_text=closing.hash)
    expect(seal).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".printed", has_text=closing.hash)).to_be_visible()
    page.emulate_media(media="screen")
    phone.tap("summary:has-text('Proof that nothing was changed')")
    expect(seal).to_be_visible()
    phone.press("Copy")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_count_and_board_show_the_league_and_its_places(phone: Phone, night: Night) -> None:
    """Both pages showed the name of the service and no places."""
    a_deal(night)
    for address in ("count", "deal/cards?board"):
        phone.go(f"/nights/{night.pk}/{address}")
        sheet, page = phone.page.locator("#sheet"), phone.page
        if sheet.is_visible():
            phone.press("Done")
        expect(page.locator(".switcher")).to_have_text(night.league.name)
        for place in page.locator(".league-nav a").all():
            expect(place).to_be_in_viewport(ratio=1)
            place.click(trial=True)
