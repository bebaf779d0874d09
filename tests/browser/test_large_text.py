"""Text at 150 and 200 %: pages fit a 360-pixel phone, and words are not broken."""

from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.deals.open_deal import name_game
from league.deals.table import NamedGame
from league.models import Night
from league.recording.record import record_hand
from league.stats.count import count_marked
from league.tournaments.events import start_clock
from tests.helpers.browser.accessibility import OUTSIDE as OFF_SCREEN
from tests.helpers.browser.accessibility import scale_text
from tests.helpers.browser.phone import Phone
from tests.helpers.league.leagues import holdem
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.tournaments import a_tournament

SIZES = (16, 24, 32)
SHOWN = [
    {"name": "Ann", "paid": 20, "down": ["Ac", "Ad"]},
    {"name": "Bob", "paid": 20, "down": ["Kc", "Kd"]},
]
OUTSIDE = """() => [...document.querySelectorAll("#sheet button")]
    .filter((key) => key.checkVisibility())
    .filter((key) => key.getBoundingClientRect().right > innerWidth + 1).length"""
LINES = """(element) => {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), tops = new Set();
    while (walk.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        if (walk.currentNode.data.trim())
            for (const { top } of range.getClientRects()) tops.add(Math.round(top));
    }
    return tops.size;
}"""

# Words that are broken into lines.
BROKEN = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), broken = [];
    const range = document.createRange();
    while (walk.nextNode()) {
        const text = walk.currentNode, parent = text.parentElement;
        if (!parent.checkVisibility({visibilityProperty: true})) continue;
        for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\d']+/gu)) {
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const rows = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
            if (rows.size > 1 && parent.getBoundingClientRect().width > 1) broken.push(word);
        }
    }
    return broken;
}"""
SCROLLING = """() => [...document.querySelectorAll("main .panel")]
    .filter((panel) => getComputedStyle(panel).overflowX !== "visible")
    .filter((panel) => panel.scrollWidth > panel.clientWidth + 1)
    .map((panel) => panel.outerHTML.slice(0, 120))"""
BARS = ".league-nav, .bar, .narration"

# The size of the page's text alone. Media queries don't depend on it.
ENLARGE = "document.documentElement.style.fontSize = '200%'"


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob")
    return phone


def lines(text: Locator) -> int:
    count: int = text.evaluate(LINES)
    return count


def test_deck_fits_the_screen_at_any_text_size(phone: Phone) -> None:
    """At 200 %, two of seven columns and the erase key used to be off screen."""
    page = phone.page
    phone.go(f"/nights/{Night.objects.get().pk}/record?game=texas-holdem")
    phone.done()  # the keypad for the common payment
    phone.open_board()
    expect(page.locator(".deck")).to_be_visible()
    for size in SIZES:
        scale_text(page, size)
        assert page.evaluate(OUTSIDE) == 0, size
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, size
    scale_text(page, 16)
    columns = page.locator(".deck").evaluate("(deck) => getComputedStyle(deck).gridTemplateColumns")
    assert len(columns.split()) == 7


def test_name_of_the_game_is_not_broken_at_any_text_size(phone: Phone) -> None:
    """On the night's page and in the form, "Qualifiers" used to be broken into three lines."""
    page, night = phone.page, Night.objects.get()
    name_game(night, uuid4(), NamedGame("qualifiers"), by=None)
    for path, name in (("", "#deal-title"), ("/record", ".picker .chosen")):
        phone.go(f"/nights/{night.pk}{path}")
        for size in SIZES:
            scale_text(page, size)
            assert lines(page.locator(name)) == 1, (name, size)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, size


def test_words_do_not_break_at_any_text_size(phone: Phone) -> None:
    """ "You pay Bob" and "Level" used to be broken into one letter per line."""
    page, night = phone.page, Night.objects.get()
    start_clock(a_tournament(night), by=None)
    phone.go(f"/nights/{night.pk}")
    level = page.locator("[data-says-level]")
    for size in SIZES:
        scale_text(page, size)
        assert lines(level) <= 2, size
    night.tournaments.all().delete()
    players = [{"name": name, "paid": 20} for name in ("Ann", "Bob")]
    record = {"variant": "texas-holdem", "depth": "result", "took": {"Ann": 40}, "button": 0}
    record_hand(night, uuid4(), record | {"players": players}, by=None)
    closed(night)
    phone.go(f"/nights/{night.pk}/payments")
    due = page.get_by_text("Bob pays Ann", exact=True)
    for size in SIZES:
        scale_text(page, size)
        assert lines(due) <= 2, size


def test_pages_fit_the_screen_at_200_percent(phone: Phone) -> None:
    """The season was 461 pixels wide, and the podium's third place was off screen."""
    page, night = phone.page, Night.objects.get()
    tournament = a_tournament(night)
    start_clock(tournament, by=None)
    at = f"/nights/{night.pk}"
    fits(phone, f"{at}/tournaments/{tournament.pk}")
    fits(phone, f"{at}/record?game=texas-holdem")
    phone.done()  # the keypad for the common payment
    phone.open_board()
    assert page.evaluate(OUTSIDE) == 0
    night.tournaments.all().delete()
    dealt(night, holdem(players=SHOWN))
    closed(night)
    fits(phone, at)
    assert lines(page.locator(".hand-line .game").first) <= 2
    fits(phone, f"{at}/hands")
    while count_marked(night.league.pk):
        pass
    fits(phone, f"/seasons/{night.season_id}")
    standings = page.get_by_role("region", name="Standings")
    assert standings.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    expect(standings).to_contain_text("+20")
    assert lines(page.get_by_text("Season recap", exact=True)) <= 2


def test_payments_and_stacks_fit_the_screen_at_200_percent(phone: Phone) -> None:
    """The money page was 406 pixels wide, and stacks were to the right of their panel."""
    page, night = phone.page, Night.objects.get()
    dealt(night, holdem(players=SHOWN))
    phone.go(f"/nights/{night.pk}")
    page.evaluate(ENLARGE)
    panel = page.locator(".panel:has(> .stacks)")
    assert panel.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    closed(night)
    fits(phone, f"/leagues/{night.league.pk}/money")
    fits(phone, f"/nights/{night.pk}/payments")
    tag, amount = page.locator(".route .tag").bounding_box(), page.locator(".amount").bounding_box()
    assert tag
    assert amount
    assert tag["y"] >= amount["y"] + amount["height"] or tag["x"] >= amount["x"] + amount["width"]


def test_keypad_covers_about_half_of_the_screen_at_200_percent(phone: Phone) -> None:
    """It covered the whole screen, and the last keys were below the fold."""
    page = phone.page
    phone.go(f"/nights/{Night.objects.get().pk}/record?game=texas-holdem")
    expect(page.locator("#sheet .pad")).to_be_visible()
    page.evaluate(ENLARGE)
    height, content = page.locator("#sheet").evaluate(
        "(sheet) => [sheet.clientHeight, sheet.scrollHeight]"
    )
    assert content <= height <= 0.6 * page.evaluate("innerHeight")
    for key in page.locator("#sheet .pad .key").all():
        box = key.bounding_box()
        assert box
        assert box["height"] >= 44


def test_home_page_of_the_demo_fits_the_screen_at_200_percent(
    page: Page, live_server: LiveServer
) -> None:
    """The head was 401 pixels wide."""
    phone = Phone(page, live_server.url)
    phone.go("/")
    phone.press("Try the demo")
    page.wait_for_url("**/nights/**")
    fits(phone, "/")


def test_pages_of_the_demo_break_no_word_at_200_percent(
    page: Page, live_server: LiveServer
) -> None:
    """Names next to numbers and buttons used to be broken into one letter per line.

    The fields of the chip count were to the right of their panel, and the bar with the save button
    covered more than half of the screen.
    """
    phone = Phone(page, live_server.url)
    phone.go("/")
    phone.press("Try the demo")
    page.wait_for_url("**/nights/**")
    night = Night.objects.get(pk=page.url.rsplit("/", 1)[-1])
    hand, ended = night.hands.first(), Night.objects.exclude(pk=night.pk).first()
    assert hand
    assert ended
    pages = {
        f"/nights/{night.pk}": ["", "/charges", "/close", "/count", "/deal", "/hands", "/leave"],
        f"/nights/{night.pk}/": ["record?game=texas-holdem", "tournaments", "tournaments/new"],
        f"/leagues/{night.league.pk}": ["", "/games", "/money", "/nights/new", "/options"],
        f"/seasons/{night.season_id}": ["", "/recap", "/scoring"],
        f"/hands/{hand.pk}": ["", "/record", "/replay"],
        f"/nights/{ended.pk}/": ["payments", "receipt"],
    }
    for address in [start + end for start, ends in pages.items() for end in ends]:
        fits(phone, address)
        assert page.evaluate(BROKEN) == [], address
        assert page.evaluate(SCROLLING) == [], address
        for bar in page.locator(BARS).all():
            box = bar.bounding_box()
            assert not box or box["height"] <= 0.3 * 780, address


def fits(phone: Phone, address: str) -> None:
    page = phone.page
    phone.go(address)
    page.wait_for_load_state()
    page.evaluate(ENLARGE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
    assert page.evaluate(OFF_SCREEN) == [], address
