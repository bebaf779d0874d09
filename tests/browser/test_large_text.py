"""Pages with text at 150 and 200 %: everything fits a phone of 360 pixels, and words stay whole."""

from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Night
from league.recording.record import record_hand
from league.tournaments.events import start_clock
from tests.helpers.browser.phone import Thumb
from tests.helpers.league.nights import closed
from tests.helpers.league.tournaments import a_tournament

SIZES = (16, 24, 32)
OUTSIDE = """() => [...document.querySelectorAll("#sheet button")]
    .filter((key) => key.checkVisibility())
    .filter((key) => key.getBoundingClientRect().right > innerWidth + 1).length"""
LINES = """(element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Thumb:
    thumb = Thumb(page, live_server.url)
    thumb.join_night("Ann", "Bob")
    return thumb


def scaled(page: Page, size: int) -> None:
    page.evaluate(f"document.documentElement.style.fontSize = '{size}px'")


def lines(text: Locator) -> int:
    count: int = text.evaluate(LINES)
    return count


def test_deck_fits_the_screen_at_any_text_size(thumb: Thumb) -> None:
    """Was: two of seven columns, with the key that erases, outside at 200 %."""
    page = thumb.page
    thumb.go(f"/nights/{Night.objects.get().pk}/record?game=texas-holdem")
    thumb.open_board()
    expect(page.locator(".deck")).to_be_visible()
    for size in SIZES:
        scaled(page, size)
        assert page.evaluate(OUTSIDE) == 0, size
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, size
    scaled(page, 16)
    columns = page.locator(".deck").evaluate("(deck) => getComputedStyle(deck).gridTemplateColumns")
    assert len(columns.split()) == 7


def test_words_are_unbroken_at_any_text_size(thumb: Thumb) -> None:
    """Was: "You pay Bob" and "Level" with one letter a line."""
    page, night = thumb.page, Night.objects.get()
    start_clock(a_tournament(night))
    thumb.go(f"/nights/{night.pk}")
    level = page.locator("[data-says-level]")
    for size in SIZES:
        scaled(page, size)
        assert lines(level) <= 2, size
    night.tournaments.all().delete()
    players = [{"name": name, "paid": 20} for name in ("Ann", "Bob")]
    record = {"variant": "texas-holdem", "depth": "result", "took": {"Ann": 40}, "button": 0}
    record_hand(night, uuid4(), record | {"players": players}, by=None)
    closed(night)
    thumb.go(f"/nights/{night.pk}/payments")
    due = page.get_by_text("Bob pays Ann", exact=True)
    for size in SIZES:
        scaled(page, size)
        assert lines(due) <= 2, size
