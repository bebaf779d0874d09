"""On a slow connection, the recording page shows what is loading and what is out of date."""

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand
from tests.helpers.browser.phone import Phone

SHOWN_WITHIN = 300  # milliseconds


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    """A phone with the verdict on a hand of Hold'em, on which the server then stops responding."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob")
    phone.press("Record a hand")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.done()
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    expect(phone.verdict()).to_contain_text("Ann wins 20")
    return phone


def held(page: Page, path: str) -> list[Route]:
    """Hold the requests to this path back, and return them as they arrive."""
    routes: list[Route] = []
    page.route(path, lambda route: routes.append(route))  # noqa: PLW0108 (routes are Playwright objects)
    return routes


def opacity(phone: Phone) -> float:
    return float(phone.verdict().evaluate("section => getComputedStyle(section).opacity"))


def other_game(phone: Phone) -> None:
    phone.tap(".picker > summary")
    phone.tap(phone.page.locator(".choice", has=phone.page.locator("[value=omaha-8]")).first)


def test_form_that_loads_slowly_shows_that_it_loads(phone: Phone) -> None:
    """The old form and its verdict used to stay on the screen as if they were valid."""
    page = phone.page
    routes = held(page, "**/redraw")
    other_game(phone)
    page.wait_for_timeout(SHOWN_WITHIN)
    expect(page.locator("#says")).to_have_text("Loading Omaha-8…")
    assert opacity(phone) < 0.5
    phone.press("Save")
    assert not Hand.objects.exists()  # the form is still that of Hold'em
    routes[0].continue_()
    expect(page.locator("#says")).to_contain_text("Ann: hole cards are missing")
    assert opacity(phone) == 1


def test_form_that_fails_to_load_can_be_requested_again(phone: Phone) -> None:
    page = phone.page
    page.route("**/redraw", lambda route: route.abort())
    other_game(phone)
    note = page.get_by_role("alert").filter(has_text="The form of this game didn't load.")
    expect(note).to_be_visible()
    expect(phone.verdict()).not_to_contain_text("Ann wins")
    phone.press("Save")
    expect(note).to_be_visible()
    assert not Hand.objects.exists()
    page.unroute("**/redraw")
    phone.press("Try again")
    expect(page.locator("#says")).to_contain_text("Ann: hole cards are missing")
    expect(note).to_be_hidden()


def test_verdict_that_loads_slowly_is_dimmed(phone: Phone) -> None:
    routes = held(phone.page, "**/check")
    phone.page.locator("#all_paid").fill("20")
    phone.page.wait_for_timeout(SHOWN_WITHIN)
    assert opacity(phone) < 0.5
    phone.page.wait_for_timeout(500)
    routes[0].continue_()
    expect(phone.verdict()).to_contain_text("Ann wins 40")
    assert opacity(phone) == 1


def test_draft_survives_a_reload_on_which_its_form_fails_to_load(phone: Phone) -> None:
    """An empty form used to replace the stored draft."""
    page = phone.page
    page.route("**/redraw", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="didn't load")).to_be_visible()
    phone.press("Try again")
    expect(page.get_by_role("alert").filter(has_text="didn't load")).to_be_visible()
    page.unroute("**/redraw")
    phone.press("Try again")
    expect(page.locator("#kept")).to_be_visible()
    expect(phone.verdict()).to_contain_text("Ann wins 20")
