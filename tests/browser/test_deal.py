"""A deal on several phones: blind declarations, private cards, and one recorded hand."""

import re

import pytest
from playwright.sync_api import expect

from league.models import DealtPlayer, Hand, Revision
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


def omaha(table: Table, *, named: bool = False) -> None:
    """Name Omaha-8 with declarations as the next game."""
    recorder = table.recorder
    if not named:
        table.name("Omaha-8")
    recorder.tap("summary:has-text('Change game or options')")
    recorder.page.select_option("[name='options/declare']", "high-low")
    recorder.press("Save changes")
    expect(recorder.page.locator("details[open] [name='options/declare']")).to_have_count(0)


def test_open_rules_follow_changed_options(table: Table) -> None:
    """Phones with open rules kept the old ones, without the declarations."""
    table.open_phones("Ann")
    table.name("Omaha-8")
    rules = table.phones["Ann"].page.locator(".card-of-rules[open]")
    expect(rules).to_be_visible()
    expect(rules).not_to_contain_text("Declare")
    omaha(table, named=True)
    expect(rules.locator("dt", has_text="Declare")).to_be_visible()


def declare_blind(table: Table) -> None:
    """Ann declares on her phone, Bob by keyboard, the recorder for Gus. Then all are revealed."""
    recorder, bob = table.recorder, table.phones["Bob"].page
    table.play_to("Declare now")
    expect(recorder.page.locator(".locked")).to_contain_text("of 4 locked")
    table.lock("Ann", "High")
    ann = table.phones["Ann"].page
    own = ann.get_by_text("You declared High.")
    expect(own).to_be_hidden()  # neighbours can see the phone
    ann.get_by_text("Show my declaration").click()
    expect(own).to_be_visible()
    assert hard_to_use(ann) == []
    expect(bob.locator(".declaring")).to_be_visible()
    assert hard_to_use(bob) == []
    bob.locator(".ways input[value=low]").focus()
    bob.keyboard.press("Space")
    bob.keyboard.press("Tab")
    bob.keyboard.press("Enter")
    expect(bob.locator(".declaring")).to_have_count(0)
    table.lock("Cat", "High")
    expect(recorder.page.locator(".locked")).to_contain_text("3 of 4 locked")
    expect(recorder.page.locator("#deal .seat-status")).not_to_contain_text("Low")
    recorder.tap("summary:has-text('Declare for a player')")
    recorder.tap(recorder.page.get_by_role("button", name="Low for Gus"))
    for phone in table.everybody():
        expect(phone.page.locator("#deal .seat-status li", has_text="Bob")).to_contain_text("Low")


def test_omaha_with_declarations_can_be_played_on_several_phones(table: Table) -> None:
    """From the last card to the ledger, the recorder needs at most 14 taps and each player 8.

    axe finds no problems on any page during the deal, and Bob locks his declaration by keyboard.
    """
    table.open_phones("Ann", "Bob")
    omaha(table)
    recorder, bob = table.recorder, table.phones["Bob"].page
    assert hard_to_use(recorder.page) == []
    assert hard_to_use(bob) == []
    table.play_to("One card on the board", nth=2)
    table.reset()
    table.fold("Dan", "Eve", "Fay")
    declare_blind(table)
    table.show_board("Dan", "2h 3d 7s Kc Qd")
    table.show("Ann", "Ah Kh Kd 9c")
    table.phones["Bob"].press("Show my cards")
    table.phones["Bob"].cards("As 4c 8d Jd")
    assert hard_to_use(bob) == []
    table.phones["Bob"].press("Show cards")
    table.show("Cat", "Qh Qs Jh Th")
    table.write_hand("Ac 5d 6h 6d")
    table.saved(14, 8)
    record = Revision.objects.get().record
    declared = {each["name"]: each.get("declared") for each in record["players"]}
    assert declared == {
        "Ann": "high", "Bob": "low", "Cat": "high", "Gus": "low",
        "Dan": None, "Eve": None, "Fay": None,
    }  # fmt: skip


@pytest.mark.scheduled
def test_holdem_with_a_side_pot_can_be_played_on_several_phones(table: Table) -> None:
    """The recorder needs at most 15 taps and each player 8.

    A player with a short stack reports being all in, and the recorder enters the amount.
    """
    table.open_phones("Cat", "Dan")
    table.name("Texas Hold'em")
    table.play_to("One card on the board", nth=2)
    table.reset()
    table.fold("Dan", "Eve", "Fay")
    table.phones["Cat"].press("All in")
    table.play_to("Showdown")
    table.show_board("Dan", "2h 3d 7s Kc Qd")
    table.show("Ann", "Ah Kh")
    table.show("Bob", "As 4c")
    table.show("Cat", "Qh Qs")
    table.write_hand("5d 5h", for_all=20)
    table.recorder.paid("Cat", 5)
    table.recorder.done()
    expect(table.recorder.verdict()).to_contain_text("Side pot")
    table.saved(15, 8)


def test_all_in_on_the_own_phone_fills_the_stack_into_the_form(table: Table) -> None:
    """The recorder had to type the amount, although "All in" on the form fills it in.

    Each player starts with 100 chips.
    """
    table.open_phones("Cat")
    table.name("Texas Hold'em")
    table.play_to("One card on the board")
    table.phones["Cat"].press("All in")
    expect(table.phones["Cat"].page.get_by_role("button", name="Undo all in")).to_be_visible()
    recorder = table.recorder
    recorder.press("Record this hand")
    seat = recorder.seat("Cat")
    expect(seat).to_have_attribute("data-state", "all-in")
    expect(seat.locator(".amount")).to_have_value("100")
    expect(recorder.seat("Bob").locator(".amount")).to_have_value("")


def test_hand_in_which_all_others_folded_is_recorded_without_cards(table: Table) -> None:
    """The recorder taps the panel, the last player, the chips and Save, and enters no cards."""
    table.open_phones("Ann")
    table.name("Texas Hold'em")
    table.reset()
    recorder = table.recorder
    with recorder.page.expect_navigation(wait_until="domcontentloaded"):
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


def test_contradicting_cards_from_two_phones_are_reported(table: Table) -> None:
    """A duplicate card and two boards are reported. The recorder's form has only the agreed cards.

    The form does not move while the recorder is typing and another phone shows its cards.
    """
    table.open_phones("Ann", "Bob")
    table.name("Texas Hold'em")
    table.play_to("Showdown")
    bob = table.phones["Bob"]
    bob.press("Enter the board")
    table.show_board("Ann", "2h 3d 7s Kc Qd")
    bob.cards("2h 3d 7s Kc Jd")
    bob.press("Save board")
    for phone in table.everybody():
        expect(phone.page.locator("#deal .note.warn")).to_contain_text(
            "The board: phones disagree. Which is right?"
        )
    recorder = table.recorder
    recorder.press("Record this hand")
    expect(recorder.page.locator(".board .zone[data-otherwise]")).to_have_count(1)
    expect(recorder.page.locator(".board .slot.full")).to_have_count(4)
    recorder.open_hand("Cat")
    recorder.cards("2c")
    recorder.page.evaluate(SHIFTS)
    table.show("Ann", "Ah Kh")
    expect(recorder.seat("Ann").locator(".slot.full")).to_have_count(2)
    expect(recorder.seat("Cat").locator(".slot.full")).to_have_count(1)
    assert recorder.page.evaluate("window.shifted") == 0
    bob.press("Show my cards")
    expect(bob.page.locator('.deck [data-card="Ah"]')).to_have_class(re.compile("used"))
    bob.go(f"/nights/{table.night.pk}")
    bob.tap(bob.page.get_by_role("button", name="Q♦ (Ann)"))
    expect(recorder.page.locator(".board .slot.full")).to_have_count(5)
    expect(recorder.page.locator(".board .zone[data-otherwise]")).to_have_count(0)


def test_board_page_and_recorder_enter_the_board_in_the_order_of_the_deal(table: Table) -> None:
    """Nightmare's slots are a, then b d, then c e f. Its rows are a b c, d e and f."""
    table.open_phones("Bob")
    table.name("Nightmare")
    table.play_to("on the board", nth=2)
    bob, recorder = table.phones["Bob"], table.recorder
    bob.press("Enter the board")
    bob.cards("Kc 7h Kd")
    bob.press("Save board")
    expect(bob.page.locator("#deal")).to_be_visible()
    recorder.press("Record this hand")
    expect(recorder.page.locator(".board .slot.full")).to_have_count(3)
    recorder.tap(recorder.page.locator(".board .slot:not(.full)").first)
    for letter, card in (("c", "2s"), ("e", "4c"), ("f", "9d")):
        expect(recorder.page.locator("#sheet")).to_contain_text(f" · {letter} · ")
        recorder.cards(card)
    recorder.cards("As")
    expect(recorder.page.locator(".seat .slot.full")).to_have_count(1)
    rows = [recorder.page.locator(f'[name="board/{row}"]').input_value() for row in range(3)]
    assert rows == ["Kc 7h 2s", "Kd 4c", "9d"]


@pytest.mark.scheduled
def test_deal_recorded_on_two_phones_becomes_one_hand_and_a_conflict(
    table: Table,
) -> None:
    """Two phones record the same deal with different winners. The second record is a conflict."""
    table.open_phones("Ann", "Bob")
    table.name("Texas Hold'em")
    table.play_to("Showdown")
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


def test_ticked_players_are_folded_after_the_list_was_updated(table: Table) -> None:
    """The boxes used to keep the players of the first rows, so that locked players were folded."""
    omaha(table)
    table.play_to("Declare now")
    recorder = table.recorder
    names = recorder.page.locator("#skip .pill")
    expect(names).to_have_count(7)
    for name in ("Ann", "Bob", "Cat"):
        table.lock(name, "High")
    expect(names).to_have_count(4)
    recorder.tap("#skip summary")
    recorder.tap(names.filter(has_text="Gus"))
    recorder.tap("#skip button:has-text('Fold players')")
    folded = recorder.page.locator("#deal .seat-status li", has_text="folded")
    expect(folded).to_have_count(1)
    expect(folded).to_contain_text("Gus")
    rows = DealtPlayer.objects.filter(state=DealtPlayer.State.FOLDED)
    assert [row.player.name for row in rows] == ["Gus"]
