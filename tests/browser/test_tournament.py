"""Running a tournament from a phone: one clock on all devices, and two taps for each event."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from league.integrity.audit import audit
from league.models import Charge, League, Night, Role, Tournament
from league.people.leagues import add_member
from tests.helpers.browser.accessibility import looks_right
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.tournament import enters, goes_out
from tests.helpers.browser.waiting import wait_until
from tests.helpers.league.leagues import a_user
from tests.helpers.league.nights import closed, nets

pytestmark = pytest.mark.django_db(transaction=True)
LEFT = "[data-says-left]"
# Counts the tones that the page plays, and the wake locks that it requests.
COUNTS = """
    window.tones = window.locks = 0;
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { tones += 1; return create.call(this); };
    const lock = {request: async () => { locks += 1; return {released: false}; }};
    Object.defineProperty(navigator, 'wakeLock', {value: lock});
"""


def a_host(phone: Phone) -> Night:
    phone.sign_up()
    phone.make_league(("ann", "bob", "cat"))
    phone.start_night(usual=100)
    expect(phone.page.get_by_role("heading", name="Night 1")).to_be_visible()
    return Night.objects.get()


def made(phone: Phone, night: Night) -> Tournament:
    phone.go(f"/nights/{night.pk}")
    phone.press("Tournament")
    phone.press("New tournament")
    expect(phone.page.get_by_role("heading", name="New tournament")).to_be_visible()
    looks_right(phone)
    phone.page.fill("[name=entry]", "5")
    phone.page.fill("[name=rebuy]", "2.50")
    phone.page.fill("[name=rebuy_stack]", "3000")
    phone.tap("summary:has-text('Add-on, bounty')")
    phone.page.fill("[name=bounty]", "1")
    edit_levels(phone)
    phone.page.fill("[name=games]", "Hold'em, Omaha")
    refuses_a_level(phone)
    phone.press("Create tournament")
    expect(phone.page.get_by_role("heading", name="Add players")).to_be_visible()
    return Tournament.objects.get()


def edit_levels(phone: Phone) -> None:
    """Set up a level of one minute, a break of one minute, and a level with doubled blinds."""
    page = phone.page
    rows = page.locator("[data-levels] tbody tr")
    phone.tap("[data-preset]:has-text('Slow')")
    expect(rows.first.get_by_label("Minutes")).to_have_value("30")
    while rows.count() > 1:
        phone.tap(rows.last.locator("[data-remove]"))
    for label, typed in (("Small blind", "25"), ("Big blind", "50"), ("Minutes", "1")):
        rows.first.get_by_label(label).fill(typed)
    phone.press("Add break")
    rows.nth(1).get_by_label("Minutes").fill("1")
    phone.press("Add level")
    expect(page.locator("[name=levels]")).to_have_value("25/50 1 min\nbreak 1 min\n50/100 1 min")
    rows.nth(2).get_by_label("Minutes").fill("20")


def refuses_a_level(phone: Phone) -> None:
    """The row of a level with an error is marked."""
    levels = phone.page.locator("[data-levels] tbody tr")
    levels.nth(2).get_by_label("Big blind").fill("10")
    phone.press("Create tournament")
    expect(phone.page.get_by_text("Level 2: the small blind")).to_be_visible()
    marked = phone.page.locator("[data-levels] [aria-invalid=true]")
    expect(marked).to_have_count(4)
    levels.nth(2).get_by_label("Big blind").fill("100")


def seconds(page: Page) -> int:
    minutes, rest = (page.text_content(LEFT) or "").split(":")
    return 60 * int(minutes) + int(rest)


def test_tournament_can_be_run_from_the_first_entry_to_the_payments(
    phones: Callable[[], Phone],
) -> None:
    host = phones()
    night = a_host(host)
    tournament = made(host, night)
    for name in ("ann", "bob", "cat"):
        enters(host, name)
    host.press("Draw seats")
    expect(host.page.locator(".seats li")).to_have_count(3)
    host.press("Start clock")
    expect(host.page.get_by_role("button", name="Pause clock")).to_be_visible()
    looks_right(host)
    goes_out(host, "cat", "bob")
    host.tap(host.page.locator(".players .out").get_by_role("button", name="Rebuy"))
    expect(host.page.locator(".players .out")).to_have_count(0)
    goes_out(host, "cat", "ann")
    goes_out(host, "bob", "ann")
    host.press("ann won: pay prizes")
    expect(host.page.get_by_role("heading", name="ann wins")).to_be_visible()
    looks_right(host)
    # The pool is 3 x 5.00 plus a rebuy of 2.50, with chips worth 0.25. Ann has knocked out two
    # players.
    closing = closed(Night.objects.get())
    assert nets(closing) == {"ann": 70 + 3 * 4 - 24, "bob": 4 - 24, "cat": -24 - 14}
    assert Charge.objects.get().tournament == tournament
    assert audit() == []


def test_all_phones_and_the_tv_screen_show_the_same_clock(phones: Callable[[], Phone]) -> None:
    host, other, wall = phones(), phones(), phones()
    night = a_host(host)
    made(host, night)
    user = a_user("kim")
    add_member(League.objects.get(), user, Role.VIEWER)
    other.sign_in(user)
    # This phone's clock is wrong by an hour and a half.
    other.page.clock.install(time="2020-01-01T00:00:00Z")
    other.page.add_init_script(COUNTS)
    other.go(f"/nights/{night.pk}/tournaments")
    other.press("Turn sound on")
    wait_until(other.page, "window.tones === 1")
    wall.sign_in(user)
    wall.go(f"/nights/{night.pk}/screen")
    host.press("Start clock")
    other.page.clock.resume()
    for screen in (host, other, wall):
        expect(screen.page.locator(LEFT)).not_to_have_text("1:00")
        expect(screen.page.locator("[data-says-level]")).to_have_text("Level 1")
    shown = [seconds(screen.page) for screen in (host, other, wall)]
    assert max(shown) - min(shown) <= 3, shown
    level_ends_aloud(other.page)
    host.tap("[name=do][value=on]")
    host.tap("[name=do][value=on]")
    for screen in (host, other, wall):
        expect(screen.page.locator("[data-says-level]")).to_have_text("Level 2")
        expect(screen.page.locator("[data-says-game]")).to_have_text("Omaha")
        expect(screen.page.locator("[data-says-blinds]")).to_have_text(re.compile("50 / 100"))
    host.press("Pause clock")
    expect(other.page.locator(".tournament-clock.runs")).to_have_count(0)
    expect(host.page.locator(".tournament-clock.runs")).to_have_count(0)
    expect(other.page.locator(LEFT)).to_have_text(host.page.text_content(LEFT) or "")


def level_ends_aloud(page: Page) -> None:
    """Check that the phone stays awake and plays three tones at the end of the level."""
    assert page.evaluate("window.locks") == 1
    page.clock.fast_forward(61_000)
    expect(page.locator("[data-says-level]")).to_have_text("Break")
    wait_until(page, "window.tones === 1 + 3")


def test_remaining_players_can_split_the_prizes_by_icm(phones: Callable[[], Phone]) -> None:
    host = phones()
    night = a_host(host)
    made(host, night)
    for name in ("ann", "bob", "cat"):
        enters(host, name)
    goes_out(host, "cat", "bob")
    host.press("Make a deal")
    host.page.get_by_label("Chips of ann").fill("10000")
    host.page.get_by_label("Chips of bob").fill("5000")
    host.press("Split by ICM")
    expect(host.page.get_by_label("Payout of ann")).to_have_value("10.00")
    looks_right(host)
    host.press("Confirm deal")
    expect(host.page.get_by_role("heading", name="ann wins")).to_be_visible()
    assert audit() == []
