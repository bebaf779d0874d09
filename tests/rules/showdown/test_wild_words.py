"""Wild cards defined by position, or for one share only (docs/games.md, "Cards").

An independent, slower implementation lists a word's wild cards one by one.
"""

from random import Random
from typing import Any

import pytest

from rules.api import settle
from rules.cards import TEXTS
from rules.documents import documents

Record = dict[str, Any]
GAME: Record = {
    "name": "Wild",
    "players": [2, 4],
    "deal": ["2 down 3 up", "board a b"],
    "board": ["a b"],
    "hand": ["any 5"],
    "shares": ["high", "low: best"],
}
WORDS = {
    "rank of first up": lambda up, down, board: _rank(up[0]),
    "rank of last up": lambda up, down, board: _rank(up[-1]),
    "rank of first down": lambda up, down, board: _rank(down[0]),
    "card of first up": lambda up, down, board: [up[0]],
    "card of last down": lambda up, down, board: [down[-1]],
    "card of a": lambda up, down, board: [board[0]],
    "card of b": lambda up, down, board: [board[1]],
}


def _rank(card: str) -> list[str]:
    return [card[0] + suit for suit in "cdhs"]


def hands_of(game: Record, down: list[str], up: list[str], board: list[str]) -> Record:
    """Return Ann's hands in the answer, with an unrelated opponent."""
    others = [card for card in TEXTS[:52] if card not in {*down, *up, *board}]
    players = [
        {"name": "ann", "paid": 1, "down": down, "up": up},
        {"name": "bob", "paid": 1, "down": others[:2], "up": others[2:5]},
    ]
    answer = settle({"variant": game, "button": 0, "players": players, "board": [board]})
    hands: Record = answer["hands"]["ann"]
    return {share: hand["name"] for share, hand in hands.items()}


@pytest.mark.parametrize("word", WORDS)
def test_word_for_a_place_makes_its_cards_wild(word: str) -> None:
    chance = Random(word)
    for _ in range(40):
        cards = chance.sample(TEXTS[:52], 7)
        down, up, board = cards[:2], cards[2:5], cards[5:]
        named = GAME | {"wild": WORDS[word](up, down, board)}
        assert hands_of(GAME | {"wild": [word]}, down, up, board) == hands_of(
            named, down, up, board
        )


@pytest.mark.parametrize("share", ["high", "low"])
def test_card_can_be_wild_for_only_one_share(share: str) -> None:
    chance = Random(share)
    for _ in range(40):
        cards = chance.sample(TEXTS[:52], 7)
        dealt = cards[:2], cards[2:5], cards[5:]
        wild, plain = hands_of(GAME | {"wild": ["2", "K"]}, *dealt), hands_of(GAME, *dealt)
        other = "low" if share == "high" else "high"
        hands = hands_of(GAME | {"wild": [f"2 for {share}", f"K for {share}"]}, *dealt)
        assert hands == {share: wild[share], other: plain[other]}


def test_wild_card_for_a_share_that_is_not_played_is_refused() -> None:
    problems = documents.check(GAME | {"wild": ["2 for lo"]})
    assert [(problem.where, problem.word) for problem in problems] == [("wild/0", "lo")]


def test_share_excluded_by_an_option_can_have_wild_cards() -> None:
    game = GAME | {
        "shares": ["high", "low: best when split high-low"],
        "wild": ["2 for low"],
        "options": {"split": ["high", "high-low"]},
    }
    assert documents.check(game) == []


def test_slot_rank_kills_every_hand_with_a_card_of_that_rank() -> None:
    game = GAME | {"kill": ["rank of a"]}
    players = [
        {"name": "ann", "paid": 5, "down": ["As", "Ad"], "up": ["Kh", "Kd", "9c"]},
        {"name": "bob", "paid": 5, "down": ["2s", "3d"], "up": ["7h", "8d", "Tc"]},
    ]
    record = {"variant": game, "button": 0, "players": players, "board": [["9h", "2h"]]}
    assert settle(record)["won"] == {"ann": 0, "bob": 10}
