"""Hand strengths, read directly from the engine's tables."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import parse_card
from rules.documents import documents
from rules.game.game import Game
from rules.showdown.best_hands import best_hands
from rules.showdown.rows import lay_out
from rules.showdown.selections import Shape

SCALES = ("high", "best", "worst", "ace-to-six")
JOKERS = (52, 53, 54, 55)
Rows = Sequence[Sequence[int]] | NDArray[np.integer[Any]]


def game(shares: Sequence[str], cards: int, **words: Any) -> Game:
    """Return a game in which all cards are dealt down and played."""
    document = {
        "name": "Test",
        "players": [1, 2],
        "deal": [f"{cards} down"],
        "hand": ["all down"],
        "shares": [f"share {number}: {share}" for number, share in enumerate(shares)],
    }
    return documents.game(document | words)


def all_strengths(shares: Sequence[str], rows: Rows, **words: Any) -> list[NDArray[np.int64]]:
    """For each share, return the strengths of rows with the same number of cards."""
    codes = np.asarray(rows, dtype=np.int16)
    played = game(shares, codes.shape[1], **words)
    cards = lay_out(played, Shape(codes.shape[1], 0), codes, ())
    measures = [share.alternatives[0] for share in played.shares]
    return [best.strengths for best in best_hands(played, measures, cards)]


def strengths(share: str, rows: Rows, **words: Any) -> NDArray[np.int64]:
    """Return the strength of each row of cards, or -1 for a row that does not qualify."""
    return all_strengths([share], rows, **words)[0]


def strength(share: str, cards: str, **words: Any) -> int:
    """Return the strength of one hand given as text: `As Ks Qs Js Ts`."""
    return int(strengths(share, [parsed(cards)], **words)[0])


def parsed(cards: str) -> list[int]:
    return [parse_card(card) for card in cards.split()]


def weakest_first(share: str, hands: Iterable[str], **words: Any) -> list[str]:
    """Return the hands ordered by strength, weakest first."""
    return sorted(hands, key=lambda cards: strength(share, cards, **words))


def all_hands() -> NDArray[np.int8]:
    """Return all 2,598,960 hands of five cards."""
    flat = (card for hand in combinations(range(52), 5) for card in hand)
    return np.fromiter(flat, dtype=np.int8).reshape(-1, 5)


def random_hands(count: int, size: int, seed: int) -> NDArray[np.int64]:
    """Return random hands without duplicate cards, from a deck of 52."""
    chance = np.random.default_rng(seed)
    return chance.random((count, 52)).argpartition(size, axis=1)[:, :size]
