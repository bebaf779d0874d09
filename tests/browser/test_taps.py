"""One thumb records for a table of seven with three at the showdown: few taps, and no jumps.

Digits are taps too. A jump is a page that scrolls by itself, or has to be scrolled far.
"""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import ChipCount, Night
from league.recording.record import record_hand
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.ledger import chips
from tests.helpers.browser.reach import WATCH, Reach
from tests.helpers.league.leagues import holdem

SEVEN = ("Ann", "Bob", "Cat", "Dov", "Eve", "Fay", "Gus")
SHOWED = ("Ann", "Cat", "Fay")
MOST_JUMPS = 3


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Reach:
    """On the recording page of a night of seven."""
    thumb = Reach(page, live_server.url)
    page.add_init_script(WATCH)
    thumb.join_night(*SEVEN)
    thumb.press("Record a hand")
    expect(page.locator("#search")).to_be_visible()
    page.wait_for_load_state()
    thumb.begin()
    return thumb


def stakes(thumb: Reach, paid: int = 40) -> None:
    """Enter the common payment and who showed, and continue to the cards."""
    thumb.all_paid(paid)
    thumb.showed(*SHOWED)
    thumb.next()


def saved(thumb: Reach, taps: int) -> None:
    """The sheet is down, the verdict is there: one more tap, and no more than these in all."""
    expect(thumb.page.locator("#sheet")).to_be_hidden()
    expect(thumb.page.locator("#says")).to_contain_text("wins")
    assert thumb.page.evaluate("moved") == []
    thumb.save()
    print(thumb.taps, thumb.jumps, thumb.scrolls)  # noqa: T201 (told: it shall get less)
    assert thumb.taps <= taps
    assert thumb.jumps + thumb.scrolls <= MOST_JUMPS


def test_holdem_with_a_side_pot_takes_21_taps(thumb: Reach) -> None:
    """PHONE.md 13: all in asked for the stack that the table knows: four taps more."""
    players = [{"name": name, "paid": 85} for name in ("Ann", "Cat")]
    lost = {"variant": "nightmare", "depth": "result", "took": {"Ann": 170}, "button": 0}
    record_hand(Night.objects.get(), uuid4(), lost | {"players": players}, by=None)
    thumb.page.reload()
    thumb.page.wait_for_load_state()
    thumb.begin()
    thumb.choose("Texas Hold'em")
    stakes(thumb)
    thumb.cards("2h 7d 9s Jd Qc Ac Ad")
    thumb.fate("All in")
    amount = thumb.seat("Cat").locator(".amount")
    expect(amount).to_have_value("15")
    thumb.fate("All in 15")
    expect(amount).to_have_value("")
    thumb.fate("All in")
    thumb.cards("Kc Kd Th 8h")
    expect(thumb.verdict()).to_contain_text("Fay wins the side pot")
    saved(thumb, 23)  # two of them took the all-in back and said it again
    assert chips()["Cat"] == 0
    assert chips()["Bob"] == 60


def test_omaha_with_declares_takes_34_taps(thumb: Reach) -> None:
    thumb.choose("Omaha-8")
    thumb.option("declare", "high-low")
    stakes(thumb)
    thumb.cards("2h 7d 9s Jd Qc")
    for cards, way in (("As Kd 3c 4c", "low"), ("Qs Qd 7c 7h", "high"), ("Ac Ad Kh 2c", "high")):
        thumb.cards(cards)
        thumb.says_way(way)
    saved(thumb, 34)


def test_midnight_cobain_takes_40_taps(thumb: Reach) -> None:
    thumb.choose("Midnight Cobain Baseball")
    stakes(thumb)
    thumb.cards("2h")
    for cards in ("Ks Kd 3c 5c 6h 8h Th", "Qs Qd 7c 7h 2s 9c 5d", "Ac Ad Ah 2c 8s Jd Js"):
        thumb.cards(cards)
        thumb.tap(".deck [data-tool=check]")
    saved(thumb, 40)


def test_result_of_seven_takes_8_taps(thumb: Reach) -> None:
    thumb.choose("Nightmare")
    thumb.result_only()
    thumb.tap("#all_paid")
    thumb.tap(".chip.v1")
    thumb.done()
    thumb.tap(".pill:has-text('Bob')")
    saved(thumb, 8)
    assert chips() == dict.fromkeys(SEVEN, 95) | {"Bob": 130}


def busted() -> None:
    """Bob has put all his chips in and lost them."""
    told = holdem()
    for name, each in zip(("Ann", "Bob"), told["players"], strict=True):
        each |= {"name": name, "paid": 100}
    record_hand(Night.objects.get(), uuid4(), told, by=None)


def test_busted_player_buys_in_again_by_one_tap_on_the_page_of_the_night(thumb: Reach) -> None:
    busted()
    thumb.go(f"/nights/{Night.objects.get().pk}")
    thumb.begin()
    thumb.tap(thumb.page.get_by_role("button", name="Bob buys in for 100"))
    expect(thumb.page.locator(".stacks tr", has_text="Bob")).to_contain_text("100")
    assert thumb.taps == 1
    assert chips()["Bob"] == 100
    assert not hard_to_use(thumb.page)
    thumb.tap(thumb.page.get_by_role("button", name="Undo the buy-in of Bob"))
    expect(thumb.page.get_by_role("button", name="Bob buys in for 100")).to_be_visible()
    assert chips()["Bob"] == 0


def test_busted_player_buys_in_again_while_a_hand_is_typed(thumb: Reach) -> None:
    busted()
    thumb.page.reload()
    thumb.choose("Texas Hold'em")
    thumb.all_paid(40)
    thumb.done()
    thumb.begin()
    rebuy = thumb.page.get_by_role("button", name="Bob buys in for 100")
    thumb.tap(rebuy)
    undo = thumb.page.get_by_role("button", name="Undo the buy-in of Bob")
    expect(undo).to_be_focused()
    assert chips()["Bob"] == 100
    expect(thumb.verdict()).not_to_contain_text("a buy-in may be missing")
    assert not hard_to_use(thumb.page)
    thumb.tap(undo)
    expect(rebuy).to_be_visible()
    assert chips()["Bob"] == 0
    assert thumb.taps == 2
    expect(thumb.page.locator("#all_paid")).to_have_value("40")


def test_seven_stacks_are_counted_in_one_pass(thumb: Reach) -> None:
    """It took nine taps and eighteen keys, and the difference stood below the last player."""
    busted()
    page = thumb.page
    thumb.go(f"/nights/{Night.objects.get().pk}/count")
    thumb.begin()
    so_far = page.locator("#sheet [data-sum]")
    thumb.tap(page.get_by_label("Chips of Ann"))
    expect(so_far).to_contain_text("7 still to count")
    thumb.digits(195)
    thumb.tap(page.get_by_role("button", name="Next", exact=True))
    expect(so_far).to_contain_text("195 of 700 counted")
    expect(so_far).to_contain_text("\N{MINUS SIGN}5")
    assert not hard_to_use(page)
    for _name in SEVEN[1:]:
        thumb.tap(page.get_by_role("button", name="as by the hands"))
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(".bar [data-sum]")).to_contain_text("695 of 700 counted")
    assert not hard_to_use(page)
    thumb.press("Save count")
    expect(page.get_by_text("Count saved.")).to_be_visible()
    assert thumb.taps == 12
    assert thumb.jumps + thumb.scrolls <= MOST_JUMPS
    counts = dict(ChipCount.objects.values_list("player__name", "chips"))
    assert counts == dict.fromkeys(SEVEN, 100) | {"Ann": 195, "Bob": 0}
