"""Starting a night with players in seat order, moved by arrows. Cashing out the current stack."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Night, Seat
from league.planned_nights.planning import Details, plan
from tests.helpers.browser.phone import Phone

NAMES = ("Marta", "Gus", "Ann")


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    """A phone on a night's page. The seats follow the order of the typed names."""
    phone = Phone(page, live_server.url)
    phone.join_night(*NAMES)
    phone.go(f"/leagues/{Night.objects.get().league.pk}/nights/new")
    return phone


def expect_order(phone: Phone, *names: str) -> None:
    expect(phone.page.locator("[data-seating] .name")).to_have_text(names)


def drag(phone: Phone, name: str, *, above: str) -> None:
    rows = phone.page.locator("[data-seating] li")
    grip = rows.filter(has_text=name).locator(".avatar").bounding_box()
    goal = rows.filter(has_text=above).bounding_box()
    assert grip
    assert goal
    mouse = phone.page.mouse
    mouse.move(grip["x"] + 9, grip["y"] + 9)
    mouse.down()
    mouse.move(grip["x"] + 9, goal["y"] + 3, steps=8)
    mouse.up()


def test_arrows_dragging_and_ticks_change_the_seat_order(phone: Phone) -> None:
    """Seat numbers used to be typed into 44-pixel fields."""
    page = phone.page
    expect_order(phone, *NAMES)
    up = page.get_by_role("button", name="Move Ann up")
    box = up.bounding_box()
    assert box
    assert (round(box["width"]), round(box["height"])) == (44, 44)
    phone.tap(up)
    expect_order(phone, "Marta", "Ann", "Gus")
    drag(phone, "Gus", above="Marta")
    expect_order(phone, "Gus", "Marta", "Ann")
    page.get_by_label("Ann", exact=True).uncheck()
    page.get_by_label("Usual buy-in, in chips").fill("7")
    phone.press("Same as last time")
    expect_order(phone, *NAMES)
    expect(page.get_by_label("Ann", exact=True)).to_be_checked()
    expect(page.get_by_label("Usual buy-in, in chips")).to_have_value("100")
    phone.press("Tap in seat order")
    expect(page.get_by_role("button", name="Start night")).to_be_disabled()
    expect(page.get_by_text("Choose at least two players.")).to_be_visible()
    for name in ("Gus", "Marta", "Ann"):
        page.get_by_label(name, exact=True).check()
    expect_order(phone, "Gus", "Marta", "Ann")
    page.get_by_label("First dealer").select_option("Ann")
    phone.press("Start night")
    expect(page.get_by_role("heading", name="Night 2")).to_be_visible()
    seats = Seat.objects.filter(night__number=2).order_by("position")
    assert [seat.player.name for seat in seats] == ["Ann", "Gus", "Marta"]


KEY = "document.querySelector('[name=key]').value"
# The browser shows the page again, as when the user goes back after a lost response. The form isn't
# sent, so that its key can be read.
SEND = """() => {
    const form = document.querySelector("form[data-once]");
    form.addEventListener("submit", (event) => event.preventDefault(), { once: true });
    form.requestSubmit();
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
}"""


def test_start_form_gets_a_new_key_only_if_it_was_changed_after_it_was_sent(phone: Phone) -> None:
    """A start that was repeated after a lost response used to open a second night."""
    page = phone.page
    page.evaluate(SEND)
    key = page.evaluate(KEY)
    page.evaluate(SEND)
    assert page.evaluate(KEY) == key
    page.get_by_label("Ann", exact=True).uncheck()
    page.evaluate(SEND)
    assert page.evaluate(KEY) != key


def test_planned_night_starts_under_its_own_id(phone: Phone) -> None:
    """The page used to replace the id, so calendars lost the event."""
    league = Night.objects.get().league
    starts_at = timezone.now() + timedelta(hours=1)
    planned = plan(league, uuid4(), starts_at, Details(), by=None)
    phone.go(f"/planned-nights/{planned.pk}/start")
    for name in NAMES:
        phone.page.get_by_label(name, exact=True).check()
    phone.press("Start night")
    expect(phone.page.get_by_role("heading", name="Night 2")).to_be_visible()
    assert Night.objects.get(number=2).pk == planned.pk


def test_cash_out_form_fills_in_the_stack_of_the_selected_player(phone: Phone) -> None:
    phone.go(f"/nights/{Night.objects.get().pk}/leave")
    chips = phone.page.get_by_label("Chips counted")
    expect(chips).to_have_value("")
    who = phone.page.get_by_label("Player")
    who.select_option(label="Gus · expected 100")
    expect(chips).to_have_value("100")
    chips.fill("98")
    who.select_option(label="Ann · expected 100")
    expect(chips).to_have_value("98")


def test_form_with_errors_shows_the_first_one(phone: Phone) -> None:
    """On a phone, the form for new players is below the fold."""
    phone.page.set_viewport_size({"width": 360, "height": 640})
    phone.go(f"/leagues/{Night.objects.get().league.pk}")
    phone.page.locator("summary", has_text="Add players").click()
    phone.page.locator("form[action$=players] [name=name]").fill("gus\nZed")
    phone.press("Add")
    error = phone.page.get_by_text("“gus”: the league already has a player with this name.")
    expect(error).to_be_in_viewport()
    expect(phone.page.locator("form[action$=players] [name=name]")).to_be_focused()


def test_suggested_chip_follows_the_currency_until_one_is_typed(phone: Phone) -> None:
    """A league in yen was offered a chip of 0.25 JPY."""
    phone.go("/leagues/new")
    currency, chip = (phone.page.get_by_label(name) for name in ("Currency", "Value of one chip"))
    for name, suggested in (("JPY", "100"), ("KRW", "100"), ("USD", "0.25"), ("HUF", "100")):
        currency.select_option(name)
        expect(chip).to_have_value(suggested)
    chip.fill("50")
    currency.select_option("EUR")
    expect(chip).to_have_value("50")
