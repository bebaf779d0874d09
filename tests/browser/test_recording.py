"""Recording hands on a phone, with the resulting chips in the ledger."""

import re
from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand, League, Night, Revision
from league.recording.record import record_hand
from tests.helpers.browser.ledger import chips
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.reach import WATCH
from tests.helpers.league.books import total


def seated(phone: Phone, *names: str) -> None:
    """Open the recording page for a night with these players."""
    phone.join_night(*names)
    phone.press("Record a hand")
    phone.taps = 0


def test_new_user_records_a_hand_into_the_ledger(phone: Phone) -> None:
    """Middlemost: with 7-9-J down, 9s are wild, including the one face up (tests/vectors)."""
    phone.sign_up()
    phone.make_league(("Ann", "Bob", "Cat"))
    phone.start_night()
    phone.press("Record a hand")
    phone.choose("Middlemost")
    phone.all_paid(10)
    phone.done()
    phone.fold("Cat")
    phone.declare("Ann", "high")
    phone.declare("Bob", "high")
    phone.open_hand("Ann")
    phone.cards("2c 2d 5s Kh Kd 8c")
    phone.cards("7c 9d Js 9h Ac As")
    expect(phone.verdict()).to_contain_text("Bob wins 30")
    expect(phone.page.locator("#says")).to_have_text("Bob wins 30")
    wild = phone.verdict().get_by_role("img", name=re.compile("playing as ace"))
    expect(wild.first).to_be_visible()
    phone.save()
    assert [phone.stack(name) for name in ("Ann", "Bob", "Cat")] == ["90", "120", "90"]
    assert chips() == {"Ann": 90, "Bob": 120, "Cat": 90}
    assert total(League.objects.get().book) == 0
    phone.tap(".hand-line")
    expect(phone.page.get_by_role("heading", name="Middlemost")).to_be_visible()
    expect(phone.page.get_by_role("img", name="king of hearts").first).to_be_visible()


def test_tie_break_asks_only_tied_players_for_cards(phone: Phone) -> None:
    """The form used to list all players, including one who had folded.

    Ann and Bob have 21, Cat has 26, and Dan has folded (tests/vectors/points/five-card-21.jsonl).
    """
    seated(phone, "Ann", "Bob", "Cat", "Dan")
    phone.choose("Five-Card 21")
    phone.all_paid(10)
    phone.done()
    phone.showed("Ann", "Bob", "Cat")
    phone.open_hand("Ann")
    phone.cards("Ah Ad 4c 5s Ts As Ac 4d 5h Th Kh Qd 2s 3c 4h")
    sheet = phone.page.locator("#sheet [data-part=says]")
    phone.tap(phone.page.locator("#says").get_by_role("link", name="Enter the tie-break"))
    expect(sheet).to_contain_text("Ann, round 1")
    phone.cards("2c 5d 9h Jd Ks")
    expect(sheet).to_contain_text("Bob, round 1")
    phone.cards("3c 3d 4h 6d 7s")
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(phone.verdict()).to_contain_text("Bob wins 40")
    phone.save()
    (dealt,) = Revision.objects.get().record["tiebreaks"]
    assert dealt.keys() == {"Ann", "Bob"}


def test_hand_with_two_rows_declarations_and_side_pots_can_be_recorded(
    phone: Phone,
) -> None:
    """The documentation's example (the first line of tests/vectors/contract.jsonl)."""
    seated(phone, "ann", "bob", "cat", "dan")
    phone.choose("Omaha-8")
    rows = phone.page.locator(".pill", has_text="Two rows")
    expect(rows).to_be_hidden()
    phone.modify("Two rows")
    expect(rows).to_be_visible()  # variations are collapsed until one is chosen
    phone.option("declare", "high-low")
    phone.all_paid(40)
    phone.paid("bob", 15)
    phone.paid("dan", 10)
    phone.done()
    phone.state("bob", "all-in")
    phone.fold("dan")
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ah 5d 6s 8d Tc As Kd 3c 4c Qs Qd 7c 7h Ac Ad Kh 2c")
    phone.done()
    for name, way in (("ann", "low"), ("bob", "high"), ("cat", "both")):
        phone.declare(name, way)
    expect(phone.verdict()).to_contain_text("ann wins 77, bob wins 28")
    expect(phone.verdict()).to_contain_text("so cat is out of both")
    phone.tap("summary:has-text('Table paid differently')")
    for name, number in (("ann", 52), ("bob", 28), ("cat", 25)):
        phone.tap(phone.page.get_by_label(f"{name} took", exact=True))
        phone.digits(number)
    phone.done()
    owes = phone.verdict().locator(".note.warn", has_text="cat will owe ann 25")
    expect(owes).to_be_visible()  # shown when all three numbers are entered
    expect(phone.page.locator("#says .warned")).to_have_text("cat will owe ann 25.")
    phone.save()
    assert Revision.objects.get().record["took"] == {"ann": 52, "bob": 28, "cat": 25}
    assert chips() == {"ann": 112, "bob": 113, "cat": 85, "dan": 90}


def test_two_row_banking_game_moves_chips(phone: Phone) -> None:
    """Put and Take, counting 1-2-3-4-5 (the first line of vectors/banking/put-and-take.jsonl)."""
    seated(phone, "Ann", "Bob", "Dot")
    phone.choose("Put and Take")
    phone.tap(phone.seat("Dot").locator(".deal"))
    expect(phone.seat("Dot").locator(".slot").first).not_to_be_visible()
    phone.open_board()
    phone.cards("Ks 7d 2h 9c Jd Kd 3s Qh 7c 5d")
    phone.cards("Kh Kc 4d 8s Ts 7s 9d Jc 2s 6h")
    expect(phone.verdict()).to_contain_text("Dot wins 10, Bob loses 10")
    phone.save()
    assert chips() == {"Ann": 100, "Bob": 90, "Dot": 110}


def test_saving_a_hand_too_early_moves_to_the_first_empty_slot(phone: Phone) -> None:
    """The hand used to be shown as unsent on every page, even after the next hand was saved."""
    seated(phone, "Ann", "Bob")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.done()
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac")
    phone.done()
    phone.press("Save")
    slot = phone.seat("Ann").locator(".slot.next")
    expect(slot).to_have_attribute("aria-label", re.compile("Ann.* 2: empty"))
    expect(slot).to_be_in_viewport()
    expect(phone.page.locator("#waiting")).to_be_hidden()
    phone.cards("Ad Kc Kd")
    expect(phone.verdict()).to_contain_text("Ann wins 20")
    phone.save()
    expect(phone.page.locator("#waiting")).to_be_hidden()
    assert Hand.objects.count() == 1


def test_layout_does_not_shift_when_the_result_appears(phone: Phone) -> None:
    """Save and the keypad keep their places when the result appears."""
    phone.page.add_init_script(WATCH)
    seated(phone, "Ann", "Bob", "Cat")
    phone.choose("Texas Hold'em")
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    phone.fold("Cat")
    phone.tap("#all_paid")
    expect(phone.page.locator("#says")).not_to_contain_text("to come")
    before = boxes(phone.page)
    phone.digits(10)
    expect(phone.page.locator("#says")).to_have_text("Ann wins 30")
    assert boxes(phone.page) == before
    phone.done()
    phone.page.evaluate("new Promise(requestAnimationFrame)")
    assert phone.page.evaluate("moved") == []
    slow = phone.page.evaluate("slow.sort()")
    print("events longer than 100 ms:", slow)  # noqa: T201 (a report, since machines differ)


def boxes(page: Page) -> list[object]:
    watched = (".bar .main", "#sheet", ".pad .key >> nth=0")
    return [page.locator(each).bounding_box() for each in watched]


def test_winner_can_be_corrected_with_a_tap(phone: Phone) -> None:
    """The automatic split used to override the tapped player, so Ann got the chips again.

    Also, an undone hand used to open with only "Pot 15" in the bar, and later with "Failed to
    construct 'URL'".
    """
    seated(phone, "Ann", "Bob", "Cat")
    record_result(phone, "Ann")
    assert chips() == {"Ann": 110, "Bob": 95, "Cat": 95}
    phone.press("Undo")
    expect(phone.page.locator("#says")).to_have_text("Ann wins 15")
    loaded = "import('/static/league/js/offline/download-for-offline.js').then(() => 'loaded')"
    assert phone.page.evaluate(loaded) == "loaded"
    choose_winner(phone, "Ann", "Cat", "Save")
    assert chips() == {"Ann": 95, "Bob": 95, "Cat": 110}
    phone.tap(".hand-line")
    phone.press("Correct this hand")
    choose_winner(phone, "Cat", "Bob", "Save correction")
    assert chips() == {"Ann": 95, "Bob": 110, "Cat": 95}


def test_all_in_fills_the_stack_before_the_corrected_hand(phone: Phone) -> None:
    """The form for a new hand has always filled it."""
    seated(phone, "Ann", "Bob", "Cat")
    players = [{"name": name, "paid": 85} for name in ("Ann", "Bob")]
    first = {"variant": "nightmare", "depth": "result", "took": {"Ann": 170}, "button": 0}
    night = Night.objects.get()
    record_hand(night, uuid4(), first | {"players": players}, by=None)
    shown = {"Ann": ["Ac", "Ad"], "Bob": ["Kc", "Kd"], "Cat": ["Th", "8h"]}
    players = [{"name": name, "paid": 40, "down": down} for name, down in shown.items()]
    second = {"variant": "texas-holdem", "board": [["2h", "7d", "9s", "Jd", "Qc"]], "button": 1}
    hand = record_hand(night, uuid4(), second | {"players": players}, by=None).hand
    phone.go(f"/hands/{hand.pk}/record")
    phone.tap(phone.seat("Bob").locator(".slot").first)
    phone.fate("All in 15")
    expect(phone.seat("Bob").locator(".amount")).to_have_value("15")
    phone.tap(phone.seat("Ann").locator(".amount"))
    expect(phone.sheet().get_by_role("button", name="All in 185", exact=True)).to_be_visible()
    phone.done()
    phone.press("Save correction")
    expect(phone.page.get_by_text("Hand 2 corrected")).to_be_visible()
    assert chips()["Bob"] == 0


def choose_winner(phone: Phone, before: str, winner: str, button: str) -> None:
    expect(phone.page.get_by_role("radio", name=before, exact=True)).to_be_checked()
    phone.tap(f".pill:has-text('{winner}')")
    expect(phone.verdict()).to_contain_text(f"{winner} wins 15")
    phone.press(button)
    expect(phone.page.get_by_text(re.compile(r"[Hh]and \d+ (saved|corrected)"))).to_be_visible()


def test_taps_correct_a_split_to_one_winner_and_back(phone: Phone) -> None:
    seated(phone, "Ann", "Bob")
    phone.choose("Nightmare")
    phone.result_only()
    phone.tap("#all_paid")
    phone.tap(".chip.v1")
    phone.done()
    phone.tap("summary:has-text('Split the pot')")
    for name, number in (("Ann", 6), ("Bob", 4)):
        phone.tap(phone.page.get_by_label(f"{name} took", exact=True))
        phone.digits(number)
    phone.done()
    phone.tap(".pill:has-text('Bob')")
    expect(phone.page.get_by_label("Ann took", exact=True)).to_have_value("")
    expect(phone.verdict()).to_contain_text("Bob wins 10")
    phone.tap(phone.page.get_by_label("Ann took", exact=True))
    phone.digits(10)
    phone.done()
    expect(phone.page.get_by_role("radio", name="Bob", exact=True)).not_to_be_checked()
    phone.save()
    assert chips() == {"Ann": 105, "Bob": 95}


def test_first_chip_replaces_a_suggested_amount(phone: Phone) -> None:
    """Like the first digit. The suggestion is grey, so it isn't part of the sum."""
    seated(phone, "Ann", "Bob")
    phone.choose("Texas Hold'em")
    phone.tap("#all_paid")
    phone.digits(2)
    phone.done()
    phone.tap(phone.page.get_by_label("Ann paid", exact=True))
    expect(phone.page.locator("#sheet output")).to_have_text("2")
    phone.tap(".chip.v1")
    expect(phone.page.get_by_label("Ann paid", exact=True)).to_have_value("5")


def record_result(phone: Phone, winner: str) -> None:
    """Record a hand in which all players pay five and one player takes the pot."""
    phone.choose("Nightmare")
    phone.result_only()
    phone.tap("#all_paid")
    phone.tap(".chip.v1")
    phone.done()
    phone.tap(f".pill:has-text('{winner}')")
    expect(phone.verdict()).to_contain_text(f"{winner} wins")
    phone.save()


def test_next_hand_preselects_the_game_with_a_carried_pot(phone: Phone) -> None:
    """Qualifiers: no hand has trips or a 7 low (vectors/grids/qualifiers.jsonl, line 1).

    The game is preselected, and a note next to the payments names the players who can win the pot.
    """
    seated(phone, "Ann", "Bob", "Cat")
    phone.choose("Qualifiers")
    qualify(phone, "Kc Kd Ts 9h 8h", "Ann", "Bob")
    expect(phone.verdict()).to_contain_text("30 carried over")
    phone.save()
    expect(phone.page.get_by_text("30 chips carry over to the next pot")).to_be_visible()
    phone.press("Record a hand")
    expect(phone.page.locator(".picker .chosen")).to_have_text("Qualifiers")
    expect(phone.page.locator(".stake ~ .note")).to_have_text(
        re.compile(r"30 carried over, only for Ann, Bob")
    )
    expect(phone.seat("Cat")).to_have_attribute("data-state", "away")
    phone.taps = 0
    qualify(phone, "Kc Kd Ks 9h 8h")
    expect(phone.verdict()).to_contain_text("Ann wins 50")
    phone.save()
    assert phone.taps <= 18
    assert chips() == {"Ann": 130, "Bob": 80, "Cat": 90}


def qualify(phone: Phone, kings: str, *showed: str) -> None:
    phone.all_paid(10)
    phone.showed(*showed)
    phone.next()
    phone.cards(f"2h 3s {kings} Qc Qd Js 9c 8c")


def test_wrong_number_of_players_is_marked_before_and_after_choosing_a_game(phone: Phone) -> None:
    """The wrong player count used to be reported only with the result, after all cards."""
    seated(phone, "Ann", "Bob", "Cat", "Dov", "Eve", "Fay", "Gus")
    baseball = phone.page.locator(".choice", has_text="Midnight Cobain Baseball")
    expect(baseball).to_contain_text("for 2 to 6")
    expect(baseball).to_have_class(re.compile("unfit"))
    expect(phone.page.locator(".choice", has_text="Nightmare")).not_to_contain_text("for 2")
    phone.choose("Midnight Cobain Baseball")
    note = phone.page.get_by_text("This game is for 2 to 6 players.")
    expect(note).to_be_visible()
    phone.state("Gus", "away")
    expect(phone.seat("Gus")).to_have_attribute("data-state", "away")
    expect(note).to_be_hidden()
    phone.state("Gus", "in")
    one_tap_sits_out_gus(phone)


def one_tap_sits_out_gus(phone: Phone) -> None:
    """The note used to be only a warning, so hands were stored with seven players, not six."""
    note = phone.page.locator(".note[data-least]")
    expect(note).to_contain_text("This game is for 2 to 6 players.")
    phone.tap(note.get_by_role("button", name="Gus"))
    expect(note).to_be_hidden()
    expect(phone.seat("Gus")).to_have_attribute("data-state", "away")
    phone.state("Gus", "in")
    expect(note.get_by_role("button", name="Gus")).to_be_visible()


def test_wild_and_earned_cards_can_be_recorded(phone: Phone) -> None:
    """Baseball: threes and nines are wild, and a four earns an eighth card."""
    seated(phone, "Ann", "Bob")
    phone.choose("Baseball")
    phone.all_paid(10)
    phone.done()
    phone.open_hand("Ann")
    phone.cards("As Ks 2c")
    expect(phone.sheet()).to_contain_text("1/4")  # the deck used to wait for unearned cards
    phone.cards("3d 4h")
    expect(phone.sheet()).to_contain_text("3/5")
    phone.cards("9s Ah 8c")
    phone.cards("Qs Qd 2h")
    phone.cards("5c 6c 7h Qh")
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(phone.verdict()).to_contain_text(
        "Ann wins the pot (20) with four aces (3♦ as A♣, 9♠ as A♦)"
    )
    phone.save()
    assert phone.taps <= 22


def test_entering_cards_skips_a_player_who_folds_or_mucks(phone: Phone) -> None:
    """One key folds the current player and moves to the next. The closed panel shows a mark."""
    seated(phone, "Ann", "Bob", "Cat", "Dan")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.next()
    says = phone.page.locator("#sheet [data-part=says]")
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    expect(says).to_have_text("Bob, hole cards · 1/2")
    phone.fate("Fold")
    expect(phone.seat("Bob")).to_have_attribute("data-state", "folded")
    expect(says).to_have_text("Cat, hole cards · 1/2")
    phone.fate("Muck")
    expect(says).to_have_text("Dan, hole cards · 1/2")
    phone.cards("Kc Kd")
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(phone.page.locator(".bar")).to_have_class("bar cue")
    expect(phone.page.locator("#says")).to_have_text("Ann wins 40")
    expect(phone.page.locator(".bar .pot")).to_have_text("Pot 40")
    expect(phone.page.locator("#verdict")).to_be_in_viewport(ratio=0.5)
    phone.save()
    states = [each.get("folded", each.get("mucked")) for each in players()]
    assert states == [None, True, True, None]
    assert "mucked" in players()[2]


def test_player_who_mucks_pays_as_much_as_players_who_showed(phone: Phone) -> None:
    """The player lost the tick for having shown, and with it the amount of those who showed."""
    showdown(phone, "Ann", "Bob")
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.fate("Muck 15")
    expect(phone.page.locator("#says")).to_have_text("Ann wins 34")
    expect(phone.page.locator(".bar .pot")).to_have_text("Pot 34 · Paid 15: Ann, Bob")
    phone.save()
    assert [each["paid"] for each in players()] == [15, 15, 2, 2]


def test_deck_names_the_amount_of_a_player_who_folds(phone: Phone) -> None:
    """Folding at the showdown changed the amount, and the open deck covered it."""
    showdown(phone, "Ann", "Bob", "Cat")
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.fate("Muck 15")
    phone.fate("Fold 2")
    expect(phone.page.locator("#says")).to_have_text("Ann wins 34")
    expect(phone.page.locator(".bar .pot")).to_have_text("Pot 34 · Paid 15: Ann, Bob")


def test_player_deselected_after_the_showdown_mucked(phone: Phone) -> None:
    """A loser who did not show lost the amount of the showdown: the pot fell from 34 to 8."""
    showdown(phone, "Ann", "Bob")
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.done()
    phone.showed("Bob")
    expect(phone.seat("Bob")).to_have_attribute("data-state", "mucked")
    expect(phone.page.locator("#says")).to_have_text("Ann wins 34")
    phone.showed("Bob")
    expect(phone.seat("Bob")).to_have_attribute("data-state", "in")
    phone.showed("Bob")
    phone.save()
    assert [each["paid"] for each in players()] == [15, 15, 2, 2]
    assert [bool(each.get("mucked")) for each in players()] == [False, True, False, False]


def test_player_ticked_by_mistake_pays_the_amount_of_all_players(phone: Phone) -> None:
    """Folding the player at the seat kept the amount of those who showed: the pot was 47."""
    showdown(phone, "Ann", "Bob", "Cat", "Dan")
    phone.done()
    pot = phone.page.locator(".bar .pot")
    expect(pot).to_have_text("Pot 60 · Paid 15: Ann, Bob, Cat, Dan")
    phone.fold("Cat")
    expect(pot).to_have_text("Pot 47 · Paid 15: Ann, Bob, Dan")
    phone.showed("Dan")
    expect(phone.seat("Dan")).to_have_attribute("data-state", "folded")
    expect(pot).to_have_text("Pot 34 · Paid 15: Ann, Bob")


def test_corrected_amount_applies_to_a_player_who_mucked(phone: Phone) -> None:
    """The amount stayed at the player's seat, also after they were in again: 15 instead of 20."""
    showdown(phone, "Ann", "Bob")
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.fate("Muck 15")
    phone.tap("#showed_paid")
    phone.tap(phone.sheet().get_by_role("button", name="C", exact=True))
    phone.digits(20)
    phone.done()
    pot = phone.page.locator(".bar .pot")
    expect(pot).to_have_text("Pot 44 · Paid 20: Ann, Bob")
    phone.showed("Bob")
    expect(phone.seat("Bob")).to_have_attribute("data-state", "in")
    expect(pot).to_have_text("Pot 44 · Paid 20: Ann, Bob")


def showdown(phone: Phone, *names: str) -> None:
    """Enter four players' amounts, 15 for the players who showed and 2 for the others."""
    seated(phone, "Ann", "Bob", "Cat", "Dan")
    phone.choose("Texas Hold'em")
    phone.all_paid(2)
    phone.done()
    phone.showed(*names)
    phone.tap("#showed_paid")
    phone.digits(15)
    phone.next()


def players() -> list[dict[str, object]]:
    return list(Revision.objects.get().record["players"])


def test_last_remaining_player_wins_without_cards(phone: Phone) -> None:
    """When all other players have folded, the hand ends without cards."""
    seated(phone, "Ann", "Bob", "Cat")
    phone.choose("Texas Hold'em")
    one_tap_leaves_out_cat(phone)
    phone.all_paid(10)
    phone.done()
    phone.open_hand("Ann")
    phone.fate("Fold")
    phone.fate("Fold")
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(phone.page.locator("#says")).to_have_text("Cat wins 30")
    phone.showed("Ann")
    expect(phone.seat("Ann")).to_have_attribute("data-state", "in")
    expect(phone.seat("Cat")).to_have_attribute("data-state", "folded")
    expect(phone.page.locator("#says")).to_have_text("Ann wins 30")
    phone.fold("Cat")  # tapping again undoes the fold
    expect(phone.page.locator("[name=showed][value='2']")).to_be_checked()


def test_player_left_alone_is_not_marked_as_having_shown(phone: Phone) -> None:
    """The winner was ticked under "Who showed?", and no name was marked below it."""
    seated(phone, "Ann", "Bob", "Cat")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.done()
    phone.tap("summary:has-text('Won without a showdown')")
    left = phone.page.locator(".left-alone .pill", has_text="Cat")
    phone.tap(left)
    expect(left).to_have_attribute("aria-pressed", "true")
    expect(left).to_be_visible()
    unmarked = mark(phone, "Ann")
    assert mark(phone, "Cat") == unmarked
    expect(phone.page.locator("#says")).to_have_text("Cat wins 30")
    phone.showed("Ann")  # Cat had shown, too
    expect(left).to_have_attribute("aria-pressed", "false")
    assert mark(phone, "Ann") == mark(phone, "Cat") != unmarked
    expect(phone.seat("Cat")).to_have_attribute("data-state", "in")


MARK = """pill => {
  const check = getComputedStyle(pill, "::before");
  const isChecked = check.display !== "none" && check.content !== "none";
  return `${getComputedStyle(pill).backgroundColor} ${isChecked}`;
}"""


def mark(phone: Phone, name: str) -> str:
    """Return the colour of the player's name under "Who showed?" and if it has a check mark."""
    pill = phone.page.locator(".pill:has([name=showed])", has_text=name)
    colour_and_check: str = pill.evaluate(MARK)
    return colour_and_check


def test_one_tap_marks_all_players_as_having_shown(phone: Phone) -> None:
    """In games in which all cards are turned up, every player used to be ticked."""
    seated(phone, "Ann", "Bob", "Cat", "Dan")
    phone.choose("Texas Hold'em")
    phone.all_paid(2)
    phone.done()
    phone.tap(phone.page.get_by_role("button", name="Dan isn't dealt in"))
    everyone = phone.page.locator("[data-all-showed]")
    phone.tap(everyone)
    ticked = phone.page.locator("[name=showed]:checked")
    expect(ticked).to_have_count(3)
    phone.tap("#showed_paid")
    phone.digits(15)
    expect(phone.page.locator(".bar .pot")).to_have_text("Pot 45 · Paid 15: Ann, Bob, Cat")
    phone.done()
    phone.tap(everyone)
    expect(ticked).to_have_count(0)


def one_tap_leaves_out_cat(phone: Phone) -> None:
    """Two taps on the name used to be needed: one for the menu of states, one for the state."""
    showed = phone.page.get_by_role("group", name="Who showed?").get_by_role("checkbox", name="Cat")
    absent = phone.page.get_by_role("button", name="Cat isn't dealt in")
    expect(absent).to_have_attribute("aria-pressed", "false")
    phone.tap(absent)
    expect(absent).to_have_attribute("aria-pressed", "true")
    expect(phone.seat("Cat")).to_contain_text("not dealt in")
    expect(showed).to_be_hidden()
    phone.tap(absent)
    expect(absent).to_have_attribute("aria-pressed", "false")
    expect(showed).to_be_visible()


def test_verdict_of_the_saved_hand_is_on_the_first_screen(phone: Phone) -> None:
    """It was below the buttons, and repeated in the bar with "Undo"."""
    seated(phone, "Ann", "Bob", "Cat")
    record_result(phone, "Ann")
    expect(phone.page.get_by_text("Ann wins 15")).to_have_count(1)
    expect(phone.page.locator(".latest h2")).to_be_in_viewport(ratio=1)
    expect(phone.page.get_by_role("link", name="Record a hand")).to_be_in_viewport(ratio=1)


def test_double_tap_saves_once(phone: Phone) -> None:
    seated(phone, "Ann", "Bob")
    phone.choose("Nightmare")
    phone.result_only()
    phone.all_paid(5)
    phone.done()
    phone.tap(".pill:has-text('Bob')")
    key = phone.page.input_value("[name=key]")
    phone.page.locator(".bar .main").dblclick()
    expect(phone.page.get_by_text(re.compile(r"Hand \d+ saved"))).to_be_visible()
    assert str(Hand.objects.get().pk) == key


def test_used_cards_are_disabled_and_slots_can_be_corrected(phone: Phone) -> None:
    """After switching to a game with four cards, tapping a fifth card used to remove the fourth."""
    seated(phone, "Ann", "Bob")
    phone.choose("Big Omaha 8")
    phone.open_hand("Ann")
    phone.cards("As Ks")
    key = phone.page.locator('.deck [data-card="As"]')
    expect(key).to_have_class(re.compile("used"))
    expect(key).to_have_attribute("aria-disabled", "true")
    key.tap(force=True)
    field = phone.page.locator("[name='players/0/down']")
    expect(field).to_have_value("As Ks")
    phone.tap(phone.seat("Ann").locator(".slot").first)
    phone.cards("Qd")
    expect(field).to_have_value("Qd Ks")
    phone.tap(phone.seat("Ann").locator(".slot").nth(1))
    phone.tap('[data-tool="erase"]')
    expect(field).to_have_value("Qd")
    phone.cards("Ks Jd Ah 2c")
    phone.done()
    phone.tap(".picker summary")
    phone.choose("Omaha-8")
    slots = phone.seat("Ann").locator(".slot")
    expect(slots).to_have_count(5)
    phone.tap(slots.nth(4))
    phone.tap('[data-tool="erase"]')
    expect(field).to_have_value("Qd Ks Jd Ah")


def test_tapping_the_status_bar_opens_the_missing_value(phone: Phone) -> None:
    seated(phone, "Ann", "Bob")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ah Ad")
    phone.done()
    says = phone.page.locator("#says a")
    expect(says).to_contain_text("Bob: no hole cards yet")
    phone.tap(says)
    phone.cards("Kh Kd")
    expect(phone.page.locator("[name='players/1/down']")).to_have_value("Kh Kd")
    expect(phone.verdict()).to_contain_text("Ann wins 20")


def test_status_bar_warning_offers_to_mark_a_player_all_in(phone: Phone) -> None:
    seated(phone, "Ann", "Bob", "Cat")
    phone.choose("Texas Hold'em")
    phone.all_paid(40)
    phone.paid("Bob", 15)
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ah Ad Kh Kd 3s 3d")
    says = phone.page.locator("#says")
    expect(says).to_contain_text("1 warning")
    phone.tap(phone.page.get_by_role("button", name="Bob is all in"))
    expect(phone.seat("Bob")).to_have_attribute("data-state", "all-in")
    expect(says).not_to_contain_text("warning")
    expect(says).to_contain_text("Ann wins 95")


def test_cards_can_be_typed(phone: Phone) -> None:
    """Errors are shown next to the wrong card."""
    seated(phone, "Ann", "Bob")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.open_board()
    phone.tap('[data-tool="keys"]')
    phone.page.keyboard.type("2h 7d 9s Zz Qc")
    expect(phone.page.locator('.problems[data-field="board/0"] .error')).to_be_visible()
    expect(phone.page.locator(".board .slot.wrong")).to_have_count(1)
    phone.page.keyboard.press("Control+A")
    phone.page.keyboard.type("2h7d9sJdQc")
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("[name='board/0']")).to_have_value("2h 7d 9s Jd Qc")
    phone.page.keyboard.type("AcAd10cTd")
    expect(phone.page.locator("[name='players/0/down']")).to_have_value("Ac Ad")
    expect(phone.page.locator("[name='players/1/down']")).to_have_value("Tc Td")
    expect(phone.verdict()).to_contain_text("Ann wins 20")


def test_recording_page_works_without_javascript(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    phone = Phone(new_context(java_script_enabled=False).new_page(), live_server.url)
    seated(phone, "Ann", "Bob", "Cat")
    page = phone.page
    phone.tap(page.locator(".choice", has=page.get_by_text("Texas Hold'em", exact=True)))
    phone.press("Show this game's form")
    page.fill("#all_paid", "10")
    page.fill("[name='board/0']", "2h 7d 9s Jd Qc")
    page.fill("[name='players/0/down']", "AcAd")
    page.fill("[name='players/1/down']", "KcKx")
    phone.showed("Ann", "Bob")
    phone.press("Save")
    expect(page.locator('.problems[data-field="players/1/down"] .error')).to_be_visible()
    expect(page.locator("[name='players/0/down']")).to_have_value("AcAd")
    page.fill("[name='players/1/down']", "KcKd")
    phone.press("Check")
    expect(phone.verdict()).to_contain_text("Ann wins 30")
    phone.save()
    assert chips() == {"Ann": 120, "Bob": 90, "Cat": 90}


def test_turned_cards_are_entered_in_the_slots_that_are_played(phone: Phone) -> None:
    """Midnight Cobain: the cursor used to start at the 22 cards that are never turned."""
    seated(phone, "Ann", "Bob")
    phone.choose("Midnight Cobain Baseball")
    phone.all_paid(10)
    phone.done()
    expect(phone.seat("Ann").locator(".slot:visible")).to_have_count(1)
    phone.open_hand("Ann")
    phone.cards("Qc Qd")
    expect(phone.page.locator("[name='players/0/up']")).to_have_value("Qc Qd")
    expect(phone.seat("Ann").locator(".slot:visible")).to_have_count(3)
    phone.tap(".deck [data-tool=check]")
    phone.cards("2s")
    expect(phone.page.locator("[name='players/1/up']")).to_have_value("2s")
    expect(phone.page.locator("[name='players/0/down']")).to_be_hidden()
