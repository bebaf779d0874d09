"""One phone records for seven players, three of them at the showdown, with few taps and jumps.

Digits count as taps. A jump is a page that scrolls automatically or must be scrolled far.
"""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import ChipCount, Night
from league.nights.opening import open_night
from league.recording.record import record_hand
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.ledger import chips
from tests.helpers.browser.reach import WATCH, Reach
from tests.helpers.league.leagues import holdem

SEVEN = ("Ann", "Bob", "Cat", "Dov", "Eve", "Fay", "Gus")
SHOWED = ("Ann", "Cat", "Fay")
MOST_JUMPS = 3


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Reach:
    """A phone on the recording page for a night with seven players."""
    phone = Reach(page, live_server.url)
    page.add_init_script(WATCH)
    phone.join_night(*SEVEN)
    phone.press("Record a hand")
    expect(page.locator("#search")).to_be_visible()
    page.wait_for_load_state()
    phone.begin()
    return phone


def stakes(phone: Reach, showed: tuple[str, ...] = SHOWED) -> None:
    """Enter the common payment and the players who showed, then open the cards.

    The keypad is already open, because payments are entered right after choosing a game.
    """
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    phone.digits(40)
    phone.showed(*showed)
    phone.next()


def saved(phone: Reach, taps: int) -> None:
    """Save with one tap, and check that the hand took at most this many taps."""
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(phone.page.locator("#says")).to_contain_text("wins")
    assert phone.page.evaluate("moved") == []
    phone.save()
    print(phone.taps, phone.jumps, phone.scrolls)  # noqa: T201 (a report)
    assert phone.taps <= taps
    assert phone.jumps + phone.scrolls <= MOST_JUMPS


@pytest.mark.scheduled
def test_recording_holdem_takes_15_taps(phone: Reach) -> None:
    """Two players show. The common payment is one chip."""
    phone.choose("Texas Hold'em")
    phone.tap(phone.page.locator("#sheet .chip").first)
    phone.showed("Ann", "Cat")
    phone.next()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    saved(phone, 15)


def dealt_before(phone: Reach, paid: int) -> None:
    """Record a hand of Hold'em, and open the night's page."""
    players = [{"name": name, "paid": paid} for name in ("Ann", "Cat")]
    last = {"variant": "texas-holdem", "depth": "result", "took": {"Ann": 2 * paid}, "button": 0}
    record_hand(Night.objects.get(), uuid4(), last | {"players": players}, by=None)
    phone.go(f"/nights/{Night.objects.get().pk}")


def test_recording_the_last_game_again_takes_16_taps_for_three_hands(phone: Reach) -> None:
    """The game and the amount take one tap each; 11 taps are cards. It used to take 18 taps."""
    dealt_before(phone, 40)
    phone.press("Record Texas Hold'em again")
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    phone.begin()
    phone.showed(*SHOWED)
    phone.tap(phone.sheet().get_by_role("button", name="40", exact=True))
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd Th 8h")
    saved(phone, 16)


def test_keypad_of_the_last_game_opens_while_the_page_still_loads(phone: Reach) -> None:
    """It used to open 800 ms after everything else was loaded."""
    dealt_before(phone, 40)
    phone.page.route("**/never", lambda _route: None)
    phone.page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { new Image().src = '/never'; })"
    )
    phone.press("Record Texas Hold'em again")
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    assert phone.page.evaluate("document.readyState") == "interactive"


def open_night_after_last_night(phone: Reach) -> None:
    """Record a hand at 40 chips, and open the recording page of a later night."""
    dealt_before(phone, 40)
    first = Night.objects.get()
    later = open_night(first.league, players=first.league.players.order_by("name"))
    phone.go(f"/nights/{later.pk}")
    phone.press("Record a hand")
    expect(phone.page.locator("#search")).to_be_visible()
    phone.page.wait_for_load_state()
    phone.begin()
    phone.choose("Texas Hold'em")
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()


def test_first_hand_of_a_later_night_takes_16_taps_with_names(phone: Reach) -> None:
    """It used to take 18 taps, three of them to type 40 and to open the cards."""
    open_night_after_last_night(phone)
    phone.tap(phone.sheet().get_by_role("button", name="40", exact=True))
    by_names(phone)
    saved_with_names(phone, 16)


def test_first_hand_of_a_later_night_takes_17_taps_with_ticks(phone: Reach) -> None:
    """It used to take 19 taps."""
    open_night_after_last_night(phone)
    phone.showed(*SHOWED)
    phone.tap(phone.sheet().get_by_role("button", name="40", exact=True))
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd Th 8h")
    saved(phone, 17)


def test_restored_draft_of_the_last_game_keeps_the_keypad_closed(phone: Reach) -> None:
    dealt_before(phone, 40)
    phone.press("Record Texas Hold'em again")
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    phone.digits(40)
    phone.page.reload()
    expect(phone.page.locator("#kept")).to_be_visible()
    phone.page.wait_for_timeout(1000)  # the sheets are loaded
    expect(phone.page.locator("#sheet")).to_be_hidden()


def by_names(phone: Reach, ways: tuple[str, ...] = ()) -> None:
    """Enter the board and the cards of three players, continuing with a tap on each name."""
    hands = {
        "Ann": ("Ac Ad", "As Kd 3c 4c"),
        "Cat": ("Kc Kd", "Qs Qd 7c 7h"),
        "Fay": ("Th 8h", "Ac Ad Kh 2c"),
    }
    phone.cards("2h 7d 9s Jd Qc")
    for place, (name, hand) in enumerate(hands.items()):
        if place:
            phone.fate(name)
        phone.cards(hand[bool(ways)])
        if ways:
            phone.says_way(ways[place])


def saved_with_names(phone: Reach, taps: int) -> None:
    """Save while the names of the players who folded are still offered."""
    expect(phone.sheet()).to_contain_text("Who else showed?")
    expect(phone.page.locator("#says")).to_contain_text("wins")
    expect(phone.page.locator("#verdict .who-won")).to_be_in_viewport()
    expect(phone.page.locator(".seat[data-state=folded]")).to_have_count(4)
    assert phone.page.evaluate("moved") == []
    phone.save()
    assert phone.taps <= taps


def test_recording_the_last_game_again_takes_15_taps_with_names(phone: Reach) -> None:
    """It used to take 16 taps, one of them to fold all other players."""
    dealt_before(phone, 40)
    phone.press("Record Texas Hold'em again")
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    phone.begin()
    phone.tap(phone.sheet().get_by_role("button", name="40", exact=True))
    by_names(phone)
    saved_with_names(phone, 15)
    assert chips()["Bob"] == 60


def test_names_of_folded_players_stay_at_hand_above_the_verdict(phone: Reach) -> None:
    phone.choose("Texas Hold'em")
    phone.tap(phone.page.locator("#sheet .chip").first)
    phone.tap(phone.sheet().get_by_role("button", name="Cards", exact=False))
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.fate("Cat")
    phone.cards("Kc Kd")
    expect(phone.page.locator("#says")).to_contain_text("Ann wins 7")
    expect(phone.page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport()
    assert not hard_to_use(phone.page)
    phone.fate("Gus")
    phone.fate("Fold")
    phone.fate("Fay")
    phone.cards("Th 8h")
    expect(phone.page.locator("#says")).to_contain_text("Fay wins 7")
    expect(phone.sheet()).to_contain_text("Gus")
    phone.done()
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(phone.page.locator(".seat[data-state=folded]")).to_have_count(4)


def test_first_tick_keeps_players_whose_cards_are_entered(phone: Reach) -> None:
    """It used to fold them, with their cards on the table."""
    phone.choose("Texas Hold'em")
    phone.digits(40)
    phone.next()
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.done()
    phone.showed("Cat")
    expect(phone.page.locator(".seat:not([data-state=folded])")).to_have_count(2)
    expect(phone.seat("Ann")).to_have_attribute("data-state", "in")


def test_players_without_cards_fold_with_one_tap(phone: Reach) -> None:
    """Four players used to be folded one by one."""
    phone.choose("Texas Hold'em")
    phone.digits(40)
    phone.next()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd Th 8h")
    phone.fate("Everyone else folded")
    expect(phone.page.locator("#says")).to_contain_text("wins 280")
    expect(phone.page.locator(".seat[data-state=folded]")).to_have_count(4)


def test_stack_of_an_all_in_player_is_entered_with_one_tap_on_the_keypad(phone: Reach) -> None:
    dealt_before(phone, 40)
    phone.press("Record Texas Hold'em again")
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    phone.tap(phone.sheet().get_by_role("button", name="40", exact=True))
    phone.tap(phone.seat("Cat").locator(".amount"))
    phone.tap(phone.sheet().get_by_role("button", name="All in 60", exact=True))
    expect(phone.seat("Cat").locator(".amount")).to_have_value("60")
    expect(phone.seat("Cat")).to_have_attribute("data-state", "all-in")


def play_short_stacks(phone: Reach, ticked: tuple[str, ...] = SHOWED) -> None:
    """Record a hand that leaves Ann and Cat with different stacks, and start a hand of Hold'em."""
    players = [{"name": name, "paid": 85} for name in ("Ann", "Cat")]
    lost = {"variant": "nightmare", "depth": "result", "took": {"Ann": 170}, "button": 0}
    record_hand(Night.objects.get(), uuid4(), lost | {"players": players}, by=None)
    phone.page.reload()
    phone.page.wait_for_load_state()
    phone.begin()
    phone.choose("Texas Hold'em")
    stakes(phone, ticked)


def test_recording_holdem_with_a_side_pot_takes_20_taps(phone: Reach) -> None:
    """Marking a player all in used to take four more taps, to enter a known stack."""
    play_short_stacks(phone)
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.fate("All in 15")
    expect(phone.seat("Cat").locator(".amount")).to_have_value("15")
    phone.cards("Kc Kd Th 8h")
    expect(phone.verdict()).to_contain_text("Fay wins the side pot")
    saved(phone, 20)
    assert chips()["Cat"] == 0
    assert chips()["Bob"] == 60


def test_recording_a_side_pot_takes_19_taps_with_names(phone: Reach) -> None:
    play_short_stacks(phone, ticked=())
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    phone.fate("Cat")
    phone.fate("All in 15")
    phone.cards("Kc Kd")
    phone.fate("Fay")
    phone.cards("Th 8h")
    expect(phone.verdict()).to_contain_text("Fay wins the side pot")
    saved_with_names(phone, 19)
    assert chips()["Cat"] == 0
    assert chips()["Bob"] == 60


def test_second_tap_on_all_in_removes_the_filled_stack(phone: Reach) -> None:
    play_short_stacks(phone)
    phone.cards("2h 7d 9s Jd Qc Ac Ad")
    amount = phone.seat("Cat").locator(".amount")
    phone.fate("All in 15")
    expect(amount).to_have_value("15")
    phone.fate("All in 15")
    expect(amount).to_have_value("")


def test_recording_omaha_with_declarations_takes_28_taps(phone: Reach) -> None:
    choose_declared(phone)
    phone.cards("2h 7d 9s Jd Qc")
    for cards, way in (("As Kd 3c 4c", "low"), ("Qs Qd 7c 7h", "high"), ("Ac Ad Kh 2c", "high")):
        phone.cards(cards)
        phone.says_way(way)
    saved(phone, 28)


def test_recording_omaha_with_declarations_takes_27_taps_with_names(phone: Reach) -> None:
    choose_declared(phone, ticked=())
    by_names(phone, ("low", "high", "high"))
    saved_with_names(phone, 27)


def choose_declared(phone: Reach, ticked: tuple[str, ...] = SHOWED) -> None:
    """Start a hand of Omaha-8. The options are taken from the previous hand of the game."""
    players = [{"name": "Ann", "paid": 5}, {"name": "Cat", "paid": 5}]
    last = {"variant": "omaha-8", "options": {"declare": "high-low"}, "depth": "result"}
    last |= {"took": {"Ann": 10}, "button": 0, "players": players}
    record_hand(Night.objects.get(), uuid4(), last, by=None)
    phone.page.reload()
    phone.page.wait_for_load_state()
    phone.begin()
    phone.choose("Omaha-8")
    stakes(phone, ticked)


@pytest.mark.scheduled
def test_recording_midnight_cobain_takes_31_taps(phone: Reach) -> None:
    """The game is for six players, so one sits out. No four earns an eighth card."""
    phone.choose("Midnight Cobain Baseball")
    group = phone.page.get_by_role("group", name="Who sits out?")
    phone.tap(group.get_by_role("button", name="Gus"))
    stakes(phone)
    phone.cards("2h")
    for cards in ("Ks Kd 3c 5c 6h 8h Th", "Qs Qd 7c 7h 2s 9c 5d", "Ac Ad Ah 2c 8s Jd Js"):
        phone.cards(cards)
    saved(phone, 31)


def test_recording_only_the_result_for_seven_players_takes_8_taps(phone: Reach) -> None:
    phone.choose("Nightmare")
    phone.result_only()
    phone.tap("#all_paid")
    phone.tap(".chip.v1")
    phone.done()
    phone.tap(".pill:has-text('Bob')")
    saved(phone, 8)
    assert chips() == dict.fromkeys(SEVEN, 95) | {"Bob": 130}


def test_one_amount_is_entered_once_for_all_players_at_the_showdown(phone: Reach) -> None:
    """Four players folded at 2 and three showed at 40. All three amounts used to be typed."""
    phone.choose("Texas Hold'em")
    expect(phone.page.locator("#sheet .pad").first).to_be_visible()
    phone.digits(2)
    phone.showed(*SHOWED)
    phone.tap("#showed_paid")
    phone.digits(40)
    expect(phone.seat("Ann").locator(".amount")).to_have_attribute("placeholder", "40")
    expect(phone.seat("Bob").locator(".amount")).to_have_attribute("placeholder", "2")
    phone.next()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd Th 8h")
    saved(phone, 22)
    assert chips() == dict.fromkeys(SEVEN, 98) | dict.fromkeys(SHOWED, 60) | {"Fay": 188}


def test_cards_follow_the_amount_of_the_last_player_who_is_in(phone: Reach) -> None:
    """The keypad used to select the players who folded."""
    phone.choose("Texas Hold'em")
    phone.digits(2)
    phone.showed("Ann", "Cat")
    phone.tap(phone.seat("Ann").locator(".amount"))
    phone.digits(40)
    phone.next()
    phone.next()  # past Bob, who folded
    expect(phone.sheet()).to_contain_text("Cat paid")
    phone.digits(30)
    phone.tap(phone.sheet().get_by_role("button", name="Cards", exact=False))
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    expect(phone.page.locator("#says")).to_contain_text("Ann wins")


def busted() -> None:
    """Record a hand in which Bob loses all his chips."""
    record = holdem()
    for name, each in zip(("Ann", "Bob"), record["players"], strict=True):
        each |= {"name": name, "paid": 100}
    record_hand(Night.objects.get(), uuid4(), record, by=None)


def test_busted_player_can_buy_in_again_with_one_tap_on_the_night_page(phone: Reach) -> None:
    busted()
    phone.go(f"/nights/{Night.objects.get().pk}")
    phone.begin()
    phone.tap(phone.page.get_by_role("button", name="Buy in Bob for 100"))
    expect(phone.page.locator(".stacks tr", has_text="Bob")).to_contain_text("100")
    # The page keeps its position, far below its messages.
    expect(phone.page.locator(".notes .note")).to_be_in_viewport()
    assert phone.taps == 1
    assert chips()["Bob"] == 100
    assert not hard_to_use(phone.page)
    phone.tap(phone.page.get_by_role("button", name="Undo buy-in of Bob"))
    expect(phone.page.get_by_role("button", name="Buy in Bob for 100")).to_be_visible()
    assert chips()["Bob"] == 0


def test_busted_player_can_buy_in_again_while_a_hand_is_being_entered(phone: Reach) -> None:
    busted()
    phone.page.reload()
    phone.choose("Texas Hold'em")
    phone.all_paid(40)
    phone.done()
    phone.begin()
    rebuy = phone.page.get_by_role("button", name="Buy in Bob for 100")
    phone.tap(rebuy)
    undo = phone.page.get_by_role("button", name="Undo buy-in of Bob")
    expect(undo).to_be_focused()
    assert chips()["Bob"] == 100
    expect(phone.verdict()).not_to_contain_text("Is a buy-in missing?")
    assert not hard_to_use(phone.page)
    phone.tap(undo)
    expect(rebuy).to_be_visible()
    assert chips()["Bob"] == 0
    assert phone.taps == 2
    expect(phone.page.locator("#all_paid")).to_have_value("40")


def test_seven_stacks_can_be_counted_in_one_pass(phone: Reach) -> None:
    """Counting used to take nine taps and eighteen keys, and showed the difference last."""
    busted()
    page = phone.page
    phone.go(f"/nights/{Night.objects.get().pk}/count")
    phone.begin()
    so_far = page.locator("#sheet [data-sum]")
    phone.tap(page.get_by_label("Chips of Ann"))
    expect(so_far).to_contain_text("7 still to count")
    phone.digits(195)
    phone.tap(page.locator("#sheet .key", has_text="Next"))
    expect(so_far).to_contain_text("195 of 700 counted")
    expect(so_far).to_contain_text("\N{MINUS SIGN}5")
    assert not hard_to_use(page)
    for _name in SEVEN[1:]:
        phone.tap(page.get_by_role("button", name="as expected"))
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(".bar [data-sum]")).to_contain_text("695 of 700 counted")
    assert not hard_to_use(page)
    phone.press("Save count")
    expect(page.get_by_text("Count saved.")).to_be_visible()
    assert phone.taps == 12
    assert phone.jumps + phone.scrolls <= MOST_JUMPS
    counts = dict(ChipCount.objects.values_list("player__name", "chips"))
    assert counts == dict.fromkeys(SEVEN, 100) | {"Ann": 195, "Bob": 0}
