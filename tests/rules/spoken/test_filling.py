"""The fields that a sentence fills in for different games, and the marks for missing parts."""

from typing import Any

import pytest

from rules.spoken import Entry, read_hand

THREE = ("Ann", "Bob", "Cat")
DECLARED = {"declare": "high-low"}


def entered(text: str, game: str, names: tuple[str, ...] = THREE, **more: Any) -> Entry:
    return read_hand(text, names, game, **more)


def marked(text: str, game: str, names: tuple[str, ...] = THREE, **more: Any) -> Any:
    entry = entered(text, game, names, **more)
    return [(text[mark.start : mark.end], mark.code) for mark in entry.marks]


def took(entry: Entry) -> dict[str, int]:
    return {name: player.took for name, player in entry.players.items() if player.took is not None}


# Cards


def test_suits_are_inferred_if_only_one_choice_is_left() -> None:
    """With two sevens on the board, a pair of sevens must be the other two."""
    text = "board As Kd 7h 7c 2s, ann AhKh, bob 77"
    assert entered(text, "texas-holdem").players["Bob"].cards == {"down": ["7d", "7s"]}
    assert not marked(text, "texas-holdem")


@pytest.mark.parametrize(
    "text",
    [
        "board As Kd 7h 9c 2s, ann AhKh, bob 77",  # three sevens are left
        "board As Kd 7h 7c 2s, ann 7s2c, bob 77",  # one is left
    ],
)
def test_missing_suits_are_marked(text: str) -> None:
    assert marked(text, "texas-holdem") == [("77", "no-suits")]
    assert not entered(text, "texas-holdem").players["Bob"].cards


def test_unnamed_players_fold_if_several_players_show() -> None:
    """As in the form: all players who are not ticked as having shown have folded."""
    entry = entered("ann AhKh, bob 7d7s", "texas-holdem")
    assert entry.showed == ["Ann", "Bob"]
    assert entry.players["Cat"].state == "folded"


def test_unnamed_players_stay_in_if_only_one_player_shows() -> None:
    entry = entered("ann AhKh", "texas-holdem")
    assert not entry.showed
    assert "Cat" not in entry.players


def test_unknown_name_folds_no_player() -> None:
    """Cat may be the player whose name was not recognized."""
    entry = entered("ann AhKh, bob 7d7s, zed QcQd", "texas-holdem")
    assert not entry.showed
    assert "Cat" not in entry.players


def test_cards_fill_zones_in_order() -> None:
    """Seven-card stud has three cards down and four up."""
    entry = entered("ann Ks Kd 3c 5c 6h 8h Th", "seven-card-stud")
    assert entry.players["Ann"].cards == {
        "down": ["Ks", "Kd", "3c"],
        "up": ["5c", "6h", "8h", "Th"],
    }


def test_piles_are_filled_in_order() -> None:
    """Sohe has a hold'em hand of two cards and an Omaha hand of four."""
    cards = entered("ann As Ks Qh Jh 9c 8c", "sohe").players["Ann"].cards
    assert sorted(map(len, cards.values())) == [2, 4]
    assert all(zone.startswith("piles/") for zone in cards)


@pytest.mark.parametrize(
    ("text", "game", "part"),
    [
        ("board As", "five-card-draw", "As"),
        ("ann up As", "texas-holdem", "up As"),
        ("ann declares low", "texas-holdem", "declares low"),
        ("ann 8 low", "texas-holdem", "8 low"),
    ],
)
def test_field_from_another_game_is_marked(text: str, game: str, part: str) -> None:
    text = f"{text}, bob and cat fold"
    assert (part, "not-in-game") in marked(text, game)


def test_declarations_require_the_option() -> None:
    text = "board 2h7d9sJdQc, ann AsKd3c4c low, bob QsQd7c7h high"
    assert entered(text, "omaha-8", options=DECLARED).players["Ann"].declared == "low"
    assert marked(text, "omaha-8") == [("low", "not-in-game"), ("high", "not-in-game")]


# Results


def test_winner_takes_the_whole_pot() -> None:
    entry = entered("bob wins, pot 45", "texas-holdem")
    assert (entry.depth, entry.winner, entry.pot) == ("result", "Bob", 45)


def test_winners_of_high_and_low_halve_the_pot() -> None:
    """Ruling 3: the odd chip goes to the high."""
    assert took(entered("cat wins low, ann wins high, 15 each", "omaha-8")) == {
        "Ann": 23,
        "Cat": 22,
    }


def test_amounts_are_not_changed() -> None:
    assert took(entered("ann takes 30, bob takes 15, 15 each", "omaha-8")) == {"Ann": 30, "Bob": 15}


def test_carried_chips_are_in_the_pot() -> None:
    entry = entered("ann and bob win, 15 each", "texas-holdem", carried=5)
    assert took(entry) == {"Ann": 25, "Bob": 25}


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("ann kings and nines, bob trips, cat folds", "Bob"),
        ("ann kings and nines, bob kings and tens, cat mucks", "Bob"),
        ("ann 77, bob king high, cat 66", "Ann"),
        ("ann flush, everyone else folds", "Ann"),
        ("ann jack high flush, bob queen high flush, cat straight", "Bob"),
    ],
)
def test_best_named_hand_wins(text: str, winner: str) -> None:
    entry = entered(f"{text}, pot 45", "texas-holdem")
    assert entry.winner == winner
    assert not entry.marks


def test_hands_rank_in_the_order_of_the_game() -> None:
    """In short deck, a flush beats a full house."""
    entry = entered("ann flush, bob boat, pot 30", "short-deck", ("Ann", "Bob"))
    assert entry.winner == "Ann"


def test_high_and_low_hands_halve_the_pot() -> None:
    text = "ann kings and nines, bob mucks, cat 8 low, pot 45"
    assert took(entered(text, "omaha-8")) == {"Ann": 23, "Cat": 22}


def test_one_player_wins_high_and_low() -> None:
    text = "ann flush and 7 low, bob 8 low, cat folds, pot 45"
    assert entered(text, "omaha-8").winner == "Ann"


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("ann flush, bob flush, cat folds, pot 45", "texas-holdem"),
        ("ann two pair, bob kings and nines, cat folds, pot 45", "texas-holdem"),
        ("ann kings and nines, bob put in 9, cat folds", "texas-holdem"),
        ("ann flush, pot 45", "texas-holdem"),  # Bob and Cat may have hands
        ("ann flush, bob nut low, cat nut low, pot 45", "omaha-8"),
        ("ann flush, bob 9 low, cat folds, pot 45", "omaha-8"),  # a nine-low does not qualify
        ("ann wins high, bob folds, pot 45", "omaha-8"),  # who wins the low?
        ("ann wins high, cat wins low", "omaha-8"),  # how much?
        ("ann and bob win, pot 45", "texas-holdem"),  # who gets the odd chip?
        ("ann wins high, bob wins low, pot 45", "badacey"),  # badugi and low
        ("ann 6 low, bob 7 low, cat folds, pot 45", "badugi"),
    ],
)
def test_uncertain_winner_is_marked(text: str, game: str) -> None:
    entry = entered(text, game)
    assert entry.depth == "result"
    assert not entry.winner
    assert not took(entry)
    assert {mark.code for mark in entry.marks} == {"not-decided"}


def test_pot_of_a_showdown_is_split_among_its_players() -> None:
    text = "board 2h7d9sJdQc, ann AsKd, bob QsQd, cat put in 4, pot 44"
    entry = entered(text, "texas-holdem")
    assert {name: player.paid for name, player in entry.players.items()} == {
        "Ann": 20,
        "Bob": 20,
        "Cat": 4,
    }
    assert marked(text.replace("44", "45"), "texas-holdem") == [("pot 45", "not-decided")]
