"""The best hand of whole pools of cards by look-up: its combinations were tried beforehand.

Suits apart, any five of seven cards have one of 49,205 best hands, and two cards of a hand meet
five of a board, of which they play three, in 169 x 6,175 ways. So a row asks once (or once for
each pair of its hand) where its combinations would be 21 or 60. Rows in which five cards of a suit
can be played are named, to be looked at otherwise.

A table takes some 30 to 100 ms when it is first asked for, which pays from a few hundred rows on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from rules.cards import NATURAL_CARDS
from rules.ranking import IMPOSSIBLE, Scale
from rules.showdown.strength_tables import KEYS, multisets, table

Codes = NDArray[np.int16]  # (cards of a pool, rows), natural cards alone
Pools = Sequence[Codes]
Places = NDArray[np.intp]
Strengths = NDArray[np.int32]
RANKS = 13

# Every sum of seven of these, no rank more than four times, is unique (the "SKPokerEval" keys).
KEYS_OF_SEVEN = np.array(
    [0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181], dtype=np.int64
)

# Beside its key a card counts in four bits of its suit: the sum tells both. A count to which enough
# is added to make eight of the fewest that are needed shows in the highest of its four bits.
_SUIT_SHIFT = 24
_KEY_BITS = (1 << _SUIT_SHIFT) - 1
_SUITS = np.array([1 << 4 * (card % 4) for card in range(NATURAL_CARDS)], dtype=np.int64)
_EIGHTS = 0x8888
# Cards of a hand: with the six that make an eight of two, a suit's four bits are full.
MOST_HELD = 9
Counts = NDArray[np.int64]  # of the suits of each row


@dataclass(frozen=True)
class RankSets:
    """The multisets of ranks of one size, and the way from cards to their number."""

    ranks: NDArray[np.int64]  # (multisets, size)
    keys: NDArray[np.int64]  # of each card, its suit beside it
    number_of: NDArray[np.uint16]  # by sum of keys

    def look(self, codes: Codes) -> tuple[Places, Counts]:
        """The number of each row of cards, and the counts of its suits."""
        sums = np.take(self.keys, codes[0], mode="clip")
        for line in codes[1:]:  # one by one stays in the cache
            sums += np.take(self.keys, line, mode="clip")
        numbers = np.take(self.number_of, sums & _KEY_BITS, mode="clip")
        return numbers.astype(np.intp), sums >> _SUIT_SHIFT


def _rank_sets(size: int, keys: NDArray[np.int64]) -> RankSets:
    ranks = np.array([*combinations_with_replacement(range(RANKS), size)], dtype=np.int64)
    ranks = ranks[(ranks[:, 4:] != ranks[:, :-4]).all(axis=1)]  # sorted: no rank five times
    sums = keys[ranks].sum(axis=1)
    number_of = np.zeros(sums.max() + 1, dtype=np.uint16)
    number_of[sums] = np.arange(len(sums))
    return RankSets(ranks, np.repeat(keys, 4) + (_SUITS << _SUIT_SHIFT), number_of)


@cache
def _sevens() -> RankSets:
    return _rank_sets(7, KEYS_OF_SEVEN)


@cache
def _boards() -> RankSets:
    return _rank_sets(5, KEYS[:RANKS])


@dataclass(frozen=True)
class Kind:
    """How pools are looked up: where they stand in the table of a scale, (looks, rows), and an
    eight for each suit of which five cards can be played."""

    read: Callable[[Pools], tuple[Places, Counts]]
    table: Callable[[Scale], Strengths]


class LookUp:
    """Pools of natural cards, row by row, to be looked up on one scale after another."""

    def __init__(self, kind: Kind, pools: Pools) -> None:
        self.kind = kind
        self._pools = pools
        self._places, self._eights = kind.read(pools)

    @cached_property
    def suited(self) -> NDArray[np.intp]:
        """The rows in which five cards of a suit can be played."""
        return np.flatnonzero(self._eights != 0)  # of truths, which is faster

    def best(self, scale: Scale) -> Strengths:
        """The strength of each row's best hand, were all cards of different suits."""
        found = np.take(self.kind.table(scale), self._places, mode="clip")
        return np.asarray(found[0] if len(found) == 1 else found.max(axis=0))

    def flushes(self, scale: Scale) -> Strengths | None:
        """The best flush of each row in `suited`; None where that does not tell the best hand."""
        if self.kind is not FIVE_OF_SEVEN or not flushes_are_better(scale):
            return None
        suit = np.bitwise_count(self._eights[self.suited] - 1) >> 2  # no second one has five
        codes = self._pools[0].take(self.suited, axis=1) + suit * NATURAL_CARDS
        ranks = np.take(_RANK_BITS, codes, mode="clip").sum(axis=0)
        return np.asarray(_flush_table(scale)[ranks])


def kind_of(picked: tuple[tuple[int, int], ...]) -> Kind | None:
    """The look-up for so many cards out of so many, pool by pool; None if there is none."""
    match picked:
        case ((5, 7),):
            return FIVE_OF_SEVEN
        case ((2, held), (3, 5)) if held <= MOST_HELD:
            return TWO_AND_THREE
    return None


def _improve(best: Strengths, scale: Scale, sums: NDArray[np.int64]) -> None:
    """Take the hands that these sums of keys name where they are better."""
    numbers = np.take(multisets(5).number_of, sums)
    np.maximum(best, np.take(table(scale, 5).strengths, numbers), out=best)


# --- any five of seven --------------------------------------------------------------------------


def _five_of_seven(pools: Pools) -> tuple[Places, Counts]:
    numbers, suits = _sevens().look(pools[0])
    return numbers[None, :], suits + 0x3333 & _EIGHTS


@lru_cache(maxsize=64)
def _table_of_seven(scale: Scale) -> Strengths:
    ranks = _sevens().ranks
    best = np.full(len(ranks), IMPOSSIBLE, dtype=np.int32)
    for chosen in combinations(range(7), 5):
        _improve(best, scale, KEYS[ranks[:, chosen]].sum(axis=1))
    return best


@lru_cache(maxsize=64)
def flushes_are_better(scale: Scale) -> bool:
    """Whether five cards are never worse for being of one suit."""
    found = table(scale, 5)
    apart, suited = np.split(found.strengths, 2)
    distinct = (found.sets.counts[:, :RANKS] == 1).sum(axis=1) == 5
    return bool((suited >= apart)[distinct].all())


# A bit for the rank of each card of the suit, by suit and card.
_RANK_BITS = np.array(
    [
        1 << card // 4 if card % 4 == suit else 0
        for suit in range(4)
        for card in range(NATURAL_CARDS)
    ]
)


@lru_cache(maxsize=64)
def _flush_table(scale: Scale) -> Strengths:
    """The best five of up to seven ranks of a suit, by a bit for each rank."""
    masks = np.arange(1 << RANKS)
    held = masks[:, None] >> np.arange(RANKS) & 1
    found = table(scale, 5)
    five = held.sum(axis=1) == 5
    best = np.full(len(masks), IMPOSSIBLE, dtype=np.int32)
    suited = found.sets.number_of[held[five] @ KEYS[:RANKS]].astype(np.intp) + len(found.sets.sums)
    best[five] = found.strengths[suited]
    for _ in range(2):  # from five to six, from six to seven
        best = np.maximum.reduce([best, *(best[masks & ~(1 << rank)] for rank in range(RANKS))])
    return best


# --- two of a hand and three of a board ---------------------------------------------------------


def _two_and_three(pools: Pools) -> tuple[Places, Counts]:
    hand, board = pools
    boards = len(_boards().ranks)
    numbers, three = _boards().look(board)
    two = np.take(_SUITS, hand, mode="clip").sum(axis=0)
    ranks = hand.astype(np.intp) >> 2
    first, second = ranks * (RANKS * boards), ranks * boards + numbers
    places = [first[one] + second[other] for one, other in combinations(range(len(hand)), 2)]
    return np.stack(places), (two + 0x6666) & (three + 0x5555) & _EIGHTS


@lru_cache(maxsize=8)  # four megabytes each
def _table_of_pairs(scale: Scale) -> Strengths:
    ranks = _boards().ranks
    pairs = np.add.outer(KEYS[:RANKS], KEYS[:RANKS]).reshape(-1, 1)
    best = np.full((len(pairs), len(ranks)), IMPOSSIBLE, dtype=np.int32)
    for chosen in combinations(range(5), 3):
        _improve(best, scale, pairs + KEYS[ranks[:, chosen]].sum(axis=1))
    return best.reshape(-1)


FIVE_OF_SEVEN = Kind(_five_of_seven, _table_of_seven)
TWO_AND_THREE = Kind(_two_and_three, _table_of_pairs)
