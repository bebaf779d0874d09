"""Record hands on a phone, by thumb alone, and find the chips where they belong."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand, League, Revision
from ledger.balances import total
from tests.helpers.browser.ledger import chips
from tests.helpers.browser.phone import Thumb
from tests.helpers.browser.reach import WATCH


def seated(thumb: Thumb, *names: str) -> None:
    """Open the recording page of a night of these players."""
    thumb.join_night(*names)
    thumb.press("Record a hand")
    thumb.taps = 0


def test_user_signs_up_and_records_up_to_the_ledger(thumb: Thumb) -> None:
    """Middlemost: 7-9-J down makes the 9s wild, the one turned up too (tests/vectors)."""
    thumb.sign_up()
    thumb.make_league(("Ann", "Bob", "Cat"))
    thumb.start_night()
    thumb.press("Record a hand")
    thumb.choose("Middlemost")
    thumb.all_paid(10)
    thumb.done()
    thumb.fold("Cat")
    thumb.declare("Ann", "high")
    thumb.declare("Bob", "high")
    thumb.open_hand("Ann")
    thumb.cards("2c 2d 5s Kh Kd 8c")
    thumb.cards("7c 9d Js 9h Ac As")
    expect(thumb.verdict()).to_contain_text("Bob wins 30")
    expect(thumb.page.locator("#says")).to_have_text("Bob wins 30")
    wild = thumb.verdict().get_by_role("img", name=re.compile("playing as ace"))
    expect(wild.first).to_be_visible()
    thumb.save()
    assert [thumb.stack(name) for name in ("Ann", "Bob", "Cat")] == ["90", "120", "90"]
    assert chips() == {"Ann": 90, "Bob": 120, "Cat": 90}
    assert total(League.objects.get().book) == 0
    thumb.tap(".hand-line")
    expect(thumb.page.get_by_role("heading", name="Middlemost")).to_be_visible()
    expect(thumb.page.get_by_role("img", name="king of hearts").first).to_be_visible()


def test_tie_break_asks_tied_players_alone(thumb: Thumb) -> None:
    """PHONE.md 11: with two tied it listed all, and went on to one who had folded. Ann and Bob have
    21, Cat 26 and Dan nothing (tests/vectors/points/five-card-21.jsonl)."""
    seated(thumb, "Ann", "Bob", "Cat", "Dan")
    thumb.choose("Five-Card 21")
    thumb.all_paid(10)
    thumb.done()
    thumb.showed("Ann", "Bob", "Cat")
    thumb.open_hand("Ann")
    thumb.cards("Ah Ad 4c 5s Ts As Ac 4d 5h Th Kh Qd 2s 3c 4h")
    sheet = thumb.page.locator("#sheet [data-part=says]")
    thumb.tap(thumb.page.locator("#says").get_by_role("link", name="Enter the tie-break"))
    expect(sheet).to_contain_text("Ann, round 1")
    thumb.cards("2c 5d 9h Jd Ks")
    expect(sheet).to_contain_text("Bob, round 1")
    thumb.cards("3c 3d 4h 6d 7s")
    expect(thumb.page.locator("#sheet")).to_be_hidden()
    expect(thumb.verdict()).to_contain_text("Bob wins 40")
    thumb.save()
    (dealt,) = Revision.objects.get().record["tiebreaks"]
    assert dealt.keys() == {"Ann", "Bob"}


def test_two_rows_with_declares_side_pots_and_table_payouts_are_recorded(thumb: Thumb) -> None:
    """The example of the contract (tests/vectors/contract.jsonl, its first line)."""
    seated(thumb, "ann", "bob", "cat", "dan")
    thumb.choose("Omaha-8")
    rows = thumb.page.locator(".pill", has_text="Two rows")
    expect(rows).to_be_hidden()
    thumb.modify("Two rows")
    expect(rows).to_be_visible()  # variations are folded away until one is chosen
    thumb.option("declare", "high-low")
    thumb.all_paid(40)
    thumb.paid("bob", 15)
    thumb.paid("dan", 10)
    thumb.done()
    thumb.state("bob", "all-in")
    thumb.fold("dan")
    thumb.open_board()
    thumb.cards("2h 7d 9s Jd Qc Ah 5d 6s 8d Tc As Kd 3c 4c Qs Qd 7c 7h Ac Ad Kh 2c")
    thumb.done()
    for name, way in (("ann", "low"), ("bob", "high"), ("cat", "both")):
        thumb.declare(name, way)
    expect(thumb.verdict()).to_contain_text("ann wins 77, bob wins 28")
    expect(thumb.verdict()).to_contain_text("so cat is out of both")
    thumb.tap("summary:has-text('Table paid differently')")
    for name, number in (("ann", 52), ("bob", 28), ("cat", 25)):
        thumb.tap(thumb.page.get_by_label(f"{name} took", exact=True))
        thumb.digits(number)
    thumb.done()
    owes = thumb.verdict().locator(".note.warn", has_text="cat will owe ann 25")
    expect(owes).to_be_visible()  # once all three numbers are in
    expect(thumb.page.locator("#says .warned")).to_have_text("cat will owe ann 25.")
    thumb.save()
    assert Revision.objects.get().record["took"] == {"ann": 52, "bob": 28, "cat": 25}
    assert chips() == {"ann": 112, "bob": 113, "cat": 85, "dan": 90}


def test_two_rows_against_the_dealer_move_chips(thumb: Thumb) -> None:
    """Put and Take, counting 1-2-3-4-5 (vectors/banking/put-and-take.jsonl, its first line)."""
    seated(thumb, "Ann", "Bob", "Dot")
    thumb.choose("Put and Take")
    thumb.tap(thumb.seat("Dot").locator(".deal"))
    expect(thumb.seat("Dot").locator(".slot").first).not_to_be_visible()
    thumb.open_board()
    thumb.cards("Ks 7d 2h 9c Jd Kd 3s Qh 7c 5d")
    thumb.cards("Kh Kc 4d 8s Ts 7s 9d Jc 2s 6h")
    expect(thumb.verdict()).to_contain_text("Bob loses 10, Dot wins 10")
    thumb.save()
    assert chips() == {"Ann": 100, "Bob": 90, "Dot": 110}


def test_hand_saved_too_early_continues_at_the_first_empty_slot(thumb: Thumb) -> None:
    """It stayed on every page as one not sent yet, even after the next hand was saved."""
    seated(thumb, "Ann", "Bob")
    thumb.choose("Texas Hold'em")
    thumb.all_paid(10)
    thumb.done()
    thumb.open_board()
    thumb.cards("2h 7d 9s Jd Qc Ac")
    thumb.done()
    thumb.press("Save")
    slot = thumb.seat("Ann").locator(".slot.next")
    expect(slot).to_have_attribute("aria-label", re.compile("Ann.* 2: empty"))
    expect(slot).to_be_in_viewport()
    expect(thumb.page.locator("#waiting")).to_be_hidden()
    thumb.cards("Ad Kc Kd")
    expect(thumb.verdict()).to_contain_text("Ann wins 20")
    thumb.save()
    expect(thumb.page.locator("#waiting")).to_be_hidden()
    assert Hand.objects.count() == 1


def test_layout_does_not_shift_under_the_thumb(thumb: Thumb) -> None:
    """Issue 5: no layout shift; Save and the keypad stay where they are when the verdict comes."""
    thumb.page.add_init_script(WATCH)
    seated(thumb, "Ann", "Bob", "Cat")
    thumb.choose("Texas Hold'em")
    thumb.open_board()
    thumb.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    thumb.fold("Cat")
    thumb.tap("#all_paid")
    expect(thumb.page.locator("#says")).not_to_contain_text("to come")
    before = boxes(thumb.page)
    thumb.digits(10)
    expect(thumb.page.locator("#says")).to_have_text("Ann wins 30")
    assert boxes(thumb.page) == before
    thumb.done()
    thumb.page.evaluate("new Promise(requestAnimationFrame)")
    assert thumb.page.evaluate("moved") == []
    slow = thumb.page.evaluate("slow.sort()")
    print("events longer than 100 ms:", slow)  # noqa: T201 (told, since machines differ)


def boxes(page: Page) -> list[object]:
    watched = (".bar .main", "#sheet", ".pad .key >> nth=0")
    return [page.locator(each).bounding_box() for each in watched]


@pytest.mark.parametrize("by", ["Undo", "Save correction"])
def test_winner_is_corrected_by_a_tap(by: str, thumb: Thumb) -> None:
    """Ann was booked again: the split that the page had filled in beat the tapped name.

    An undone hand opened with "Pot 15" alone in the bar, and "Failed to construct 'URL'" later.
    """
    seated(thumb, "Ann", "Bob", "Cat")
    record_result(thumb, "Ann")
    assert chips() == {"Ann": 110, "Bob": 95, "Cat": 95}
    if by == "Undo":
        thumb.press("Undo")
        expect(thumb.page.locator("#says")).to_have_text("Ann wins 15")
        loaded = "import('/static/league/js/offline/prepare.js').then(() => 'loaded')"
        assert thumb.page.evaluate(loaded) == "loaded"
    else:
        thumb.tap(".hand-line")
        thumb.press("Correct this hand")
    expect(thumb.page.get_by_role("radio", name="Ann", exact=True)).to_be_checked()
    thumb.tap(".pill:has-text('Cat')")
    expect(thumb.verdict()).to_contain_text("Cat wins 15")
    thumb.press("Save" if by == "Undo" else "Save correction")
    expect(thumb.page.get_by_text(re.compile(r"Hand \d+ is (saved|corrected)"))).to_be_visible()
    assert chips() == {"Ann": 95, "Bob": 95, "Cat": 110}


def test_split_is_corrected_to_one_winner_and_back_by_taps(thumb: Thumb) -> None:
    seated(thumb, "Ann", "Bob")
    thumb.choose("Nightmare")
    thumb.result_only()
    thumb.tap("#all_paid")
    thumb.tap(".chip.v1")
    thumb.done()
    thumb.tap("summary:has-text('Split the pot')")
    for name, number in (("Ann", 6), ("Bob", 4)):
        thumb.tap(thumb.page.get_by_label(f"{name} took", exact=True))
        thumb.digits(number)
    thumb.done()
    thumb.tap(".pill:has-text('Bob')")
    expect(thumb.page.get_by_label("Ann took", exact=True)).to_have_value("")
    expect(thumb.verdict()).to_contain_text("Bob wins 10")
    thumb.tap(thumb.page.get_by_label("Ann took", exact=True))
    thumb.digits(10)
    thumb.done()
    expect(thumb.page.get_by_role("radio", name="Bob", exact=True)).not_to_be_checked()
    thumb.save()
    assert chips() == {"Ann": 105, "Bob": 95}


def record_result(thumb: Thumb, winner: str) -> None:
    """Record that all players pay five, and one takes the pot."""
    thumb.choose("Nightmare")
    thumb.result_only()
    thumb.tap("#all_paid")
    thumb.tap(".chip.v1")
    thumb.done()
    thumb.tap(f".pill:has-text('{winner}')")
    expect(thumb.verdict()).to_contain_text(f"{winner} wins")
    thumb.save()


def test_unwon_pot_is_dealt_again_automatically(thumb: Thumb) -> None:
    """Qualifiers: neither three of a kind nor a 7 low (vectors/grids/qualifiers.jsonl, line 1).

    The game is chosen again, for those alone who can win what is carried; that stands where one
    pays.
    """
    seated(thumb, "Ann", "Bob", "Cat")
    thumb.choose("Qualifiers")
    qualify(thumb, "Kc Kd Ts 9h 8h", "Ann", "Bob")
    expect(thumb.verdict()).to_contain_text("30 carried over")
    thumb.save()
    expect(thumb.page.get_by_text("30 chips are carried into the next pot")).to_be_visible()
    thumb.press("Record a hand")
    expect(thumb.page.locator(".picker .chosen")).to_have_text("Qualifiers")
    expect(thumb.page.locator(".stake ~ .note")).to_have_text(
        re.compile(r"30 carried over\. Only Ann, Bob can win it")
    )
    expect(thumb.seat("Cat")).to_have_attribute("data-state", "away")
    thumb.taps = 0
    qualify(thumb, "Kc Kd Ks 9h 8h")
    expect(thumb.verdict()).to_contain_text("Ann wins 50")
    thumb.save()
    assert thumb.taps <= 18
    assert chips() == {"Ann": 130, "Bob": 80, "Cat": 90}


def qualify(thumb: Thumb, kings: str, *showed: str) -> None:
    thumb.all_paid(10)
    thumb.showed(*showed)
    thumb.next()
    thumb.cards(f"2h 3s {kings} Qc Qd Js 9c 8c")


def test_game_for_fewer_players_is_marked_before_and_after_the_choice(thumb: Thumb) -> None:
    """Before, only the verdict reported it, after all cards were entered."""
    seated(thumb, "Ann", "Bob", "Cat", "Dov", "Eve", "Fay", "Gus")
    baseball = thumb.page.locator(".choice", has_text="Midnight Cobain Baseball")
    expect(baseball).to_contain_text("for 2 to 6")
    expect(baseball).to_have_class(re.compile("unfit"))
    expect(thumb.page.locator(".choice", has_text="Nightmare")).not_to_contain_text("for 2")
    thumb.choose("Midnight Cobain Baseball")
    note = thumb.page.get_by_text("This game is for 2 to 6 players.")
    expect(note).to_be_visible()
    thumb.state("Gus", "away")
    expect(thumb.seat("Gus")).to_have_attribute("data-state", "away")
    expect(note).to_be_hidden()


def test_wild_and_earned_cards_are_recorded(thumb: Thumb) -> None:
    """Baseball: threes and nines are wild, a four earns a card: eight where others have seven."""
    seated(thumb, "Ann", "Bob")
    thumb.choose("Baseball")
    thumb.all_paid(10)
    thumb.done()
    for name, down, up in (
        ("Ann", "As Ks 2c", "3d 4h 9s Ah 8c"),
        ("Bob", "Qs Qd 2h", "5c 6c 7h Qh"),
    ):
        for zone, cards in zip(thumb.seat(name).locator(".zone").all(), (down, up), strict=True):
            thumb.tap(zone.locator(".slot").first)
            thumb.cards(cards)
    thumb.done()
    expect(thumb.verdict()).to_contain_text(
        "Ann wins the pot (20) with four aces (3♦ as A♣, 9♠ as A♦)"
    )
    thumb.save()
    assert thumb.taps <= 26


def test_player_who_folds_or_mucks_is_skipped_in_the_deck(thumb: Thumb) -> None:
    """One key folds the player whose cards are requested and continues; the sheet closes with a
    sign.
    """
    seated(thumb, "Ann", "Bob", "Cat", "Dan")
    thumb.choose("Texas Hold'em")
    thumb.all_paid(10)
    thumb.next()
    says = thumb.page.locator("#sheet [data-part=says]")
    thumb.cards("2h 7d 9s Jd Qc Ac Ad")
    expect(says).to_have_text("Bob, in the hole · 1/2")
    thumb.fate("Fold")
    expect(thumb.seat("Bob")).to_have_attribute("data-state", "folded")
    expect(says).to_have_text("Cat, in the hole · 1/2")
    thumb.fate("Muck")
    expect(says).to_have_text("Dan, in the hole · 1/2")
    thumb.cards("Kc Kd")
    expect(thumb.page.locator("#sheet")).to_be_hidden()
    expect(thumb.page.locator(".bar")).to_have_class("bar cue")
    expect(thumb.page.locator("#says")).to_have_text("Ann wins 40")
    expect(thumb.page.locator(".bar .pot")).to_have_text("Pot 40")
    expect(thumb.page.locator("#verdict")).to_be_in_viewport(ratio=0.5)
    thumb.save()
    states = [each.get("folded", each.get("mucked")) for each in players()]
    assert states == [None, True, True, None]
    assert "mucked" in players()[2]


def players() -> list[dict[str, object]]:
    return list(Revision.objects.get().record["players"])


def test_last_player_shows_nothing(thumb: Thumb) -> None:
    """The last one to fold ends the hand, and no card is asked for."""
    seated(thumb, "Ann", "Bob", "Cat")
    thumb.choose("Texas Hold'em")
    thumb.all_paid(10)
    thumb.done()
    thumb.open_hand("Ann")
    thumb.fate("Fold")
    thumb.fate("Fold")
    expect(thumb.page.locator("#sheet")).to_be_hidden()
    expect(thumb.page.locator("#says")).to_have_text("Cat wins 30")
    thumb.showed("Ann")
    expect(thumb.seat("Ann")).to_have_attribute("data-state", "in")
    expect(thumb.seat("Cat")).to_have_attribute("data-state", "folded")
    expect(thumb.page.locator("#says")).to_have_text("Ann wins 30")
    thumb.fold("Cat")  # a second tap takes the fold back
    expect(thumb.page.locator("[name=showed][value='2']")).to_be_checked()


def test_player_is_not_dealt_in_by_two_taps(thumb: Thumb) -> None:
    """Was: four taps on a name (folded, mucked, all in, not dealt in), and one more began again."""
    seated(thumb, "Ann", "Bob", "Cat")
    thumb.choose("Texas Hold'em")
    thumb.taps = 0
    thumb.state("Cat", "away")
    assert thumb.taps == 2
    expect(thumb.seat("Cat")).to_have_attribute("data-state", "away")
    expect(thumb.seat("Cat").locator(".states")).to_have_count(0)
    expect(thumb.page.locator(".showed .pill", has_text="Cat").first).to_be_hidden()
    thumb.state("Cat", "in")
    expect(thumb.page.locator(".showed .pill", has_text="Cat").first).to_be_visible()


def test_double_tap_saves_once(thumb: Thumb) -> None:
    seated(thumb, "Ann", "Bob")
    thumb.choose("Nightmare")
    thumb.result_only()
    thumb.all_paid(5)
    thumb.done()
    thumb.tap(".pill:has-text('Bob')")
    key = thumb.page.input_value("[name=key]")
    thumb.page.locator(".bar .main").dblclick()
    expect(thumb.page.get_by_text("is saved")).to_be_visible()
    assert str(Hand.objects.get().pk) == key


def test_used_cards_are_disabled_and_a_slot_can_be_corrected(thumb: Thumb) -> None:
    """Five cards, then a game that deals four: a tap on the fifth took the fourth card too."""
    seated(thumb, "Ann", "Bob")
    thumb.choose("Big Omaha 8")
    thumb.open_hand("Ann")
    thumb.cards("As Ks")
    key = thumb.page.locator('.deck [data-card="As"]')
    expect(key).to_have_class(re.compile("used"))
    expect(key).to_have_attribute("aria-disabled", "true")
    key.tap(force=True)
    field = thumb.page.locator("[name='players/0/down']")
    expect(field).to_have_value("As Ks")
    thumb.tap(thumb.seat("Ann").locator(".slot").first)
    thumb.cards("Qd")
    expect(field).to_have_value("Qd Ks")
    thumb.tap(thumb.seat("Ann").locator(".slot").nth(1))
    thumb.tap('[data-tool="erase"]')
    expect(field).to_have_value("Qd")
    thumb.cards("Ks Jd Ah 2c")
    thumb.done()
    thumb.tap(".picker summary")
    thumb.choose("Omaha-8")
    slots = thumb.seat("Ann").locator(".slot")
    expect(slots).to_have_count(5)
    thumb.tap(slots.nth(4))
    thumb.tap('[data-tool="erase"]')
    expect(field).to_have_value("Qd Ks Jd Ah")


def test_missing_value_is_reached_from_the_bar(thumb: Thumb) -> None:
    seated(thumb, "Ann", "Bob")
    thumb.choose("Texas Hold'em")
    thumb.all_paid(10)
    thumb.open_board()
    thumb.cards("2h 7d 9s Jd Qc Ah Ad")
    thumb.done()
    says = thumb.page.locator("#says a")
    expect(says).to_contain_text("Missing: Bob, hole cards")
    thumb.tap(says)
    thumb.cards("Kh Kd")
    expect(thumb.page.locator("[name='players/1/down']")).to_have_value("Kh Kd")
    expect(thumb.verdict()).to_contain_text("Ann wins 20")


def test_bar_shows_a_warning_and_a_tap_marks_a_player_all_in(thumb: Thumb) -> None:
    seated(thumb, "Ann", "Bob", "Cat")
    thumb.choose("Texas Hold'em")
    thumb.all_paid(40)
    thumb.paid("Bob", 15)
    thumb.open_board()
    thumb.cards("2h 7d 9s Jd Qc Ah Ad Kh Kd 3s 3d")
    says = thumb.page.locator("#says")
    expect(says).to_contain_text("1 warning")
    thumb.tap(thumb.page.get_by_role("button", name="Bob is all in"))
    expect(thumb.seat("Bob")).to_have_attribute("data-state", "all-in")
    expect(says).not_to_contain_text("warning")
    expect(says).to_contain_text("Ann wins 95")


def test_cards_may_be_typed(thumb: Thumb) -> None:
    """What is wrong is shown next to its card."""
    seated(thumb, "Ann", "Bob")
    thumb.choose("Texas Hold'em")
    thumb.all_paid(10)
    thumb.open_board()
    thumb.tap('[data-tool="keys"]')
    thumb.page.keyboard.type("2h 7d 9s Zz Qc")
    expect(thumb.page.locator('.problems[data-field="board/0"] .error')).to_be_visible()
    expect(thumb.page.locator(".board .slot.wrong")).to_have_count(1)
    thumb.page.keyboard.press("Control+A")
    thumb.page.keyboard.type("2h7d9sJdQc")
    thumb.page.keyboard.press("Enter")
    expect(thumb.page.locator("[name='board/0']")).to_have_value("2h 7d 9s Jd Qc")
    thumb.page.keyboard.type("AcAd10cTd")
    expect(thumb.page.locator("[name='players/0/down']")).to_have_value("Ac Ad")
    expect(thumb.page.locator("[name='players/1/down']")).to_have_value("Tc Td")
    expect(thumb.verdict()).to_contain_text("Ann wins 20")


def test_page_works_without_scripts(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    thumb = Thumb(new_context(java_script_enabled=False).new_page(), live_server.url)
    seated(thumb, "Ann", "Bob", "Cat")
    page = thumb.page
    thumb.tap(page.locator(".choice", has=page.get_by_text("Texas Hold'em", exact=True)))
    thumb.press("Show this game's form")
    page.fill("#all_paid", "10")
    page.fill("[name='board/0']", "2h 7d 9s Jd Qc")
    page.fill("[name='players/0/down']", "AcAd")
    page.fill("[name='players/1/down']", "KcKx")
    thumb.showed("Ann", "Bob")
    thumb.press("Save")
    expect(page.locator('.problems[data-field="players/1/down"] .error')).to_be_visible()
    expect(page.locator("[name='players/0/down']")).to_have_value("AcAd")
    page.fill("[name='players/1/down']", "KcKd")
    thumb.press("Check")
    expect(thumb.verdict()).to_contain_text("Ann wins 30")
    thumb.save()
    assert chips() == {"Ann": 120, "Bob": 90, "Cat": 90}


def test_turned_cards_go_where_they_count(thumb: Thumb) -> None:
    """Midnight Cobain: the cursor stood in the cards never turned, and 22 slots asked for cards."""
    seated(thumb, "Ann", "Bob")
    thumb.choose("Midnight Cobain Baseball")
    thumb.all_paid(10)
    thumb.done()
    expect(thumb.seat("Ann").locator(".slot:visible")).to_have_count(1)
    thumb.open_hand("Ann")
    thumb.cards("Qc Qd")
    expect(thumb.page.locator("[name='players/0/up']")).to_have_value("Qc Qd")
    expect(thumb.seat("Ann").locator(".slot:visible")).to_have_count(3)
    thumb.tap(".deck [data-tool=check]")
    thumb.cards("2s")
    expect(thumb.page.locator("[name='players/1/up']")).to_have_value("2s")
    expect(thumb.page.locator("[name='players/0/down']")).to_be_hidden()
