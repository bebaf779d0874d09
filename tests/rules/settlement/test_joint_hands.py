"""Hands that must win in two ways or beat the table. Ties by suit and wild cards.

See docs/games.md. Kitty guts, Black Mariah and ties by suit follow the pages on home poker at
pagat.com.
"""

from typing import Any

import pytest

from rules.api import settle
from rules.documents import documents
from rules.settlement.odds import OddsError, odds

Record = dict[str, Any]
STUD: Record = {"name": "Home", "players": [2, 6], "deal": ["2 down 3 up"], "hand": ["5 own"]}
KITTY: Record = {
    "name": "Kitty guts",
    "players": [2, 6],
    "deal": ["ante", "3 down", "board a b c down", "in-or-out"],
    "board": ["a b c"],
    "hand": ["3 down"],
    "shares": ["high beating 3 board"],
    "alone": "must-qualify",
    "dues": ["losers match pot"],
}


def settled(game: Record, held: dict[str, str], **keys: Any) -> Record:
    """Return the answer to a hand. Cards after a slash are dealt face up."""
    players: list[Record] = []
    for name, cards in held.items():
        down, _, up = cards.partition("/")
        out = {} if cards else {"folded": True}
        players.append({"name": name, "paid": 5, "down": down.split(), "up": up.split()} | out)
    return settle({"variant": game, "button": 0, "players": players, **keys})


# --- a hand on the table ----------------------------------------------------------------------


def test_best_player_must_also_beat_the_table() -> None:
    board = [["Qs", "Qd", "4c"]]
    won = settled(KITTY, {"ann": "Ks Kd 2c", "bob": "9s 9d 3c"}, board=board)
    assert (won["won"]["ann"], won["carry"]) == (10, 10)
    lost = settled(KITTY, {"ann": "Js Jd 2c", "bob": "9s 9d 3c"}, board=board)
    assert (lost["won"], lost["carry"]) == ({"ann": 0, "bob": 0}, 30)


def test_player_who_ties_the_table_has_not_beaten_it() -> None:
    equal = settled(KITTY, {"ann": "Qh Qc 4d", "bob": "9s 9d 3c"}, board=[["Qs", "Qd", "4c"]])
    assert equal["carry"] == 30


@pytest.mark.parametrize(("board", "won"), [("2s 3d 5c", 10), ("As Ad 5c", 0)])
def test_last_remaining_player_must_also_beat_the_table(board: str, won: int) -> None:
    answer = settled(KITTY, {"ann": "Ks Kd 2c", "bob": ""}, board=[board.split()])
    assert answer["won"]["ann"] == won
    assert answer["carry"] == (0 if won else 20)


# --- two hands at once ----------------------------------------------------------------------------

MARIAH: Record = STUD | {"name": "Black Mariah", "shares": ["high: high and highest s down"]}


def test_winner_must_have_both_the_best_hand_and_the_highest_spade() -> None:
    both = settled(MARIAH, {"ann": "As Ad/7c 8h 9d", "bob": "Ks Kd/2c 3h 4d"})
    assert both["won"] == {"ann": 10, "bob": 0}
    apart = settled(MARIAH, {"ann": "Ah Ad/7c 8h 9d", "bob": "Ks Kd/2c 3h 4d"})
    assert (apart["won"], apart["carry"]) == ({"ann": 0, "bob": 0}, 10)


def test_next_measure_decides_if_no_player_has_both() -> None:
    game = MARIAH | {"shares": ["high: high and highest s down else highest"]}
    apart = settled(game, {"ann": "Ah Ad/7c 8h 9d", "bob": "Ks Kd/2c 3h 4d"})
    assert apart["won"] == {"ann": 10, "bob": 0}


def test_each_pots_winner_is_decided_among_its_players() -> None:
    """docs/rulings.md 6."""
    players = [
        {"name": "ann", "paid": 5, "all_in": True, "down": ["As", "Ad"], "up": ["7c", "8h", "9d"]},
        {"name": "bob", "paid": 9, "down": ["Ks", "Kd"], "up": ["2c", "3h", "4d"]},
        {"name": "cat", "paid": 9, "down": ["Qs", "Qd"], "up": ["5c", "3c", "4h"]},
    ]
    answer = settle({"variant": MARIAH, "button": 0, "players": players})
    assert answer["won"] == {"ann": 15, "bob": 8, "cat": 0}


def test_share_that_requires_two_hands_cannot_be_declared() -> None:
    game = STUD | {"declare": "high-low", "shares": ["high and highest s down", "low: best"]}
    assert [problem.where for problem in documents.check(game)] == ["declare"]


def test_odds_for_a_share_that_requires_two_hands_are_refused() -> None:
    with pytest.raises(OddsError, match="several hands win together"):
        odds(documents.game(MARIAH), players=3, deals=10, seed=1)


# --- ties -------------------------------------------------------------------------------------


def test_suit_of_the_highest_card_breaks_the_tie() -> None:
    held = {"ann": "Ah Kd/9c 8h 7d", "bob": "Ad Kh/9h 8d 7c"}
    assert settled(STUD | {"shares": ["high"]}, held)["won"] == {"ann": 5, "bob": 5}
    assert settled(STUD | {"shares": ["high"], "ties": "suit"}, held)["won"]["ann"] == 10


def test_tied_hand_with_fewer_wild_cards_wins() -> None:
    game = STUD | {"shares": ["high"], "wild": ["2"]}
    held = {"ann": "Kh Kd/9c 8h 7d", "bob": "Ks 2h/9h 8d 7c"}
    assert settled(game, held)["won"] == {"ann": 5, "bob": 5}
    assert settled(game | {"ties": "natural"}, held)["won"] == {"ann": 10, "bob": 0}


def test_tied_hands_with_the_same_number_of_wild_cards_split_the_pot() -> None:
    game = STUD | {"shares": ["high"], "wild": ["2"], "ties": "natural"}
    held = {"ann": "Kh 2d/9c 8h 7d", "bob": "Ks 2h/9h 8d 7c"}
    assert settled(game, held)["won"] == {"ann": 5, "bob": 5}


# --- kinds of hands, qualifiers -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "winner"),
    [([], "ann"), (["without straight"], "bob"), (["without flush"], "ann")],
)
def test_category_order_can_omit_a_category(order: list[str], winner: str) -> None:
    held = {"ann": "6h 5d/4c 3h 2d", "bob": "Ks Kh/9h 8d 7c"}
    assert settled(STUD | {"shares": ["high"], "order": order}, held)["won"][winner] == 10


def test_straight_flush_is_a_straight_in_games_without_flushes() -> None:
    held = {"ann": "6h 5h/4h 3h 2h", "bob": "7s 6s/5c 4d 3c"}
    assert settled(STUD | {"shares": ["high"]}, held)["won"]["ann"] == 10
    game = STUD | {"shares": ["high"], "order": ["without flush"]}
    assert settled(game, held)["won"]["bob"] == 10


@pytest.mark.parametrize(
    ("share", "cards", "qualifies"),
    [
        ("badugi 8-or-better", "8h 5d 3c As", True),
        ("badugi 8-or-better", "9h 5d 3c As", False),
        ("badugi 8-or-better", "5h 5d 3c As", False),
        ("hidugi T-or-better", "Th 5d 3c As", True),
        ("hidugi T-or-better", "9h 5d 3c 2s", False),
    ],
)
def test_badugi_can_require_a_number_of_cards_or_a_rank(
    share: str, cards: str, *, qualifies: bool
) -> None:
    game = {"name": "B", "players": [2, 4], "deal": ["4 down"], "hand": ["4 down"]}
    held = {"ann": cards, "bob": "Kh Kd Kc 2h"}
    answer = settled(game | {"shares": [f"badugi: {share} else highest"]}, held)
    alone = settled(game | {"shares": [f"badugi: {share}"], "alone": "must-qualify"}, held)
    assert (alone["won"]["ann"] == 10) == qualifies
    assert (answer["won"]["ann"] == 10) == (qualifies or "As" in cards)


def test_story_names_the_deciding_measure_if_no_player_has_both() -> None:
    """One player has the lowest heart and another the best high. The low decides and is named."""
    game = STUD | {"deal": ["5 down"], "hand": ["5 down"], "players": [2, 6]}
    game["shares"] = ["lowest h and high else best"]
    answer = settled(game, {"ann": "Ks Kc 9d 3h 8h", "bob": "7s 7c 5d 2h As"})
    assert answer["story"][0].startswith(
        "bob wins the pot (10) with a pair of sevens, ahead of ann"
    )
