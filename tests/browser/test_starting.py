"""Start a night: players in the order of their seats, moved by arrows; cash out what is there."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Night, Seat
from tests.helpers.browser.phone import Thumb

NAMES = ("Marta", "Gus", "Ann")


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Thumb:
    """On the page of a night in which the players are seated as they were typed."""
    thumb = Thumb(page, live_server.url)
    thumb.join_night(*NAMES)
    thumb.go(f"/leagues/{Night.objects.get().league.pk}/nights/new")
    return thumb


def expect_order(thumb: Thumb, *names: str) -> None:
    expect(thumb.page.locator("[data-seating] .name")).to_have_text(names)


def test_arrows_and_ticks_set_the_order_of_seats(thumb: Thumb) -> None:
    """Was: numbers to type, in fields of 44 pixels."""
    page = thumb.page
    expect_order(thumb, *NAMES)
    up = page.get_by_role("button", name="Move Ann up")
    box = up.bounding_box()
    assert box
    assert (round(box["width"]), round(box["height"])) == (44, 44)
    thumb.tap(up)
    expect_order(thumb, "Marta", "Ann", "Gus")
    for name in NAMES:
        page.get_by_label(name, exact=True).uncheck()
    expect(page.get_by_role("button", name="Start night")).to_be_disabled()
    expect(page.get_by_text("Choose at least two players.")).to_be_visible()
    for name in ("Gus", "Marta", "Ann"):
        page.get_by_label(name, exact=True).check()
    expect_order(thumb, "Gus", "Marta", "Ann")
    page.get_by_label("First dealer").select_option("Ann")
    thumb.press("Start night")
    expect(page.get_by_role("heading", name="Night 2")).to_be_visible()
    seats = Seat.objects.filter(night__number=2).order_by("position")
    assert [seat.player.name for seat in seats] == ["Ann", "Gus", "Marta"]


def test_cash_out_fills_in_the_stack_of_the_chosen_player(thumb: Thumb) -> None:
    thumb.go(f"/nights/{Night.objects.get().pk}/leave")
    chips = thumb.page.get_by_label("Chips counted")
    expect(chips).to_have_value("")
    who = thumb.page.get_by_label("Who cashes out")
    who.select_option(label="Gus · expected 100")
    expect(chips).to_have_value("100")
    chips.fill("98")
    who.select_option(label="Ann · expected 100")
    expect(chips).to_have_value("98")
