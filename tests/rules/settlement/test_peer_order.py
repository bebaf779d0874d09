"""Hands rank as in PokerKit, for thousands of random hands and some similar ones.

PokerKit settles the standard games without wild cards. If both rank a hand, both must give the same
order and the same ties.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from pokerkit import (
    BadugiHand,
    EightOrBetterLowHand,
    Hand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    StandardBadugiHand,
    StandardHighHand,
    StandardLowHand,
)
from pokerkit.utilities import Card

from rules.cards import TEXTS
from rules.documents import documents
from rules.showdown.best_hands import best_hands
from rules.showdown.rows import lay_out
from rules.showdown.selections import Shape
from tests.helpers.rules.crowded_hands import crowded
from tests.helpers.rules.measuring import random_hands, strengths

BOARD = ["blinds", "{n} down", "board a b c", "board d", "board e"]


@cache
def peer_card(card: int) -> Card:
    return next(Card.parse(TEXTS[card]))


def peer_strengths(
    make: Callable[[list[Card]], Hand | None], rows: Iterable[Sequence[int]]
) -> list[int | None]:
    """Return PokerKit's strengths. Higher is better, and None means that no hand qualifies."""
    hands = [make([peer_card(int(card)) for card in row]) for row in rows]
    return [
        None if hand is None else -hand.entry.index if hand.low else hand.entry.index
        for hand in hands
    ]


def assert_same_order(ours: NDArray[np.int64], theirs: list[int | None]) -> None:
    """Check that the same hands qualify, in the same order and with the same ties."""
    qualified = ours >= 0
    assert qualified.tolist() == [one is not None for one in theirs]
    places = [np.unique(ours[qualified], return_inverse=True)[1].tolist()]
    places.append(np.unique([t for t in theirs if t is not None], return_inverse=True)[1].tolist())
    assert places[0] == places[1]


@pytest.mark.parametrize(
    ("share", "make", "size"),
    [
        ("high", StandardHighHand, 5),
        ("best", RegularLowHand, 5),
        ("worst", StandardLowHand, 5),
        ("8-or-better", EightOrBetterLowHand.from_game_or_none, 5),
        ("badugi", BadugiHand.from_game, 4),
        ("badugi-ace-high", StandardBadugiHand.from_game, 4),
    ],
)
@pytest.mark.parametrize("hands", [2_000, pytest.param(10_000, marks=pytest.mark.scheduled)])
def test_hands_rank_in_the_same_order_as_in_pokerkit(
    share: str, make: Callable[[list[Card]], Hand | None], size: int, hands: int
) -> None:
    """docs/rulings.md 7: the usual rankings follow the common rules.

    These are high, ace to five, deuce to seven and eight or better. The badugi scales follow
    docs/games.md.
    """
    rows = np.concatenate([random_hands(hands, size, seed=7), crowded(size, seed=8)])
    assert_same_order(strengths(share, rows), peer_strengths(make, rows))


@pytest.mark.parametrize(
    ("down", "pattern", "makes"),
    [
        (2, "any 5", [StandardHighHand.from_game, EightOrBetterLowHand.from_game_or_none]),
        (4, "2 down + 3 board", [OmahaHoldemHand, OmahaEightOrBetterLowHand]),
        (5, "2 down + 3 board", [OmahaHoldemHand, OmahaEightOrBetterLowHand]),
    ],
)
@pytest.mark.parametrize("hands", [120, pytest.param(400, marks=pytest.mark.scheduled)])
def test_best_hands_with_a_board_rank_in_the_same_order_as_in_pokerkit(
    down: int, pattern: str, makes: list[Callable[..., Hand | None]], hands: int
) -> None:
    """Hold'em plays any five of seven cards, Omaha two hole cards and three of the board (Joslyn
    games).
    """
    similar = crowded(down + 5, seed=10)[:hands]
    rows = np.concatenate([random_hands(hands, down + 5, seed=9), similar])
    game = documents.game(
        {
            "name": "Test",
            "deal": [step.format(n=down) for step in BOARD],
            "board": ["a b c d e"],
            "hand": [pattern],
            "shares": ["high", "low: 8-or-better"],
        }
    )
    cards = lay_out(game, Shape(down, 0), rows, ())
    measures = [share.alternatives[0] for share in game.shares]
    for best, make in zip(best_hands(game, measures, cards), makes, strict=True):
        assert_same_order(best.strengths, peer_strengths(_on_board(make, down), rows))


def _on_board(make: Callable[..., Hand | None], down: int) -> Callable[[list[Card]], Hand | None]:
    if isinstance(make, type):  # an Omaha hand
        return lambda cards: make.from_game_or_none(cards[:down], cards[down:])
    return lambda cards: make(cards[:down], cards[down:])
