"""Carried pots and the players who can win them.

See docs/rulings.md 4 and 14, and docs/record.md, `carries`.
"""

from rules import settle
from tests.helpers.rules.tables import deal, refused, seat, wins

NOTHING, LESS, TRIPS, LOW = "Kc Kd Ts 9h 8h", "Qc Qd Js 9c 8c", "Ac Ad As 9d 8d", "7c 5d 4c Jh Jd"
BOARD = "2h 3s"


def test_last_remaining_player_must_still_show_a_qualifying_hand() -> None:
    record = deal("qualifiers", seat("ann", NOTHING), seat("bob", folded=True), board=BOARD)
    wins(record, "ann 0, bob 0", carry=20, carries=[{"amount": 20, "for": ["ann"]}])


def test_last_remaining_player_wins_the_pot_with_either_qualifying_hand() -> None:
    for cards in (TRIPS, LOW):
        record = deal("qualifiers", seat("ann", cards), seat("bob", folded=True), board=BOARD)
        wins(record, "ann 20, bob 0", carry=0)


def test_last_player_who_must_qualify_needs_cards_in_the_record() -> None:
    """A last player who must qualify needs recorded cards and a board."""
    record = deal("qualifiers", seat("ann"), seat("bob", folded=True))
    refused(record, "players/0/down card-count", "board card-count")


def test_carried_pot_is_for_players_who_stayed_until_the_last_card() -> None:
    """docs/rulings.md 14: the pot is for active and "late" folded players, so not for Cat."""
    record = deal(
        "qualifiers",
        seat("ann", NOTHING),
        seat("bob", folded="late"),
        seat("cat", folded=True),
        seat("dan", LESS),
        board=BOARD,
    )
    wins(
        record,
        "ann 0, bob 0, cat 0, dan 0",
        carries=[{"amount": 40, "for": ["ann", "bob", "dan"]}],
    )


def test_side_pot_of_a_single_player_is_won_without_a_qualifying_hand() -> None:
    """docs/rulings.md 14: Bob's 6 above Ann's 4 were called by Cat, who folded."""
    record = deal(
        "qualifiers",
        seat("ann", LESS, 4, all_in=True),
        seat("bob", NOTHING, 10),
        seat("cat", paid=10, folded=True),
        board=BOARD,
    )
    wins(
        record,
        "ann 0, bob 12, cat 0",
        carry=12,
        carries=[{"amount": 12, "for": ["ann", "bob"]}],
    )


def test_each_pot_is_carried_separately() -> None:
    """Ann's three aces win the main pot. In the side pot, no hand qualifies."""
    record = deal(
        "qualifiers",
        seat("ann", TRIPS, 4, all_in=True),
        seat("bob", NOTHING.replace("Ts", "Th"), 10),
        seat("cat", LESS, 10),
        board=BOARD,
    )
    wins(record, "ann 12, bob 0, cat 0", carries=[{"amount": 12, "for": ["bob", "cat"]}])


def test_carried_pot_can_be_won_in_the_next_hand_by_its_players() -> None:
    """One hand's `carries` are the next hand's `carried`."""
    first = deal(
        "qualifiers",
        seat("ann", NOTHING),
        seat("bob", LESS),
        seat("cat", folded=True),
        board=BOARD,
    )
    carries = settle(first)["carries"]
    again = deal(
        "qualifiers",
        seat("ann", LESS, 5),
        seat("bob", LOW, 5),
        seat("cat", TRIPS, 5),
        board=BOARD,
        carried=carries,
    )
    wins(again, "ann 0, bob 37, cat 8", carry=0)


def test_unwon_carried_pot_is_carried_again_for_the_same_players() -> None:
    record = deal(
        "qualifiers",
        seat("ann", NOTHING, 5),
        seat("bob", LESS, 5),
        seat("cat", LOW, 5),
        board=BOARD,
        carried=[{"amount": 9, "for": ["ann", "bob"]}],
    )
    wins(record, "ann 0, bob 0, cat 15", carry=9, carries=[{"amount": 9, "for": ["ann", "bob"]}])


def test_seven_low_qualifies_unless_an_option_changes_it() -> None:
    """docs/rulings.md 14: Qualifiers requires a 7 low unless the option changes it."""
    eight = "8s 5d 4c Jh Jd"
    record = deal("qualifiers", seat("ann", eight), seat("bob", LESS), board=BOARD)
    wins(record, "ann 0, bob 0", carry=20)
    wins(record | {"options": {"low": "8-or-better"}}, "ann 20, bob 0", carry=0)
