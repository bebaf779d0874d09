"""Main pot, side pots, uncalled, dead and carried chips.

See docs/record.md, "Pots", and docs/rulings.md 2.
"""

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


def test_stake_called_by_a_player_who_folded_is_not_returned() -> None:
    """Bob's 12 call 12 of Ann's 30. Of these, only Ann can win the 2 above Cat's 10."""
    record = holdem(
        seat("ann", KINGS, 30), seat("bob", paid=12, folded=True), seat("cat", ACES, all_in=True)
    )
    wins(
        record,
        "ann 4, bob 0, cat 30",
        returned={"ann": 18, "bob": 0, "cat": 0},
        pots=[pot(30, "ann", "cat"), pot(4, "ann")],
    )


def test_player_who_folded_gets_uncalled_chips_back() -> None:
    record = holdem(
        seat("ann", paid=20, folded=True), seat("bob", ACES), seat("cat", KINGS), button=1
    )
    wins(record, "ann 0, bob 30, cat 0", returned={"ann": 10, "bob": 0, "cat": 0})


def test_folded_stakes_above_the_highest_active_stake_join_the_last_pot() -> None:
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


def test_each_active_stake_level_forms_a_pot_that_includes_folded_chips() -> None:
    """The pots are 5 * 4, then 3 * (7 - 4) plus the folded 6 - 4, and then the rest.

    The rest is from Cat and Dan.
    """
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


def test_pots_stay_separate_if_a_hand_in_one_of_them_is_beaten() -> None:
    """docs/architecture.md: merging side pots after a hand is beaten gives wrong odd chips."""
    record = holdem(
        seat("ann", NOTHING, 3, all_in=True), seat("bob", "Ac Kd", 8), seat("cat", "As Kh", 8)
    )
    wins(
        record,
        "ann 0, bob 10, cat 9",
        pots=[pot(9, "ann", "bob", "cat"), pot(10, "bob", "cat")],
    )


def test_dead_chips_go_to_the_main_pot_and_are_not_a_bet() -> None:
    """Ann's stake is 3 of 5. She wins 3 from each player and her own 2 dead chips."""
    record = holdem(
        seat("ann", ACES, 5, dead=2, all_in=True), seat("bob", KINGS), seat("cat", TENS)
    )
    wins(
        record,
        "ann 11, bob 14, cat 0",
        pots=[pot(11, "ann", "bob", "cat"), pot(14, "bob", "cat")],
    )


def test_dead_chips_are_not_returned_as_uncalled() -> None:
    record = holdem(seat("ann", KINGS, 15, dead=5), seat("bob", ACES, 10))
    wins(record, "ann 0, bob 25", returned={"ann": 0, "bob": 0})


def test_dead_chips_of_a_folded_player_go_to_the_main_pot() -> None:
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


def test_chips_carried_for_all_players_join_the_main_pot() -> None:
    players = (seat("ann", ACES, 4, all_in=True), seat("bob", KINGS, 9), seat("cat", TENS, 9))
    for carried in (7, [{"amount": 7}], [{"amount": 3}, {"amount": 4}]):
        wins(
            holdem(*players, carried=carried),
            "ann 19, bob 10, cat 0",
            pots=[pot(19, "ann", "bob", "cat"), pot(10, "bob", "cat")],
        )


def test_carried_pot_joins_a_pot_with_the_same_eligible_players() -> None:
    """docs/rulings.md 3: 65 and 33 are divided together.

    If they were divided separately, the odd chips would make 50 and 48.
    """
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


def test_carried_pot_joins_the_side_pot_with_the_same_players() -> None:
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


def test_player_who_folded_before_the_last_card_has_no_separate_pot() -> None:
    """docs/rulings.md 14: only Eve, who folded late, can still win a pot that is carried again.

    Dan can't.
    """
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


def test_pots_carried_for_the_same_players_are_merged() -> None:
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


def test_pot_carried_for_folded_players_stays_carried_for_them() -> None:
    record = holdem(
        seat("ann", ACES),
        seat("bob", folded=True),
        seat("cat", folded=True),
        seat("dan", KINGS),
        carried=[pot(3, "bob"), pot(4, "cat")],
    )
    wins(record, "ann 40, bob 0, cat 0, dan 0", carries=[pot(3, "bob"), pot(4, "cat")])


def test_pot_carried_for_other_players_is_separate_and_last() -> None:
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


def test_pot_carried_for_only_one_active_player_goes_to_that_player() -> None:
    """docs/rulings.md 2: a pot that only one active player can win goes to that player.

    The player's cards don't matter.
    """
    record = holdem(
        seat("ann", ACES), seat("bob", NOTHING), carried=[{"amount": 9, "for": ["bob"]}]
    )
    wins(record, "ann 20, bob 9")


def test_pot_carried_for_players_who_are_out_is_carried_again() -> None:
    record = holdem(
        seat("ann", ACES),
        seat("bob", KINGS),
        seat("cat", paid=4, folded=True),
        carried=[{"amount": 9, "for": ["cat"]}],
    )
    wins(record, "ann 24, bob 0, cat 0", carry=9, carries=[{"amount": 9, "for": ["cat"]}])


def test_pot_is_carried_if_no_player_is_active() -> None:
    """Uncalled chips are still returned."""
    record = deal(
        "texas-holdem",
        seat("ann", paid=5, folded=True),
        seat("bob", paid=3, folded=True),
        seat("cat", paid=3, mucked=True),
        carried=2,
    )
    answer = wins(record, "ann 0, bob 0, cat 0", carry=11, returned={"ann": 2, "bob": 0, "cat": 0})
    assert sum(carry["amount"] for carry in answer["carries"]) == 11


def test_killed_hand_counts_as_folded_from_the_start() -> None:
    """docs/rulings.md 2: Ann, all in for 10, wins both 20s.

    Cat folded, and Bob's hand was killed.
    """
    record = deal(
        "midnight-cobain-baseball",
        seat("ann", "?? ?? ?? ?? ??", 10, up="Ts Jd", all_in=True),
        seat("bob", "2c 5d 6d 8s 7s 2d", 20, up="Kh"),
        seat("cat", paid=20, folded=True),
        board="8d",
    )
    wins(record, "ann 50, bob 0, cat 0", pots=[pot(50, "ann")])


def test_pot_is_carried_if_all_hands_are_killed_or_folded() -> None:
    record = deal(
        "midnight-cobain-baseball",
        seat("ann", "2c 5d 6d 8s 7s 2d", up="Kh"),
        seat("bob", folded=True),
        board="8d",
    )
    wins(record, "ann 0, bob 0", carry=20)


def test_last_remaining_player_wins_without_cards_board_or_declaration() -> None:
    """docs/record.md: cards, board and declarations may be missing once one player is left."""
    for variant in ("texas-holdem", "middlemost", "nightmare", "high-noon", "five-card-21"):
        record = deal(variant, seat("ann"), seat("bob", folded=True), seat("cat", mucked=True))
        wins(record, "ann 30, bob 0, cat 0", findings=[])


def test_side_pot_with_one_player_is_won_with_any_hand() -> None:
    """docs/rulings.md 2: Bob's 8 above Ann's 4 were called by Cat, who folded."""
    record = holdem(
        seat("ann", ACES, 4, all_in=True),
        seat("bob", NOTHING, 12),
        seat("cat", paid=12, folded=True),
    )
    wins(record, "ann 12, bob 16, cat 0", pots=[pot(12, "ann", "bob"), pot(16, "bob")])


def test_mucked_hand_wins_nothing() -> None:
    """docs/record.md: a player who mucks at the showdown is treated as folded."""
    record = holdem(seat("ann", NOTHING), seat("bob", ACES, mucked=True), seat("cat", EIGHTS))
    wins(record, "ann 0, bob 0, cat 30")


def test_largest_possible_pot_pays_out_exactly_what_was_paid_in() -> None:
    """docs/record.md: a player may pay at most 10^12 chips."""
    most = 10**12
    record = holdem(seat("ann", "Ac Kd", most), seat("bob", "As Kh", most), carried=most - 1)
    wins(record, f"ann {(3 * most - 1) // 2}, bob {(3 * most - 1) // 2 + 1}")


def test_hand_without_chips_can_be_settled() -> None:
    answer = settle(holdem(seat("ann", ACES, 0), seat("bob", KINGS, 0)))
    check({"won": {"ann": 0, "bob": 0}, "pots": [], "findings": []}, answer)
    assert set(answer["hands"]) == {"ann", "bob"}
