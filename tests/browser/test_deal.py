"""The open deal on seven phones: named once, declared blind, each one's own cards, one hand."""

import re

from playwright.sync_api import expect

from league.models import Hand, Revision
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.deals import Table, table

__all__ = ["table"]


SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) {
            if (!hadRecentInput) window.shifted += value;
        }
    }).observe({ type: "layout-shift" });
}"""


def omaha(table: Table) -> None:
    """Name Omaha-8 with declarations, as the table plays it."""
    recorder = table.recorder
    table.name("Omaha-8")
    recorder.tap("summary:has-text('Change game or options')")
    recorder.page.select_option("[name='options/declare']", "high-low")
    recorder.press("Save changes")
    expect(recorder.page.locator("details[open] [name='options/declare']")).to_have_count(0)


def declare_blind(table: Table) -> None:
    """Three declare on their phones, the recorder for the one without; then all see it."""
    recorder, page = table.recorder, table.recorder.page
    table.play_to("declares at once")
    for name, word in (("Ann", "High"), ("Bob", "Low"), ("Cat", "High")):
        expect(page.locator(".locked")).to_contain_text("of 4 locked")
        table.lock(name, word)
    assert "Low" not in page.locator("#deal .seats-told").inner_text()
    recorder.tap("summary:has-text('Declare for a player')")
    recorder.tap(page.locator("details[open]").get_by_role("button", name="Low"))
    for phone in table.everybody():
        expect(phone.page.locator("#deal .seats-told li", has_text="Bob")).to_contain_text("Low")


def test_omaha_with_declarations_on_seven_phones(table: Table) -> None:
    """Recorder 14 taps at most, each player 8, from the last card to the ledger."""
    omaha(table)
    table.play_to("(e)")
    table.reset()
    table.fold("Dan", "Eve", "Fay")
    declare_blind(table)
    table.show_board("Dan", "2h 3d 7s Kc Qd")
    table.show("Ann", "Ah Kh Kd 9c")
    table.show("Bob", "As 4c 8d Jd")
    table.show("Cat", "Qh Qs Jh Th")
    table.write_hand("Ac 5d 6h 6d")
    table.saved(14, 8)
    record = Revision.objects.get().record
    declared = {each["name"]: each.get("declared") for each in record["players"]}
    assert declared == {
        "Ann": "high", "Bob": "low", "Cat": "high", "Gus": "low",
        "Dan": None, "Eve": None, "Fay": None,
    }  # fmt: skip


def test_holdem_with_a_side_pot(table: Table) -> None:
    """Recorder 15 taps at most: who is short says so, the recorder how much."""
    table.name("Texas Hold'em")
    table.play_to("(e)")
    table.reset()
    table.fold("Dan", "Eve", "Fay")
    table.phones["Cat"].press("I am all in")
    table.play_to("Cards on the table")
    table.show_board("Dan", "2h 3d 7s Kc Qd")
    table.show("Ann", "Ah Kh")
    table.show("Bob", "As 4c")
    table.show("Cat", "Qh Qs")
    table.write_hand("5d 5h", for_all=20)
    table.recorder.paid("Cat", 5)
    table.recorder.done()
    expect(table.recorder.verdict()).to_contain_text("Side pot")
    table.saved(15, 8)


def test_fold_around_is_recorded_from_the_first_step(table: Table) -> None:
    """PHONE.md 4: one tap from the panel, the player who is left, the chips, Save; no cards."""
    table.name("Texas Hold'em")
    table.reset()
    recorder = table.recorder
    recorder.press("Everyone folded")
    recorder.tap(recorder.page.locator(".left-alone .pill", has_text="Bob"))
    recorder.digits(2)
    recorder.next()
    expect(recorder.page.locator("#sheet")).to_be_visible()
    recorder.done()
    expect(recorder.verdict()).to_contain_text("Bob wins 14")
    table.saved(6, 0)
    players = Revision.objects.get().record["players"]
    assert [each["name"] for each in players if "folded" not in each] == ["Bob"]


def test_nightmare(table: Table) -> None:
    table.name("Nightmare")
    table.play_to("(c e f)")
    table.reset()
    table.fold("Cat", "Dan", "Eve", "Fay")
    table.play_to("Cards on the table")
    table.show_board("Dan", "2h 3d 7s Kc Qd 9h")
    table.show("Ann", "Ah Kh Kd 9c 9d")
    table.show("Bob", "As 4c 8d Jd 2c")
    table.write_hand("Ac 5d 6h 6d 7c")
    table.saved(16, 9)


def test_middlemost(table: Table) -> None:
    """Three in the hole and three showing: the wild card is told by the deck alone."""
    table.name("Middlemost")
    table.play_to("Each player may exchange")
    table.reset()
    table.fold("Cat", "Dan", "Eve", "Fay")
    table.play_to("declares at once")
    table.lock("Ann", "High")
    table.lock("Bob", "Low")
    table.recorder.tap("summary:has-text('Declare for a player')")
    table.recorder.tap(table.recorder.page.locator("details[open] button:has-text('High')"))
    table.show("Ann", "Ah Kh Kd 9c 9d 9h")
    table.show("Bob", "As 4c 8d Jd 2c 3c")
    table.write_hand("Ac 5d 6h 6d 7c 7d")
    table.saved(16, 10)


def test_phones_that_contradict_each_other_are_told_by_name(table: Table) -> None:
    """A card twice, two boards: nothing is merged, and the recorder's form takes neither."""
    table.name("Texas Hold'em")
    table.play_to("Cards on the table")
    table.show("Ann", "Ah Kh")
    table.show_board("Ann", "2h 3d 7s Kc Qd")
    table.phones["Bob"].press("Show the board")
    table.phones["Bob"].tap(table.phones["Bob"].page.locator(".board .slot").last)
    table.phones["Bob"].cards("Jd")
    table.phones["Bob"].press("Show the board")
    page = table.phones["Cat"].page
    expect(page.locator("#deal .note.warn")).to_contain_text("Ann and Bob tell different cards")
    table.phones["Bob"].press("Show my cards")
    expect(table.phones["Bob"].page.locator('.deck [data-card="Ah"]')).to_have_class(
        re.compile("used")
    )
    table.recorder.press("Record this hand")
    expect(table.recorder.seat("Ann").locator(".slot.full")).to_have_count(2)
    expect(table.recorder.page.locator(".board .zone[data-otherwise]")).to_have_count(1)
    expect(table.recorder.page.locator(".board .slot.full")).to_have_count(0)


def test_a_phone_that_wakes_up_later_and_a_second_recorder_make_no_second_hand(
    table: Table,
) -> None:
    """Both opened the same deal; one saved it. What the other says waits beside that hand."""
    table.name("Texas Hold'em")
    table.play_to("Cards on the table")
    late = table.phones["Bob"]
    late.page.context.set_offline(True)
    for phone in (table.recorder, table.phones["Ann"]):
        phone.press("Record this hand")
        phone.result_only()
        phone.all_paid(5)
        phone.done()
    table.recorder.tap(".pill:has-text('Ann')")
    table.recorder.press("Save")
    expect(table.recorder.page.locator(".latest h2")).to_contain_text("Ann wins")
    second = table.phones["Ann"]
    second.tap(".pill:has-text('Bob')")
    second.press("Save")
    expect(second.page.get_by_text("Hand 1 was also recorded on another phone")).to_be_visible()
    late.page.context.set_offline(False)
    expect(late.page.locator(".latest h2")).to_contain_text("Ann wins")
    assert Hand.objects.count() == 1


def test_nothing_moves_under_who_types_when_another_phone_tells(table: Table) -> None:
    table.name("Texas Hold'em")
    table.play_to("Cards on the table")
    page = table.recorder.page
    table.recorder.press("Record this hand")
    table.recorder.open_hand("Cat")
    table.recorder.cards("2c")
    page.evaluate(SHIFTS)
    table.show("Ann", "Ah Kh")
    expect(table.recorder.seat("Ann").locator(".slot.full")).to_have_count(2)
    expect(table.recorder.seat("Cat").locator(".slot.full")).to_have_count(1)
    assert page.evaluate("window.shifted") == 0


def test_a_deal_by_keys_and_for_everybody(table: Table) -> None:
    """axe finds nothing on any page of a deal, and a declaration is locked without a touch."""
    omaha(table)
    page = table.phones["Ann"].page
    assert hard_to_use(table.recorder.page) == []
    assert hard_to_use(page) == []
    table.play_to("declares at once")
    expect(page.locator(".declaring")).to_be_visible()
    assert hard_to_use(page) == []
    page.locator(".ways input").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".declaring")).to_have_count(0)
    page.goto(f"{page.url}/deal/cards")
    assert hard_to_use(page) == []
