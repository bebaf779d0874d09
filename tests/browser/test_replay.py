"""The replay of a hand: by touch, by keyboard, and as text without JavaScript."""

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand, Night
from league.nights.share_links import share_hand
from league.recording.record import record_hand
from tests.helpers.browser.phone import Phone
from tests.helpers.league.histories import history as a_history
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import dealt

pytestmark = pytest.mark.django_db(transaction=True)
ACES = '.card[data-place="players/0/down/0"]'


@pytest.fixture
def at() -> str:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    return f"/replays/{share_hand(Hand.objects.get(), by=None)}"


@pytest.fixture
def phone(page: Page, live_server: LiveServer, at: str) -> Phone:
    phone = Phone(page, live_server.url)
    phone.go(at)
    return phone


def expect_step(page: Page, title: str) -> None:
    expect(page.locator(".scene.now h2")).to_contain_text(title)


def test_cards_stay_face_down_until_they_are_shown(phone: Phone) -> None:
    page = phone.page
    expect_step(page, "1 Deal")
    ace, flop = page.locator(ACES), page.locator('.card[data-place="board/0/0"]')
    expect(ace).to_have_accessible_name("face-down card")
    expect(flop).to_be_hidden()
    phone.press("Next step")
    expect(flop).to_be_visible()
    for _ in range(3):
        phone.press("Next step")
    expect_step(page, "5 Showdown")
    expect(ace).to_have_accessible_name("ace of clubs")
    phone.press("Last step")
    expect(ace).to_have_class("card club lit")
    expect(page.locator('.chair[data-chair="0"] .wins')).to_have_text("won 20")


def test_cards_of_each_run_appear_in_turn(page: Page, live_server: LiveServer) -> None:
    record = holdem()
    river = record["board"][0].pop()
    record["runs"] = [{"board": [[river]]}, {"board": [["Qh"]]}]
    record_hand(a_night(), uuid4(), record, by=None)
    phone = Phone(page, live_server.url)
    phone.go(f"/replays/{share_hand(Hand.objects.get(), by=None)}")
    cards = page.get_by_role("group", name="Run").locator(".card:not(.away)")
    expect(cards).to_have_count(0)
    for run in (1, 2):
        words = f"Run {run}: One card on the board"
        while words not in page.locator(".scene.now").inner_text():
            phone.press("Next step")
        expect(cards).to_have_count(run)
    phone.press("Last step")
    expect_step(page, "Result")


ROWS = """() => [...document.querySelectorAll('.lain > .cards')].map((row) =>
    [...row.querySelectorAll('.card')].map((card) => card.getBoundingClientRect())
        .map(({left, top, right}) => [Math.round(left), Math.round(top), Math.round(right)]))"""


def test_board_keeps_its_shape_at_any_width(
    page: Page, live_server: LiveServer, transactional_db: None, picture: Callable[[str], Path]
) -> None:
    """On wide screens, the second row of Nightmare used to be to the right of the first."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob")
    boards = {"nightmare": ["Kc 7h 2s", "Kd 4c", "9d"], "circle": ["Ks 7c 2d 9h Td Jh 4h 2c"]}
    held = {"Ann": "Ac Ad 3h 3s 5c", "Bob": "Qc Qd 6h 6s 8c"}
    for variant, board in boards.items():
        players = [{"name": who, "paid": 10, "down": own.split()} for who, own in held.items()]
        record = {"variant": variant, "button": 0, "players": players}
        hand = dealt(Night.objects.get(), record | {"board": [row.split() for row in board]})
        for at in ("", "/replay#step-99"):
            phone.go(f"/hands/{hand.pk}{at}")
            for width in (360, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                picture(f"{variant}{at[:7].replace('/', '-')}-{width}")
                rows = page.evaluate(ROWS)
                assert [len(row) for row in rows] == [len(row.split()) for row in board]
                assert all(len({top for _left, top, _right in row}) == 1 for row in rows)
                assert len({row[0][1] for row in rows}) == len(rows)
                assert max(card[2] for row in rows for card in row) <= width
                if variant == "nightmare":
                    assert len({row[0][0] for row in rows}) == 1
                    assert rows[0][1][0] == rows[1][1][0]


def test_viewer_can_reveal_face_down_cards_early(phone: Phone) -> None:
    phone.press("Show face-down cards")
    expect(phone.page.locator(ACES)).to_have_accessible_name("ace of clubs")


def test_arrow_keys_step_through_the_replay_and_update_the_url(phone: Phone) -> None:
    page = phone.page
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect_step(page, "2 Board")
    expect(page).to_have_url(re.compile("#step-2$"))
    page.reload()
    expect_step(page, "2 Board")
    page.keyboard.press("End")
    expect_step(page, "Result")
    page.keyboard.press("Home")
    expect_step(page, "1 Deal")


SWIPE = """([stage, by]) => {
  const touch = (x) => new Touch({identifier: 1, target: stage, clientX: x, clientY: 300});
  const says = (kind, touches) => stage.dispatchEvent(new TouchEvent(kind, touches));
  says("touchstart", {touches: [touch(200)], bubbles: true});
  says("touchend", {changedTouches: [touch(200 + by)], bubbles: true});
}"""


def test_swiping_steps_through_the_replay(phone: Phone) -> None:
    page = phone.page
    stage = page.locator(".stage").element_handle()
    page.evaluate(SWIPE, [stage, -120])
    expect_step(page, "2 Board")
    page.evaluate(SWIPE, [stage, 120])
    expect_step(page, "1 Deal")


def test_replay_without_javascript_is_a_list(
    new_context: Callable[..., BrowserContext], live_server: LiveServer, at: str
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_server.url}{at}")
    scenes = page.locator(".scene")
    expect(scenes).to_have_count(8)
    expect(scenes.last).to_be_visible()
    expect(page.locator(ACES)).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()


def test_replay_link_can_be_created_and_revoked_on_a_phone(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob")
    phone.press("Record a hand")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    phone.save()
    phone.tap(".hand-line")
    phone.press("Replay")
    phone.press("Create share link")
    address = page.get_by_label("Anyone with this link").input_value()
    phone.go("/")
    page.goto(address)
    expect(page.locator("h1")).to_have_text("Texas Hold'em")
    hand = Hand.objects.get().pk
    phone.go(f"/hands/{hand}/replay")
    phone.press("Turn off all links")
    expect(page.get_by_role("button", name="Turn off all links")).to_be_hidden()
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 404


def test_replay_of_a_full_history_updates_pot_stacks_and_cards(
    page: Page, live_server: LiveServer
) -> None:
    """Each action is a step, with buttons and keys, even for visitors who only have the link."""
    night = a_night()
    record_hand(night, uuid4(), a_history(), by=None)
    phone = Phone(page, live_server.url)
    phone.go(f"/replays/{share_hand(Hand.objects.get(), by=None)}")
    ann = page.locator('.chair[data-chair="0"]')
    pot, ace = page.locator("[data-pot]"), page.locator('[data-place="players/0/down/As"]')
    expect(pot).to_have_text("3")
    expect(ann.locator("[data-stack]")).to_have_text("99")
    expect(ace).to_be_hidden()
    phone.press("Next step")
    expect(ace).to_have_accessible_name("face-down card")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".scene.now")).to_contain_text("ann raises to 20")
    expect(ann.locator("[data-bet]")).to_have_text("20")
    expect(pot).to_have_text("22")
    phone.press("Last step")
    expect(ann.locator("[data-stack]")).to_have_text("120")
    expect(ace).to_have_accessible_name("ace of spades")
    expect(pot).to_have_text("0")
