"""Main pot, side pots, uncalled, dead and carried chips (docs/record.md, "Pots"; docs/rulings.md
2)."""

from typing import Any

from rules import settle
from tests.helpers.rules.comparing import check
from tests.helpers.rules.tables import Record, deal, seat, wins

BOARD = "2h 7d 9s Jd Qc"
BOARD_OF_TWO = "2h 3s"
ACES, KINGS, TENS, EIGHTS, NOTHING = "Ac Ad", "Kc Kd", "Tc Td", "8c 8d", "3c 4d"


def holdem(*players: Record, **more: Any) -> Record:
    return deal("texas-holdem", *players, board=BOARD, **more)


def pot(amount: int, *names: str) -> Record:
    return {"amount": amount, "for": list(names)}


def test_uncalled_chips_are_returned() -> None:
    record = holdem(seat("ann", KINGS, 30), seat("bob", ACES, 12, all_in=True))
    wins(record, "ann 0, bob 24", returned={"ann": 18, "bob": 0}, net={"ann": -12, "bob": 12})


def test_a_stake_is_called_by_folded_players_too() -> None:
    """bob's 12 called 12 of ann's 30; the 2 above cat's 10 are ann's alone."""
    record = holdem(
        seat("ann", KINGS, 30), seat("bob", paid=12, folded=True), seat("cat", ACES, all_in=True)
    )
    wins(
        record,
        "ann 4, bob 0, cat 30",
        returned={"ann": 18, "bob": 0, "cat": 0},
        pots=[pot(30, "ann", "cat"), pot(4, "ann")],
    )


def test_a_folded_player_takes_back_what_nobody_called() -> None:
    record = holdem(
        seat("ann", paid=20, folded=True), seat("bob", ACES), seat("cat", KINGS), button=1
    )
    wins(record, "ann 0, bob 30, cat 0", returned={"ann": 10, "bob": 0, "cat": 0})


def test_stakes_of_those_out_above_the_highest_still_in_are_dead_money_of_the_last_pot() -> None:
    record = holdem(
        seat("ann", ACES, 10, all_in=True),
        seat("bob", KINGS, 20, all_in=True),
        seat("cat", TENS, 20, all_in=True),
        seat("dan", paid=25, folded=True),
        seat("eve", paid=25, mucked=True),
    )
    wins(
        record,
        "ann 50, bob 50, cat 0, dan 0, eve 0",
        pots=[pot(50, "ann", "bob", "cat"), pot(50, "bob", "cat")],
    )


def test_every_level_of_those_in_makes_a_pot_and_folded_chips_fall_into_their_places() -> None:
    """5 * 4 for all, then 7 - 4 of four and the folded 6 - 4, then the rest of the two deepest."""
    record = holdem(
        seat("ann", ACES, 4, all_in=True),
        seat("bob", KINGS, 7, all_in=True),
        seat("cat", TENS, 20),
        seat("dan", EIGHTS, 20),
        seat("eve", paid=6, folded=True),
    )
    wins(
        record,
        "ann 20, bob 11, cat 26, dan 0, eve 0",
        pots=[
            pot(20, "ann", "bob", "cat", "dan"),
            pot(11, "bob", "cat", "dan"),
            pot(26, "cat", "dan"),
        ],
    )


def test_pots_stay_apart_when_a_hand_in_one_is_beaten() -> None:
    """docs/architecture.md: systems that merge side pots after a hand is dead get odd
    chips wrong.
    """
    record = holdem(
        seat("ann", NOTHING, 3, all_in=True), seat("bob", "Ac Kd", 8), seat("cat", "As Kh", 8)
    )
    wins(
        record,
        "ann 0, bob 10, cat 9",
        pots=[pot(9, "ann", "bob", "cat"), pot(10, "bob", "cat")],
    )


def test_dead_chips_join_the_main_pot_and_are_not_a_bet() -> None:
    """ann's stake is 3 of 5: she wins 3 from each and the 2 that were hers."""
    record = holdem(
        seat("ann", ACES, 5, dead=2, all_in=True), seat("bob", KINGS), seat("cat", TENS)
    )
    wins(
        record,
        "ann 11, bob 14, cat 0",
        pots=[pot(11, "ann", "bob", "cat"), pot(14, "bob", "cat")],
    )


def test_dead_chips_do_not_come_back_uncalled() -> None:
    record = holdem(seat("ann", KINGS, 15, dead=5), seat("bob", ACES, 10))
    wins(record, "ann 0, bob 25", returned={"ann": 0, "bob": 0})


def test_dead_chips_of_a_folded_player_are_in_the_main_pot() -> None:
    record = holdem(
        seat("ann", ACES, 4, all_in=True),
        seat("bob", KINGS, 9),
        seat("cat", TENS, 9),
        seat("dan", paid=3, dead=3, folded=True),
    )
    wins(
        record,
        "ann 15, bob 10, cat 0, dan 0",
        pots=[pot(15, "ann", "bob", "cat"), pot(10, "bob", "cat")],
    )


def test_chips_carried_for_all_join_the_main_pot() -> None:
    players = (seat("ann", ACES, 4, all_in=True), seat("bob", KINGS, 9), seat("cat", TENS, 9))
    for carried in (7, [{"amount": 7}], [{"amount": 3}, {"amount": 4}]):
        wins(
            holdem(*players, carried=carried),
            "ann 19, bob 10, cat 0",
            pots=[pot(19, "ann", "bob", "cat"), pot(10, "bob", "cat")],
        )


def test_carried_pot_joins_a_pot_with_the_same_eligible_players() -> None:
    """docs/rulings.md 3: 65 and 33 are divided once; apart, two odd chips make 50 and 48."""
    low = "8s 6d 5s 4c As"
    record = deal(
        "qualifiers",
        seat("ann", "Ac Ad Ah 2d 9d", 11),
        seat("bob", low, 11),
        seat("cat", "Qc Qd Js Tc 9c", 11),
        seat("dan", folded=True, paid=0),
        board=BOARD_OF_TWO,
        options={"low": "8-or-better"},
        carried=[pot(65, "cat", "ann", "bob")],
    )
    wins(record, "ann 49, bob 49, cat 0, dan 0", pots=[pot(98, "ann", "bob", "cat")])


def test_a_carried_pot_joins_the_side_pot_of_the_same_players() -> None:
    record = holdem(
        seat("ann", ACES, 4, all_in=True),
        seat("bob", KINGS, 9),
        seat("cat", "Ks Kh", 9),
        carried=[pot(7, "bob", "cat")],
    )
    wins(
        record,
        "ann 12, bob 9, cat 8",
        pots=[pot(12, "ann", "bob", "cat"), pot(17, "bob", "cat")],
    )


def test_player_folded_before_the_last_card_keeps_no_separate_pot() -> None:
    """docs/rulings.md 14: dan has no right in what is carried again, eve, who folded late, has."""
    players = (
        seat("ann", ACES),
        seat("bob", KINGS),
        seat("dan", folded=True),
        seat("eve", folded="late"),
    )
    joined = [pot(47, "ann", "bob")]
    with_both = [pot(7, "ann", "bob", "dan", "eve")]
    wins(holdem(*players, carried=with_both), "ann 47, bob 0, dan 0, eve 0", pots=joined)
    apart = [pot(40, "ann", "bob"), pot(7, "ann", "bob")]
    without_eve = [pot(7, "ann", "bob")]
    wins(holdem(*players, carried=without_eve), "ann 47, bob 0, dan 0, eve 0", pots=apart)


def test_pots_carried_for_the_same_players_are_one() -> None:
    record = holdem(
        seat("ann", ACES),
        seat("bob", "Ks Qs"),
        seat("cat", "Kh Qh"),
        carried=[pot(3, "bob", "cat"), pot(5, "ann"), pot(4, "cat", "bob")],
    )
    wins(
        record,
        "ann 35, bob 4, cat 3",
        pots=[pot(30, "ann", "bob", "cat"), pot(7, "bob", "cat"), pot(5, "ann")],
    )


def test_pot_without_eligible_players_here_stays_with_its_own() -> None:
    record = holdem(
        seat("ann", ACES),
        seat("bob", folded=True),
        seat("cat", folded=True),
        seat("dan", KINGS),
        carried=[pot(3, "bob"), pot(4, "cat")],
    )
    wins(record, "ann 40, bob 0, cat 0, dan 0", carries=[pot(3, "bob"), pot(4, "cat")])


def test_pot_carried_for_others_is_separate_and_last() -> None:
    record = holdem(
        seat("ann", ACES),
        seat("bob", KINGS),
        seat("cat", TENS),
        carried=[{"amount": 9, "for": ["cat", "bob"]}, {"amount": 2}],
    )
    wins(
        record,
        "ann 32, bob 9, cat 0",
        pots=[pot(32, "ann", "bob", "cat"), pot(9, "bob", "cat")],
    )


def test_pot_carried_for_one_active_player_goes_to_that_player() -> None:
    """docs/rulings.md 2: a pot that only one live player can win is theirs, whatever they hold."""
    record = holdem(
        seat("ann", ACES), seat("bob", NOTHING), carried=[{"amount": 9, "for": ["bob"]}]
    )
    wins(record, "ann 20, bob 9")


def test_a_pot_carried_for_players_who_are_out_is_carried_on() -> None:
    record = holdem(
        seat("ann", ACES),
        seat("bob", KINGS),
        seat("cat", paid=4, folded=True),
        carried=[{"amount": 9, "for": ["cat"]}],
    )
    wins(record, "ann 24, bob 0, cat 0", carry=9, carries=[{"amount": 9, "for": ["cat"]}])


def test_pot_is_carried_if_no_player_is_active() -> None:
    """The uncalled part is still returned."""
    record = deal(
        "texas-holdem",
        seat("ann", paid=5, folded=True),
        seat("bob", paid=3, folded=True),
        seat("cat", paid=3, mucked=True),
        carried=2,
    )
    answer = wins(record, "ann 0, bob 0, cat 0", carry=11, returned={"ann": 2, "bob": 0, "cat": 0})
    assert sum(carry["amount"] for carry in answer["carries"]) == 11


def test_a_killed_hand_is_folded_from_the_start() -> None:
    """docs/rulings.md 2: cat's 20 and the killed bob's 20 are dead money for ann, all in for 10."""
    record = deal(
        "midnight-cobain-baseball",
        seat("ann", "?? ?? ?? ?? ??", 10, up="Ts Jd", all_in=True),
        seat("bob", "2c 5d 6d 8s 7s 2d", 20, up="Kh"),
        seat("cat", paid=20, folded=True),
        board="8d",
    )
    wins(record, "ann 50, bob 0, cat 0", pots=[pot(50, "ann")])


def test_pot_is_carried_if_every_hand_is_killed_or_folded() -> None:
    record = deal(
        "midnight-cobain-baseball",
        seat("ann", "2c 5d 6d 8s 7s 2d", up="Kh"),
        seat("bob", folded=True),
        board="8d",
    )
    wins(record, "ann 0, bob 0", carry=20)


def test_the_last_player_needs_no_cards_no_board_and_no_declaration() -> None:
    """docs/record.md: once one player is left, cards, board and declarations may be missing."""
    for variant in ("texas-holdem", "middlemost", "nightmare", "high-noon", "five-card-21"):
        record = deal(variant, seat("ann"), seat("bob", folded=True), seat("cat", mucked=True))
        wins(record, "ann 30, bob 0, cat 0", findings=[])


def test_side_pot_of_one_player_is_theirs_whatever_they_hold() -> None:
    """docs/rulings.md 2: bob's 8 more than ann were called by cat, who folded."""
    record = holdem(
        seat("ann", ACES, 4, all_in=True),
        seat("bob", NOTHING, 12),
        seat("cat", paid=12, folded=True),
    )
    wins(record, "ann 12, bob 16, cat 0", pots=[pot(12, "ann", "bob"), pot(16, "bob")])


def test_mucked_hand_wins_nothing() -> None:
    """docs/record.md: in at the end but shows nothing; treated as folded."""
    record = holdem(seat("ann", NOTHING), seat("bob", ACES, mucked=True), seat("cat", EIGHTS))
    wins(record, "ann 0, bob 0, cat 30")


def test_chips_in_are_chips_out_in_the_largest_pot() -> None:
    """docs/record.md: 10^12 chips are the most that anyone may pay."""
    most = 10**12
    record = holdem(seat("ann", "Ac Kd", most), seat("bob", "As Kh", most), carried=most - 1)
    wins(record, f"ann {(3 * most - 1) // 2}, bob {(3 * most - 1) // 2 + 1}")


def test_a_hand_without_chips_is_settled_all_the_same() -> None:
    answer = settle(holdem(seat("ann", ACES, 0), seat("bob", KINGS, 0)))
    check({"won": {"ann": 0, "bob": 0}, "pots": [], "findings": []}, answer)
    assert set(answer["hands"]) == {"ann", "bob"}
