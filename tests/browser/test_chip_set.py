"""A league's chips by colour: the host enters them, and players count their stacks by colour."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from league.models import CashOut, ChipCount, League, Night
from league.options import choose, options_of
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.phone import Phone

pytestmark = pytest.mark.django_db(transaction=True)


def test_host_enters_the_chips_and_players_count_by_colour(phone: Phone) -> None:
    phone.join_night("Ann", "Bob", "Cat", usual=200)
    page, league, night = phone.page, League.objects.get(), Night.objects.get()
    phone.go(f"/leagues/{league.pk}/chips/edit")
    for colour, value, count in (("white", 1, 100), ("red", 5, 100), ("green", 25, 50)):
        page.get_by_label(f"Value of {colour}").fill(str(value))
        page.get_by_label(f"Pieces of {colour}").fill(str(count))
    assert not hard_to_use(page)
    phone.press("Save chip set")
    expect(page.get_by_text("Enough for all players and rebuys.")).to_be_visible()
    assert not hard_to_use(page)
    phone.go(f"/nights/{night.pk}")
    expect(page.locator(".hand-out")).to_contain_text("10 white")

    phone.go(f"/nights/{night.pk}/count")
    phone.tap(page.get_by_label("Chips of Ann"))
    sheet, total = phone.sheet(), page.locator("#sheet output")
    phone.tap(sheet.get_by_role("button", name="red, 5 each"))
    phone.digits(24)
    expect(total).to_have_text("120")
    for _piece in range(3):
        phone.tap(sheet.get_by_role("button", name="green, 25 each"))
    expect(sheet.get_by_role("button", name="red, 5 each: 24")).to_be_visible()
    phone.tap(sheet.get_by_role("button", name="white, 1 each"))
    expect(page.get_by_label("Chips of Ann")).to_have_value("196")
    assert not hard_to_use(page)
    phone.tap(sheet.get_by_role("button", name="Next player"))
    phone.digits(204)
    phone.tap(sheet.get_by_role("button", name="Next player"))
    phone.tap(sheet.get_by_role("button", name="as expected"))
    phone.press("Save count")
    expect(page.get_by_text("Count saved.")).to_be_visible()
    counts = dict(ChipCount.objects.values_list("player__name", "chips"))
    assert counts == {"Ann": 196, "Bob": 204, "Cat": 200}


def test_cash_out_is_counted_by_colour(phone: Phone) -> None:
    phone.join_night("Ann", "Bob", usual=200)
    page, night = phone.page, Night.objects.get()
    chips = [
        {"colour": "white", "value": 1, "count": 100},
        {"colour": "black", "value": 100, "count": 20},
    ]
    choose(night.league, replace(options_of(night.league), chip_set=chips))
    phone.go(f"/nights/{night.pk}/leave")
    page.get_by_label("Player").select_option(label="Ann · expected 200")
    field = page.get_by_label("Chips counted")
    expect(field).to_have_value("200")
    phone.tap(field)
    phone.tap(phone.sheet().get_by_role("button", name="black, 100 each"))
    phone.tap(phone.sheet().get_by_role("button", name="white, 1 each"))
    phone.digits(85)
    expect(field).to_have_value("185")
    phone.tap(phone.sheet().get_by_role("button", name="delete"))
    expect(field).to_have_value("108")
    phone.done()
    phone.press("Cash out")
    expect(page.get_by_text("Ann cashed out.")).to_be_visible()
    assert CashOut.objects.get().chips == 108
