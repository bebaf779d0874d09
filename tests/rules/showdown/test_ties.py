"""Twenty-one, and ties broken by dealing (docs/rulings.md 9 and 11, Five-Card 21)."""

import pytest

from tests.helpers.rules.tables import Record, deal, finds, refused, seat, wins

# Points: 21 with an ace counted as 11, 21 without an ace, 20, and 29 (bust).
TWENTY_ONE, ALSO_21, TWENTY, BUST = (
    "Ah 2d 2c 3s 3h",
    "2h 3d 4d 5c 7s",
    "2s 3c 4h 5s 6d",
    "Kh Qd 2s 3s 4s",
)
NO_PAIR_KING, NO_PAIR_SPADE_KING = "Kd 9h 7c 5s 3h", "Ks 4h 6c 2s 3d"
PAIR_OF_TWOS, PAIR_OF_ACES = "2c 2d 4c 6s 8h", "Ac Ad 4d 6c 7d"


def test_hand_closest_to_21_without_going_over_wins() -> None:
    record = deal(
        "five-card-21",
        seat("ann", TWENTY_ONE),
        seat("bob", TWENTY),
        seat("cat", BUST.replace("2s", "9s").replace("3s", "8s")),
    )
    wins(record, "ann 30, bob 0, cat 0", findings=[])


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("Ah 2d 2c 3s 3h", "21"),
        ("Ah Ad 4c 5s Ts", "21"),
        ("Ah Ad Ac As 7s", "21"),
        ("Ah Ad Ac As 8s", "12"),
        ("Kh Qd 2s 3c 4h", None),
        ("2h 2d 2c 2s 3h", "11"),
        ("Ah Kd 2c 3s 5h", "21"),
        ("Th 2d 2c 3s 4h", "21"),
        ("Jh 2d 2c 3s 4h", "21"),
    ],
)
def test_aces_count_as_1_or_11_and_face_cards_as_10(cards: str, points: str | None) -> None:
    other = "3d 4s 5d 6h 9c"  # 27, bust
    record = deal("five-card-21", seat("ann", cards), seat("bob", other))
    answer = wins(record, "ann 20, bob 0" if points else "ann 10, bob 10")
    shown = answer["hands"]["ann"].get("high", {"name": None})["name"]
    assert shown is None if points is None else shown == f"{points} points"


TIED = (seat("ann", TWENTY_ONE), seat("bob", ALSO_21), seat("cat", TWENTY))


def tied(*rounds: dict[str, str], players: tuple[Record, ...] = TIED) -> Record:
    dealt = [{name: cards.split() for name, cards in one.items()} for one in rounds]
    return deal("five-card-21", *players, **({"tiebreaks": dealt} if dealt else {}))


def test_tie_is_broken_by_the_dealt_round() -> None:
    record = tied({"ann": NO_PAIR_KING, "bob": PAIR_OF_TWOS})
    wins(record, "ann 0, bob 30, cat 0", findings=[])


def test_round_without_a_pair_is_won_by_the_highest_single_card_by_suit() -> None:
    """docs/rulings.md 9: the king of spades beats the king of diamonds before any lower card."""
    record = tied({"ann": NO_PAIR_KING, "bob": NO_PAIR_SPADE_KING})
    wins(record, "ann 0, bob 30, cat 0")


def test_tie_within_a_round_is_broken_by_the_following_round() -> None:
    flush = ("Ah Jh 9h 7h 5h", "Ad Jd 9d 7d 5d")
    record = tied({"ann": flush[0], "bob": flush[1]}, {"ann": PAIR_OF_ACES, "bob": PAIR_OF_TWOS})
    wins(record, "ann 30, bob 0, cat 0", findings=[])


def test_tie_after_the_last_round_splits_the_pot() -> None:
    """docs/rulings.md 11: there is no finding because a round was dealt."""
    record = tied({"ann": "Ah Jh 9h 7h 5h", "bob": "Ad Jd 9d 7d 5d"})
    wins(record, "ann 15, bob 15, cat 0", findings=[])


def test_tie_without_a_round_splits_the_pot_and_is_reported() -> None:
    wins(tied(), "ann 15, bob 15, cat 0", findings=[{"code": "tie-not-broken"}])


def test_players_who_all_bust_are_tied() -> None:
    players = (seat("ann", "Kh Qd 2s 3s 9s"), seat("bob", "Kc Qs 2d 3c 9d"))
    record = tied({"ann": PAIR_OF_TWOS, "bob": PAIR_OF_ACES}, players=players)
    wins(record, "ann 0, bob 20", findings=[])
    wins(tied(players=players), "ann 10, bob 10", findings=[{"code": "tie-not-broken"}])


def test_every_player_tied_for_a_pot_must_have_a_tie_break_hand() -> None:
    """docs/rulings.md 11: Cat is not tied and needs no hand."""
    refused(tied({"ann": PAIR_OF_TWOS, "cat": PAIR_OF_ACES}), "tiebreaks/0 tiebreak-lacks-player")


def test_only_players_still_tied_need_a_hand_in_the_next_round() -> None:
    players = (
        seat("ann", TWENTY_ONE),
        seat("bob", ALSO_21),
        seat("cat", "2s 3c 4h 5s 7d"),
    )
    first = {"ann": "Ah Jh 9h 7h 5h", "bob": "Ad Jd 9d 7d 5d", "cat": PAIR_OF_TWOS}
    record = tied(first, {"ann": NO_PAIR_KING, "bob": PAIR_OF_ACES}, players=players)
    wins(record, "ann 0, bob 30, cat 0")


def test_cards_in_a_round_can_repeat_cards_of_the_hand_but_not_each_other() -> None:
    """docs/rulings.md 11: the deck may have been reshuffled."""
    wins(tied({"ann": TWENTY_ONE, "bob": "Kd 9h 7c 5s 4d"}), "ann 30, bob 0, cat 0")
    record = tied({"ann": PAIR_OF_ACES, "bob": "Ac 9h 7c 5s 3h"})
    refused(record, "tiebreaks/0/bob/0 card-twice")


def test_tie_break_hand_requires_five_seen_cards() -> None:
    record = tied({"ann": "2c 2d 4c 6s", "bob": "Ac Ad 4d 6c ??"})
    refused(record, "tiebreaks/0/ann card-count", "tiebreaks/0/bob/4 unknown-card")


def test_round_breaks_the_tie_for_each_pot_among_its_own_players() -> None:
    """Ann, all in for 4, has the best round but can win only the main pot of 12.

    The side pot of 12 goes to the better of Bob's and Cat's rounds.
    """
    players = (
        seat("ann", TWENTY_ONE, 4, all_in=True),
        seat("bob", ALSO_21),
        seat("cat", "2s 3c 4h 5s 7d"),
    )
    rounds = {"ann": PAIR_OF_ACES, "bob": NO_PAIR_KING, "cat": PAIR_OF_TWOS}
    wins(tied(rounds, players=players), "ann 12, bob 0, cat 12")


def test_unneeded_round_does_not_change_the_result() -> None:
    players = (seat("ann", TWENTY), seat("bob", ALSO_21))
    wins(tied({"ann": PAIR_OF_ACES, "bob": PAIR_OF_TWOS}, players=players), "ann 0, bob 20")


def test_rounds_do_not_break_ties_in_games_without_tie_break_rules() -> None:
    """docs/rulings.md 8: in standard games tied players split the pot."""
    record = deal(
        "texas-holdem",
        seat("ann", "As 2d"),
        seat("bob", "Ad 2s"),
        board="Kh Qs Jd 9c 7h",
        tiebreaks=[{"ann": PAIR_OF_ACES.split(), "bob": PAIR_OF_TWOS.split()}],
    )
    wins(record, "ann 10, bob 10")


def test_tie_in_a_high_low_game_is_not_reported() -> None:
    record = deal("red-and-black", seat("ann", "2h 3h 4h 5h 6h"), seat("bob", "2d 3d 4d 5d 6d"))
    finds(record)
    wins(record, "ann 10, bob 10")
