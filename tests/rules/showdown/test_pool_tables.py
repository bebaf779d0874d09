"""The card pool tables agree with trying every combination of cards."""

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.documents import documents
from rules.game.game import Game
from rules.showdown.best_hands import ENOUGH_ROWS, best_hands
from rules.showdown.rows import lay_out
from rules.showdown.selections import Shape
from tests.helpers.rules.crowded_hands import crowded
from tests.helpers.rules.measuring import random_hands

SHARES = ["high", "a: best", "b: worst", "c: ace-to-six", "d: 8-or-better"]
FIVE_OF_SEVEN, TWO_AND_THREE = "any 5", "2 down + 3 board"
ORDERS = ([], ["flush full-house"], ["high-card flush"], ["pair four-flush"])


def game(down: int, pattern: str, **words: object) -> Game:
    document = {
        "name": "Test",
        "players": [2, 4],
        "deal": ["blinds", f"{down} down", "board a b c d e"],
        "board": ["a b c d e"],
        "hand": [pattern],
        "shares": SHARES,
    }
    return documents.game(document | words)


def assert_same(played: Game, down: int, rows: NDArray[np.int64]) -> None:
    cards = lay_out(played, Shape(down, 0), rows, [()] * len(rows))
    measures = [share.alternatives[0] for share in played.shares]
    looked_up = best_hands(played, measures, cards)
    tried = best_hands(played, measures, cards, with_cards=True)
    for one, other in zip(looked_up, tried, strict=True):
        assert one.strengths.tolist() == other.strengths.tolist()


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize(
    ("down", "pattern"),
    [(2, FIVE_OF_SEVEN), *((down, TWO_AND_THREE) for down in (2, 4, 5, 7))],
)
def test_pool_tables_match_the_best_choice_of_cards(
    down: int, pattern: str, order: list[str]
) -> None:
    """Checked on every scale and order, for random and for similar cards."""
    rows = np.concatenate([random_hands(3_000, down + 5, seed=3), crowded(down + 5, seed=4)])
    assert_same(game(down, pattern, order=order), down, rows)


def test_hand_with_ten_cards_of_a_suit_can_be_evaluated() -> None:
    """The tables count the cards of a suit in four bits.

    Hands that could overflow them are evaluated by trying every choice.
    """
    chance = np.random.default_rng(7)
    deck = np.arange(52)
    rows = []
    for _ in range(300):
        hearts = chance.permutation(deck[deck % 4 == 2])
        others = chance.permutation(deck[deck % 4 != 2])
        rows.append([*hearts[:10], *hearts[10:], *others[:2]])
    assert_same(game(10, TWO_AND_THREE), 10, np.array(rows))


@pytest.mark.parametrize("down", [2, 4])
def test_single_suit_pool_matches_the_best_choice_of_cards(down: int) -> None:
    chance = np.random.default_rng(5)
    rows = 4 * np.array([chance.permutation(13)[: down + 5] for _ in range(2_000)]) + 2
    for pattern in (FIVE_OF_SEVEN, TWO_AND_THREE)[down // 4 :]:
        assert_same(game(down, pattern), down, rows)


@pytest.mark.parametrize("words", [{"wild": ["2"]}, {"bug": ["joker"]}])
def test_pools_with_wild_cards_match_the_best_choice_of_cards(words: dict[str, list[str]]) -> None:
    jokers = {"deck": "52 + 1 joker"} if "bug" in words else {}
    rows = random_hands(2 * ENOUGH_ROWS, 7, seed=6)
    rows[:, 0] = 52 if jokers else rows[:, 0]
    assert_same(game(2, FIVE_OF_SEVEN, **words, **jokers), 2, rows)
