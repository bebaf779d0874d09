"""A league writes a house game on the page, deals it and records a hand."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.games.house_games import write
from league.games.odds import find
from league.models import HouseGame, Night, Odds, Revision, Role, User
from league.people.leagues import add_member
from tests.helpers.browser.accessibility import hard_to_use_anywhere, sign_in
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.browser.waiting import wait_until
from tests.helpers.league.house_games import CROSS
from tests.helpers.league.leagues import a_night

STEEL_CROSS = """\
# five down, a cross of five on the board
name = "Steel Cross"
by = "Thursday"
players = [2, 8]
deal = ["ante", "5 down", "bet", "board a b c d", "bet", "board e", "bet"]
board = ["a", "b e c", "d"]
lines = ["a e d", "b e c"]
hand = ["2 down + 3 line"]
shares = ["high"]
unwon = "split"
"""


@pytest.fixture
def host_phone(page: Page, live_server: LiveServer) -> Phone:
    phone = Phone(page, live_server.url)
    phone.sign_up()
    phone.make_league(["Ann", "Bob"])
    return phone


def to_the_desk(phone: Phone) -> None:
    phone.tap(phone.page.get_by_role("navigation", name="League").get_by_role("link", name="Games"))
    phone.press("Write a game")
    phone.page.wait_for_url("**/games/write")


def to_the_code(phone: Phone) -> None:
    to_the_desk(phone)
    if phone.page.locator("#text").is_hidden():  # the page may have opened a restored draft
        phone.tap("summary:has-text('As code')")


def save(phone: Phone) -> None:
    phone.press("Save game")
    expect(phone.page.get_by_role("heading", name="Steel Cross")).to_be_visible()
    phone.page.wait_for_load_state("domcontentloaded")  # the page's script deletes the draft


def test_game_can_be_built_step_by_step(host_phone: Phone) -> None:
    """Users choose the parts of the game without writing a document.

    Three sample deals show how it plays.
    """
    to_the_desk(host_phone)
    page = host_phone.page
    host_phone.press("Save game")  # without a name, the field is marked and nothing is sent
    expect(page.locator("#steps-name:invalid")).to_be_focused()
    page.get_by_label("Name", exact=True).fill('Ann\'s "Cross"')
    page.get_by_label("Hole cards").select_option("5")
    page.get_by_label("Board", exact=True).select_option(label="A cross of five")
    page.get_by_label("Hand", exact=True).select_option(label="Exactly two hole cards")
    page.get_by_label("Wild cards").select_option(label="Deuces")
    page.get_by_label("Players declare high or low").check()  # needs a low
    expect(page.get_by_label("Pot goes to")).to_have_value('"high", "low: best"')
    page.get_by_label("Pot goes to").select_option(label="High and low, eight or better")
    host_phone.press("Preview game")
    expect(page.locator("#draft-check .deal")).to_have_count(3)
    expect(page.locator("#text")).to_be_hidden()
    page.get_by_label("Wild cards").select_option(label="One-eyed jacks")  # after the preview
    host_phone.press("Save game")
    expect(page.get_by_role("heading", name='Ann\'s "Cross"')).to_be_visible()
    document = HouseGame.objects.get().versions.get().document.document
    assert document["lines"] == ["a e d", "b e c"]
    assert document["hand"] == ["2 down + 3 line"]
    assert (document["wild"], document["declare"]) == (["Jh", "Js"], "high-low")


def test_choices_are_kept_after_an_error_and_replace_an_older_draft(host_phone: Phone) -> None:
    page = host_phone.page
    for hole_cards in ("3", "6"):
        to_the_desk(host_phone)
        page.get_by_label("Name", exact=True).fill("Lowly")
        page.get_by_label("Hole cards").select_option(hole_cards)
        host_phone.press("Save game")
    expect(page.locator(".faults li")).to_contain_text("already has a game named Lowly")
    expect(page.get_by_label("Hole cards")).to_have_value("6")
    page.get_by_label("Name", exact=True).fill("Lowlier")
    host_phone.press("Save game")
    expect(page.get_by_role("heading", name="Lowlier")).to_be_visible()
    to_the_code(host_phone)
    page.fill("#text", "name = ")
    to_the_desk(host_phone)
    expect(page.locator("#text")).to_have_value("name = ")  # a restored draft
    page.get_by_label("Name", exact=True).fill("Lowliest")
    page.get_by_label("Hole cards").select_option("7")
    host_phone.press("Save game")
    expect(page.get_by_role("heading", name="Lowliest")).to_be_visible()
    deals = HouseGame.objects.order_by("made_at").values_list("versions__document__document__deal")
    assert [deal[1] for (deal,) in deals] == ["3 down", "6 down", "7 down"]


def test_ten_line_game_can_be_written_saved_recorded_and_settled(host_phone: Phone) -> None:
    assert len(STEEL_CROSS.splitlines()) == 10
    league = host_phone.page.url
    to_the_code(host_phone)
    host_phone.page.fill("#text", STEEL_CROSS.replace('"ante"', '"anti"'))
    fault = host_phone.page.locator(".faults li")
    expect(fault).to_contain_text("ante")
    host_phone.tap(fault.get_by_role("link", name="Line 5"))
    wait_until(host_phone.page, "getSelection().toString().startsWith('deal = [')")
    host_phone.page.fill("#text", STEEL_CROSS)
    expect(host_phone.page.locator(".deal")).to_have_count(3)
    expect(host_phone.page.locator(".through")).to_have_count(2)
    save(host_phone)
    host_phone.page.goto(league)
    host_phone.start_night()
    host_phone.press("Record a hand")
    house = host_phone.page.locator(".choice", has_text="Thursday")
    host_phone.tap(house)
    expect(host_phone.page.locator(".picker .chosen")).to_have_text("Steel Cross")
    host_phone.all_paid(10)
    host_phone.open_board()
    host_phone.cards("As 7c 9d 7h 9s")
    host_phone.cards("Ac Ad Kh Qh Js")
    host_phone.cards("2c 3d 6s 8d Th")
    expect(host_phone.verdict()).to_contain_text("Ann wins 20")
    host_phone.save()
    assert host_phone.stack("Ann") == "110"
    revision = Revision.objects.get()
    assert revision.record["variant"] == HouseGame.objects.get().slug == "steel-cross"
    assert revision.answer["hands"]["Ann"]["high"]["name"] == "full house, aces over nines"


def test_unsaved_house_game_is_restored(host_phone: Phone) -> None:
    to_the_code(host_phone)
    desk = host_phone.page.url
    host_phone.page.fill("#text", "name = ")
    expect(host_phone.page.locator(".faults li").first).to_be_visible()
    host_phone.go("/games")
    host_phone.page.goto(desk)
    expect(host_phone.page.locator("#text")).to_have_value("name = ")
    expect(host_phone.page.locator(".faults li").first).to_be_visible()  # checked like typed text
    host_phone.press("Discard")
    expect(host_phone.page.locator("#text")).to_have_value("")
    host_phone.page.fill("#text", STEEL_CROSS)
    save(host_phone)
    host_phone.page.goto(desk)
    expect(host_phone.page.locator("#text")).to_have_value("")


def test_typed_house_game_survives_sign_in(host_phone: Phone) -> None:
    to_the_code(host_phone)
    host_phone.page.fill("#text", STEEL_CROSS)
    host_phone.page.context.clear_cookies()
    host_phone.press("Save game")
    host_phone.page.get_by_text("Page expired").wait_for()
    host_phone.go("/sign-in")
    host_phone.page.fill("[name=username]", "joel")
    host_phone.page.fill("[name=password]", PASSWORD)
    host_phone.tap("main .button.main")
    host_phone.tap("main .name:has-text('Thursday')")
    to_the_code(host_phone)
    expect(host_phone.page.locator("#text")).to_have_value(STEEL_CROSS)


def test_house_game_can_be_written_without_javascript(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    phone = Phone(new_context(java_script_enabled=False).new_page(), live_server.url)
    phone.sign_up()
    phone.press("Create league")
    phone.page.fill("[name=name]", "Thursday")
    phone.press("Create league")
    to_the_code(phone)
    phone.page.fill("#text", STEEL_CROSS.replace("high", "hihg"))
    phone.press("Check")
    expect(phone.page.locator(".faults")).to_contain_text("Line 9")
    phone.page.fill("#text", STEEL_CROSS)
    phone.press("Check")
    expect(phone.page.locator(".deal")).to_have_count(3)
    phone.press("Deal three more")
    expect(phone.page.locator("#text")).to_have_value(STEEL_CROSS)
    save(phone)


# Light and dark themes, narrow and wide screens


@pytest.fixture
def night(transactional_db: None) -> Night:
    night = a_night()
    write(night.league, CROSS, by=None)
    user = User.objects.create_user("joel", password=PASSWORD)
    add_member(night.league, user, Role.HOST)
    return night


@pytest.mark.scheduled
def test_all_house_game_pages_are_accessible(phone: Phone, night: Night) -> None:
    sign_in(phone)
    at = f"/leagues/{night.league.pk}/games"
    problems = {}
    for path in ("", "/write", "/write?copy=nightmare", "/grandmas-cross", "/grandmas-cross/write"):
        phone.go(f"{at}{path}")
        problems[path] = hard_to_use_anywhere(phone.page)
    phone.page.fill("#text", "name = 1\nhannd = []")
    expect(phone.page.locator(".faults li").first).to_be_visible()
    problems["faults"] = hard_to_use_anywhere(phone.page)
    assert {path: found for path, found in problems.items() if found} == {}


def test_search_finds_house_games(phone: Phone, night: Night) -> None:
    """A search on the games page used to count 0 games, below the game that was searched."""
    sign_in(phone)
    phone.go(f"/leagues/{night.league.pk}/games")
    phone.page.fill("#find", "grandmas cross")
    expect(phone.page.locator("[data-left]")).to_have_text("1")
    expect(phone.page.locator("#none")).to_be_hidden()
    phone.page.fill("#find", "razz")
    expect(phone.page.locator("[data-own] li")).to_be_hidden()


def test_chart_loads_automatically_and_is_accessible(phone: Phone, night: Night) -> None:
    phone.go("/games/omaha-8?with=two-row")
    expect(phone.page.get_by_text("Calculating.")).to_be_visible()
    find(Odds.objects.get().deal)
    expect(phone.page.get_by_text("Winning hands: low")).to_be_visible()
    assert phone.page.locator(".odds rect").count() > 5
    assert not hard_to_use_anywhere(phone.page)
    phone.page.locator("#odds-players").select_option("2")
    expect(phone.page.get_by_text("Calculating.")).to_be_visible()
