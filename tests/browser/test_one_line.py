"""A hand dictated in one line fills in the form. Only the user can save it."""

import re
import time

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.ledger import chips
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.reach import WATCH, Reach
from tests.helpers.browser.waiting import hold

SEVEN = ("Ann", "Bob", "Cat", "Dov", "Eve", "Fay", "Gus")


@pytest.fixture
def table(page: Page, live_server: LiveServer) -> Reach:
    """A phone on the recording page of a night with seven players."""
    phone = Reach(page, live_server.url)
    page.add_init_script(WATCH)
    phone.join_night(*SEVEN)
    phone.press("Record a hand")
    expect(page.locator("#search")).to_be_visible()
    page.wait_for_load_state()
    return phone


def line(phone: Phone) -> Locator:
    return phone.page.get_by_label("Say or type the hand")


def say(phone: Phone, text: str) -> None:
    """Dictate a hand. This takes three taps: the field, the microphone, and the Enter key."""
    phone.tap(line(phone))
    line(phone).fill(text)
    with phone.page.expect_response(re.compile("/redraw$")):
        line(phone).press("Enter")
    phone.taps += 2
    expect(phone.page.locator("#sentence-marks p")).to_be_visible()


def choose(phone: Phone, game: str) -> None:
    """Choose a game by a part of its name."""
    picker = phone.page.locator(".picker")
    if picker.get_attribute("open") is None:
        phone.tap(picker.locator("summary").first)
    phone.page.locator("#search").fill(game)
    phone.choose(game)


def value(phone: Phone, name: str) -> str:
    return phone.page.locator(f'[name="{name}"]').input_value()


# A spoken sentence, its game, and the fields that it fills, identified by their labels.
SAID = [
    (
        "Texas Hold'em",
        "board ace of spades king diamonds 7h 7c 2s anne ace hearts king hearts bob 77 60 each",
        {"board/0": "As Kd 7h 7c 2s", "players/0/down": "Ah Kh", "players/1/down": "7d 7s"},
        "Bob wins",
    ),
    ("Texas Hold'em", "everyone else folds, fay wins, pot 45", {"pot": "45"}, "Fay wins 45"),
    (
        "Omaha-8",
        "ann kings and nines, bob mucks, kat 8 low, everyone else folds, pot 45",
        {"players/0/took": "23", "players/2/took": "22"},
        "Ann wins 23",
    ),
    (
        "Omaha-8",
        "board 2h 7d 3s Jd Qc, ann As 4d Kc Kd, bob Qs Qd 9c 9h, ten each",
        {"players/0/down": "As 4d Kc Kd", "all_paid": "10"},
        "Ann wins 35, Bob wins 35",
    ),
    (
        "Seven-Card Stud",
        "gus aces up and bob trip sevens everybody else folded everybody in for twenty",
        {"all_paid": "20", "depth": "result"},
        "Bob wins 140",
    ),
    (
        "Five-Card Draw",
        "dov four aces, eve mucks, fay kings full of nines, the rest fold, pot 21",
        {"pot": "21"},
        "Dov wins 21",
    ),
    ("Razz", "ann 8 6 low, bob nine low, pot of thirty", {"depth": "result"}, "Ann wins 30"),
    (
        "Hurricane",
        "an As Ad declares high, bob 2c3d low, cat Kc Kd goes high, 5 each",
        {"players/0/declared": "high", "players/1/declared": "low"},
        "wins",
    ),
    (
        "Baseball",
        "ann down Ks Kd 4c up 5c 6h 8h Th, bob down Qs Qd 7c up 7h 2s Jc 5d, 12 each",
        {"players/0/down": "Ks Kd 4c", "players/1/up": "7h 2s Jc 5d"},
        "wins",
    ),
    (
        "Texas Hold'em",
        "ann all in for 15, board 2h7d9sJdQc, ann AcAd, cat KcKd, fay Th8h, cat and fay put in 40",
        {"players/0/paid": "15", "players/0/state": "all-in", "players/5/down": "Th 8h"},
        "Fay wins",
    ),
]


@pytest.mark.parametrize(
    "sentences",
    [SAID[3:5], pytest.param([*SAID[:3], *SAID[5:]], marks=pytest.mark.scheduled)],
    ids=["two", "eight"],
)
def test_sentences_fill_the_forms_of_their_games(
    table: Reach, sentences: list[tuple[str, str, dict[str, str], str]]
) -> None:
    """The verdict follows the rules or the dictated result."""
    for game, text, fields, verdict in sentences:
        choose(table, game)
        say(table, text)
        expect(table.page.locator("#sentence-marks li"), text).to_have_count(0)
        for name, expected in fields.items():
            ticked = ":checked" if name == "depth" or name.endswith("/declared") else ""
            at = table.page.locator(f'[name="{name}"]{ticked}')
            expect(at, f"{text}: {name}").to_have_value(expected)
        expect(table.verdict()).to_contain_text(verdict)
        assert not Hand.objects.exists()
        line(table).fill("")
        table.page.evaluate("localStorage.clear()")
        table.page.reload()
        table.page.wait_for_load_state()


def test_misunderstood_parts_are_underlined_and_can_be_corrected(table: Reach) -> None:
    choose(table, "Texas Hold'em")
    say(table, "ann AhKh, xu 7d7s, zed folds, 60 each")
    page = table.page
    assert page.locator("#sentence-marks p u").all_inner_texts() == ["xu", "7d7s", "zed", "folds"]
    assert not hard_to_use(page)
    say(table, "ann AhKh, bob 7d7s, 60 each")
    expect(page.locator("#sentence-marks u")).to_have_count(0)
    assert value(table, "players/1/down") == "7d 7s"


def test_partly_understood_text_is_accepted_before_the_hand_is_saved(table: Reach) -> None:
    """It used to be saved as if every word had been understood."""
    choose(table, "Texas Hold'em")
    say(table, "ann wins, pot 45, zed folds")
    page = table.page
    expect(table.verdict()).to_contain_text("Ann wins 45")
    table.press("Save")
    expect(page.get_by_role("button", name="Use the rest")).to_be_focused()
    assert not hard_to_use(page)
    assert not Hand.objects.exists()
    table.press("Use the rest")
    expect(page.get_by_text("The underlined words are not in the form")).to_be_hidden()
    table.save()
    assert chips()["Ann"] == 138


def test_late_verdict_does_not_replace_a_newer_one(table: Reach) -> None:
    """The verdict on the empty form arrives after the text has filled it."""
    choose(table, "Texas Hold'em")
    late = hold(table.page, "**/check")
    with table.page.expect_request("**/check"):
        table.page.locator("#all_paid").fill("")
        table.page.locator("#all_paid").dispatch_event("input")
    say(table, "ann wins, pot 45")
    expect(table.verdict()).to_contain_text("Ann wins 45")
    for route in late:
        route.continue_()
    table.page.wait_for_timeout(500)
    expect(table.verdict()).to_contain_text("Ann wins 45")


def test_value_typed_during_a_redraw_is_kept(table: Reach) -> None:
    choose(table, "Texas Hold'em")
    late = hold(table.page, "**/redraw")
    with table.page.expect_request("**/redraw"):
        table.tap(".segments label:has-text('Result only')")
    table.page.locator("#all_paid").fill("10")
    late[0].continue_()
    expect(table.page.get_by_text("Who won the pot")).to_be_visible()
    expect(table.page.locator("#all_paid")).to_have_value("10")


def test_saving_waits_until_the_text_is_parsed(table: Reach) -> None:
    choose(table, "Texas Hold'em")
    table.tap(line(table))
    line(table).fill("ann wins, pot 45")
    with table.page.expect_response(re.compile("/redraw$")):
        table.press("Save")
    expect(table.page.get_by_text("Who won the pot")).to_be_visible()
    assert not Hand.objects.exists()
    table.save()
    assert chips()["Ann"] == 138  # the pot is 7 from Ann, and 38 from the six others


def test_failed_parse_request_keeps_the_form(table: Reach) -> None:
    """While offline, the field is hidden."""
    choose(table, "Texas Hold'em")
    expect(line(table)).to_be_visible()
    table.page.context.set_offline(True)
    expect(line(table)).to_be_hidden()
    table.page.context.set_offline(False)
    expect(line(table)).to_be_visible()
    table.page.route("**/redraw", lambda route: route.abort())
    line(table).fill("ann wins, pot 45")
    line(table).press("Enter")
    expect(table.page.get_by_text("this text can't be read")).to_be_visible()
    assert line(table).input_value() == "ann wins, pot 45"


THREE_HANDS = [
    ("Texas Hold'em", "2h 7d 9s Jd Qc", {"Ann": "Ac Ad", "Cat": "Kc Kd"}),
    ("Omaha-8", "2h 7d 3s Jd Qc", {"Ann": "As 4d Kc Kd", "Bob": "Qs Qd 9c 9h"}),
    ("Seven-Card Stud", "", {"Dov": "Ks Kd 3c 5c 6h 8h Th", "Gus": "Qs Qh 7c 7h 2s 9c 5d"}),
]


@pytest.mark.scheduled
def test_typing_one_line_takes_fewer_taps_than_picking_cards(table: Reach) -> None:
    """Three hands with two players at the showdown, entered both ways. Speech is not timed."""
    effort: dict[str, list[float]] = {}
    for way in (by_deck, by_line):
        for game, board, hands in THREE_HANDS:
            choose(table, game)
            table.begin()
            begin = time.perf_counter()
            way(table, board, hands)
            expect(table.page.locator("#says")).to_contain_text("wins")
            effort.setdefault(way.__name__, []).append(table.taps)
            effort.setdefault(f"{way.__name__} seconds", []).append(time.perf_counter() - begin)
            table.page.evaluate("localStorage.clear()")
            table.page.reload()
            table.page.wait_for_load_state()
    print(effort)  # noqa: T201 (a report)
    assert effort["by_line"] == [3, 3, 3]
    assert effort["by_deck"] == [14, 18, 19]


def by_deck(phone: Reach, board: str, hands: dict[str, str]) -> None:
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    phone.digits(40)
    phone.showed(*hands)
    phone.next()
    phone.cards(f"{board} {' '.join(hands.values())}")


def by_line(phone: Reach, board: str, hands: dict[str, str]) -> None:
    parts = [f"{name} {cards}" for name, cards in hands.items()]
    say(phone, ", ".join([f"board {board}"] * bool(board) + [*parts, "40 each"]))
