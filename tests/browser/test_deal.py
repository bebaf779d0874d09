"""The open deal on seven phones: named once, declared blind, each one's own cards, one hand."""

from playwright.sync_api import expect

from league.models import Deal, Hand, League, Revision
from ledger.balances import total
from tests.helpers.browser.deals import Table, table

__all__ = ["table"]

VERDICT = 2_500  # milliseconds: asked each second, and drawn


def omaha(table: Table) -> None:
    """Name Omaha-8 with declarations, as the table plays it."""
    recorder = table.recorder
    table.name("Omaha-8")
    recorder.tap("summary:has-text('Change the deal')")
    recorder.page.select_option("[name='options/declare']", "high-low")
    recorder.press("Play it so")


def declare_blind(table: Table) -> None:
    """Three declare on their phones, the recorder for the one without; then all see it."""
    recorder, page = table.recorder, table.recorder.page
    table.play_to("declares at once")
    for name, word in (("Ann", "High"), ("Bob", "Low"), ("Cat", "High")):
        expect(page.locator(".locked")).to_contain_text("of 4 locked")
        table.lock(name, word)
    assert "Low" not in page.locator("#deal .seats-told").inner_text()
    recorder.tap("summary:has-text('without a phone')")
    recorder.tap(page.locator("details[open]").get_by_role("button", name="Low"))
    for phone in table.everybody():
        expect(phone.page.locator("#deal .seats-told li", has_text="Bob")).to_contain_text("Low")


def test_omaha_with_declarations_on_seven_phones(table: Table) -> None:
    """Recorder 14 taps at most, each player 8, from the last card to the ledger."""
    recorder = table.recorder
    omaha(table)
    table.play_to("(e)")
    table.reset()
    table.fold("Dan", "Eve", "Fay")
    declare_blind(table)
    table.show_board("Dan", "2h 3d 7s Kc Qd")
    table.show("Ann", "Ah Kh Kd 9c")
    table.show("Bob", "As 4c 8d Jd")
    table.show("Cat", "Qh Qs Jh Th")
    recorder.press("Record this hand")
    expect(recorder.seat("Bob").locator(".slot.full")).to_have_count(4)
    recorder.tap("#all_paid")
    recorder.digits(10)
    recorder.open_hand("Gus")
    recorder.cards("Ac 5d 6h 6d")
    expect(recorder.verdict()).to_contain_text("Ann")
    recorder.press("Save")
    for phone in table.phones.values():
        expect(phone.page.locator(".latest h2")).to_be_visible(timeout=VERDICT)
    assert recorder.taps <= 14
    assert {name: phone.taps for name, phone in table.phones.items() if phone.taps > 8} == {}
    assert Hand.objects.count() == 1
    assert not Deal.objects.exists()
    assert total(League.objects.get().book) == 0
    record = Revision.objects.get().record
    declared = {each["name"]: each.get("declared") for each in record["players"]}
    assert declared == {
        "Ann": "high", "Bob": "low", "Cat": "high", "Gus": "low",
        "Dan": None, "Eve": None, "Fay": None,
    }  # fmt: skip
