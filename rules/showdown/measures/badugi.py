"""Badugis: up to four cards, no rank and no suit twice."""

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE
from rules.game.game import Alternative, Bar
from rules.ranking import IMPOSSIBLE
from rules.showdown.measures.measured import Measured, Strengths, wild_in
from rules.showdown.rows import Cards
from rules.showdown.selections import Block, Selection


def by_badugi(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Up to four cards, no rank and no suit twice; more cards beat fewer."""
    sets = _sets(selection)
    strengths = [
        _badugi_strength(alternative.scale, cards.codes[some], wild_in(cards, some))
        for some in sets
    ]
    return Measured(np.concatenate(strengths), lambda choice: _picked(sets, choice))


@lru_cache(maxsize=32)
def _sets(selection: Selection) -> tuple[Block, ...]:
    """The sets of cards that choices may come down to, from four cards to one, each set once:
    choices share most of theirs."""
    explicit, whole = selection.explicit, selection.size
    found = []
    for size in range(min(4, whole), 0, -1):
        some = [explicit[:, places] for places in combinations(range(whole), size)]
        together = np.concatenate(some)
        _, first = np.unique(together, axis=0, return_index=True)
        found.append(together[np.sort(first)])
    return tuple(found)


def _picked(sets: tuple[Block, ...], choice: int) -> list[int]:
    for some in sets:
        if choice < len(some):
            found: list[int] = some[choice].tolist()
            return found
        choice -= len(some)
    raise IndexError(choice)


BADUGI_RANKS = {  # the best first
    "badugi": tuple(range(1, 14)),
    "badugi-ace-high": tuple(range(2, 15)),
    "hidugi": tuple(range(14, 1, -1)),
}


def _badugi_strength(scale: str, codes: NDArray[np.int16], wild: NDArray[np.bool_]) -> Strengths:
    """A wild card takes a suit that is free and the best rank that is."""
    size = codes.shape[1]
    ranks, suits = codes.astype(np.int64) // 4 + 2, codes % 4
    if scale == "badugi":
        ranks = np.where(ranks == ACE + 2, 1, ranks)
    apart = np.ones((codes.shape[0], codes.shape[2]), dtype=bool)
    for one, other in combinations(range(size), 2):
        alike = (ranks[:, one] == ranks[:, other]) | (suits[:, one] == suits[:, other])
        apart &= ~alike | wild[:, one] | wild[:, other]
    if wild.any():
        ranks = _wild_ranks(scale, np.where(wild, 0, ranks), wild)
    ordered = -np.sort(-ranks, axis=1)
    packed = np.zeros(apart.shape, dtype=np.int64)
    for place in range(4):
        packed = packed << 4 | (ordered[:, place] if place < size else 0)
    value = packed if scale == "hidugi" else 0xFFFF - packed
    return np.where(apart, size << 20 | value, IMPOSSIBLE)


def _wild_ranks(scale: str, ranks: NDArray[np.int64], wild: NDArray[np.bool_]) -> NDArray[np.int64]:
    waiting = wild.copy()
    for rank in BADUGI_RANKS[scale]:
        first = waiting & (waiting.cumsum(axis=1) == 1)
        first &= ~(ranks == rank).any(axis=1)[:, None, :]
        ranks = np.where(first, rank, ranks)
        waiting &= ~first
    return ranks


def badugi_threshold(scale: str, bar: Bar) -> int:
    """So many cards, or four of which the highest decides: `8-or-better`, of a hidugi at least."""
    if bar.category == "cards":
        return bar.number << 20
    rank = (bar.rank or 0) + 2
    if scale == "hidugi":
        return 4 << 20 | rank << 12
    rank = 1 if scale == "badugi" and rank == ACE + 2 else rank
    return 4 << 20 | 0xFFFF - (rank << 12 | 0xFFF)
