"""Every page is accessible and fits the screen, in light and dark, narrow and wide."""

import gzip
from itertools import cycle
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, Response, expect
from pytest_django.live_server_helper import LiveServer

from config.web.static_files import MINIFIED
from league.models import Night, Role, User
from league.people.leagues import add_member
from tests.helpers.browser.accessibility import (
    DESK,
    UNFOLD,
    hard_to_use_anywhere,
    hard_to_use_as_shown,
    outside_at_large_text,
    sign_in,
    too_wide,
)
from tests.helpers.browser.chromium import PHONE
from tests.helpers.browser.layout import layout_faults, wrong_colours
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.browser.rooms import House, a_house, visits
from tests.helpers.league.leagues import a_night

KILOBYTE = 1024
TAPPED = (
    "button, select, summary, input[type=text], .choice, .deal, .pill, .declaration label,"
    " .segments label"
)
SMALL = """(tapped) => [...document.querySelectorAll(tapped)]
    .filter((each) => each.checkVisibility({visibilityProperty: true}))
    .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
    .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""

INLINE = "script:not([src]):not([type='application/json']), style, [style], [onclick]"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SUITS = ("club", "diamond", "heart", "spade")
COLOURS = """(suit) => [...new Set([...document.querySelectorAll(`.${suit}:not(.used)`)]
    .map((each) => getComputedStyle(each).color))]"""


@pytest.fixture
def house(transactional_db: None) -> House:
    return a_house(PASSWORD)


@pytest.fixture
def night(transactional_db: None) -> Night:
    night = a_night()
    add_member(night.league, User.objects.create_user("joel"), Role.HOST)
    return night


def rooms(house: House) -> list[str]:
    """Return the URL of every page, and one URL that does not exist."""
    return [*(path for paths in visits(house).values() for path in paths), "/no-such-page"]


@pytest.mark.scheduled
def test_public_pages_are_accessible(phone: Phone) -> None:
    problems = {}
    for path in (
        "/",
        "/sign-in",
        "/sign-up",
        "/games",
        "/api/problems",
        "/api/problems/server-error",
    ):
        phone.go(path)
        phone.page.evaluate(UNFOLD)
        problems[path] = hard_to_use_anywhere(phone.page) + outside_at_large_text(phone.page)
    assert {path: found for path, found in problems.items() if found} == {}


def test_every_component_has_the_right_layout_and_colours_in_both_themes(
    phone: Phone, settings: Any
) -> None:
    """The layout is measured, not compared with screenshots: machines render text differently."""
    page = phone.page
    phone.go("/style")
    expect(page.get_by_role("heading", name="Style")).to_have_count(0)
    settings.DEBUG = True
    phone.go("/style")
    for state in ("Won alone", "Split", "Side pots", "Carried pot", "Everyone else folded"):
        expect(page.get_by_role("region", name=f"Verdict: {state}")).to_be_visible()
    for card in ("Podium", "Biggest win of the night", "Biggest swing of the night"):
        expect(page.get_by_role("heading", name=card)).to_be_visible()
    faults = []
    for size in (PHONE["viewport"], DESK):
        page.set_viewport_size(size)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            found = hard_to_use_as_shown(page) + layout_faults(page) + wrong_colours(page, theme)
            faults += [f"{size['width']} {theme}: {each}" for each in found]
    assert faults == []
    page.evaluate("document.documentElement.classList.add('dark')")
    assert wrong_colours(page, "dark") == []


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.scheduled)])
def test_every_page_is_accessible_and_runs_only_script_files(
    phone: Phone, house: House, everywhere: bool
) -> None:
    """The Content-Security-Policy blocks inline scripts and styles.

    Every run checks that each page fits a phone, and every second page with axe, in light or dark
    mode. The scheduled run checks all pages in both modes and on a desktop.
    """
    sign_in(phone)
    problems, inline = {}, {}
    for path, theme in zip(rooms(house), cycle((*THEMES, None, None)), strict=False):
        phone.go(path)
        inline[path] = phone.page.locator(INLINE).count()
        phone.page.evaluate(UNFOLD)
        problems[path] = too_wide(phone.page) + outside_at_large_text(phone.page)
        if everywhere:
            problems[path] += hard_to_use_anywhere(phone.page)
        elif theme:
            phone.page.emulate_media(color_scheme=theme)
            problems[path] += hard_to_use_as_shown(phone.page)
    assert {path: found for path, found in problems.items() if found} == {}
    assert {path: count for path, count in inline.items() if count} == {}


def test_deck_keypad_and_result_are_accessible(phone: Phone, night: Night) -> None:
    sign_in(phone)
    phone.go(f"/nights/{night.pk}/record?game=texas-holdem")
    phone.all_paid(10)
    assert not hard_to_use_anywhere(phone.page)
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    assert not hard_to_use_anywhere(phone.page)
    phone.done()
    phone.fold("cat")
    phone.fold("dan")
    phone.verdict().locator(".pots").wait_for()
    assert not hard_to_use_anywhere(phone.page)
    phone.page.evaluate(UNFOLD)
    assert not hard_to_use_anywhere(phone.page)


def test_error_list_is_accessible(phone: Phone, night: Night) -> None:
    sign_in(phone)
    phone.go(f"/nights/{night.pk}/record?game=texas-holdem")
    phone.all_paid(10)
    phone.done()
    phone.press("Save")
    phone.page.locator(".board .error").wait_for()
    phone.page.locator("#sheet").wait_for()
    assert not hard_to_use_anywhere(phone.page)


def test_suits_have_the_same_colours_on_all_pages(
    page: Page, live_server: LiveServer, night: Night
) -> None:
    phone = Phone(page, live_server.url)
    sign_in(phone)
    phone.go("/looks")
    phone.tap("label:has([value=four])")
    phone.press("Save")
    expect(page.get_by_text("Saved.")).to_be_visible()
    phone.go(f"/nights/{night.pk}/record?game=texas-holdem")
    phone.all_paid(10)
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    phone.done()
    phone.fold("cat")
    phone.fold("dan")
    phone.verdict().locator(".pots").wait_for()
    phone.open_board()
    colours = {suit: page.evaluate(COLOURS, suit) for suit in SUITS}
    assert {suit: len(found) for suit, found in colours.items()} == dict.fromkeys(SUITS, 1)
    assert len({found for (found,) in colours.values()}) == len(SUITS)


def test_tap_targets_are_large_enough(page: Page, live_server: LiveServer, night: Night) -> None:
    phone = Phone(page, live_server.url)
    sign_in(phone)
    phone.go(f"/nights/{night.pk}/record?game=middlemost")
    phone.open_hand("ann")
    sizes = page.evaluate(SMALL, TAPPED)
    assert sizes == []


def test_recording_page_stays_within_its_download_budget(
    page: Page, live_server: LiveServer, night: Night
) -> None:
    phone = Phone(page, live_server.url)
    sign_in(phone)
    seen: list[Response] = []
    page = page.context.new_page()
    phone = Phone(page, live_server.url)
    page.on("response", lambda response: seen.append(response))  # noqa: PLW0108 (a bound method of a list can't be a listener)
    phone.go(f"/nights/{night.pk}/record")
    page.wait_for_load_state("load")
    seen = [*seen]  # the deck and the keypad load later, or on the first touch
    # As served after collectstatic: without comments.
    scripts = sum(
        len(MINIFIED[".js"](loaded.text()))
        for loaded in seen
        if loaded.ok and "/league/js/" in loaded.url
    )
    # Files for offline use load later. Fonts have their own budget, because pages use system fonts
    # until they arrive.
    fetched = {loaded.url: _served_bytes(loaded) for loaded in seen if loaded.ok}
    fonts = sum(size for url, size in fetched.items() if url.endswith(".woff2"))
    assert sum(fetched.values()) - fonts < 100 * KILOBYTE, fetched
    assert fonts < 60 * KILOBYTE
    assert scripts < 60 * KILOBYTE
    assert len(seen) <= 28


def _served_bytes(loaded: Response) -> int:
    """Return the size in which production serves a file: minified and compressed."""
    minify = MINIFIED.get(f".{loaded.url.rpartition('.')[2]}")
    if minify is None:
        return loaded.request.sizes()["responseBodySize"]
    return len(gzip.compress(minify(loaded.text()).encode()))
