"""Look up the strength of hands in tables.

A hand of up to five cards is a multiset of fifteen symbols (thirteen ranks, a wild card, a bug) and
a flush flag. Every symbol has a key, and the sum of the keys identifies the multiset. The strength
of a hand therefore takes a few additions and two look-ups. Each table is generated from the
definition of its scale (`rules.ranking.SCALES`). The entries with wild cards are derived from the
natural entries by recursion.

Whole pools of cards have their own look-ups. Without suits, any five of seven cards have one of
49,205 best hands, and two cards of a hand combine with three of five board cards in 169 x 6,175
ways. A row then takes one look-up (or one for each pair of the hand) instead of 21 or 60
combinations. Rows with a possible flush are handled separately. Building these tables takes 30 to
100 ms on first use, which pays off from a few hundred rows on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from rules.cards import NATURAL_CARDS
from rules.ranking import FOUR_FLUSH, IMPOSSIBLE, Scale
from rules.ranking.scales import natural_strengths, places

WILD = 13
BUG = 14
SYMBOLS = 15

# Every sum of five keys is unique. The keys were found by search; see
# docs/decisions/0002-engine.md.
KEYS = np.array(
    [0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545, 147031, 257637],
    dtype=np.int64,
)
KEY_OF: list[int] = KEYS.tolist()


@dataclass(frozen=True)
class Multisets:
    """All multisets of one size: the counts of their symbols, and their numbers by sum of keys."""

    size: int
    counts: NDArray[np.int8]  # shape: (multisets, symbols)
    sums: NDArray[np.int64]
    number_of: NDArray[np.int16]  # numbers of the multisets, keyed by the sum of their keys


@cache
def multisets(size: int) -> Multisets:
    picks = np.array(list(combinations_with_replacement(range(SYMBOLS), size)), dtype=np.int64)
    counts = np.zeros((len(picks), SYMBOLS), dtype=np.int8)
    for column in picks.T:
        counts[np.arange(len(picks)), column] += 1
    sums = KEYS[picks].sum(axis=1)
    number_of = np.full(sums.max() + 1, -1, dtype=np.int16)
    number_of[sums] = np.arange(len(sums))
    return Multisets(size, counts, sums, number_of)


@dataclass(frozen=True)
class Table:
    """The strengths of every hand of one size on one scale.

    The index is `number + flush * len`, where `number` is `sets.number_of[sum of keys]` and `flush`
    is 1 if the natural cards share a suit.
    """

    scale: Scale
    sets: Multisets
    strengths: NDArray[np.int32]

    @property
    def sees_suits(self) -> bool:
        return self.scale.flushes and self.sets.size in self.scale.sizes

    def of(self, symbols: Sequence[int], *, flush: bool) -> int:
        number = self.sets.number_of[sum([KEY_OF[symbol] for symbol in symbols])]
        return int(self.strengths[number + (len(self.sets.sums) if flush else 0)])


@lru_cache(maxsize=256)
def table(scale: Scale, size: int, *, four_flush: bool = False) -> Table:
    """Return the table of a scale.

    If `four_flush` is true, the half for flushes contains the strengths of hands with exactly four
    cards of a suit instead (for scales whose order includes it).
    """
    sets = multisets(size)
    natural = sets.counts[:, WILD] + sets.counts[:, BUG] == 0
    suited: str | None = FOUR_FLUSH if four_flush else "flush"
    halves = []
    for half in (None, suited):
        strengths = np.full(len(sets.sums), IMPOSSIBLE, dtype=np.int32)
        strengths[natural] = natural_strengths(scale, sets.counts[natural, :13], half)
        halves.append(strengths)
    if not four_flush:
        _resolve_bugs(scale, sets, halves)
        _resolve(sets, halves, WILD)
    return Table(scale, sets, np.concatenate(halves))


Halves = list[NDArray[np.int32]]  # strengths of hands in mixed suits, and in one suit


def _resolve(sets: Multisets, halves: Halves, symbol: int) -> None:
    """Set the strengths of wild cards, which replace the best card not in the hand.

    See docs/rulings.md 1. A wild card may repeat a rank in a different suit or make five of a kind.
    """
    apart, suited = halves
    for copies in range(1, sets.size + 1):
        rows = np.flatnonzero(sets.counts[:, symbol] == copies)
        alone = sets.counts[rows, :13].sum(axis=1) == 0
        for rank in range(13):
            after = sets.number_of[sets.sums[rows] - KEYS[symbol] + KEYS[rank]]
            fresh = sets.counts[rows, rank] == 0
            # with a single card, suits can't differ
            off_suit = np.where(alone, IMPOSSIBLE, apart[after])
            on_suit = np.where(fresh, suited[after], IMPOSSIBLE)
            apart[rows] = np.maximum(apart[rows], apart[after])
            suited[rows] = np.maximum.reduce([suited[rows], off_suit, on_suit])


def _resolve_bugs(scale: Scale, sets: Multisets, halves: Halves) -> None:
    """Set the strengths of bugs, which are aces or complete a straight or a flush.

    On scales where the lowest hand wins, a bug is any card.
    """
    if scale.is_low:
        _resolve(sets, halves, BUG)
        return
    aces = [half.copy() for half in halves]
    apart, suited = aces
    for copies in range(1, sets.size + 1):
        rows = np.flatnonzero((sets.counts[:, BUG] == copies) & (sets.counts[:, WILD] == 0))
        after = sets.number_of[sets.sums[rows] - KEYS[BUG] + KEYS[12]]
        held = sets.counts[rows, 12] > 0
        apart[rows] = apart[after]
        suited[rows] = np.maximum(apart[after], np.where(held, IMPOSSIBLE, suited[after]))
    wanted = places(scale, "straight", "flush", "straight-flush")
    completing = [
        np.where(np.isin(half >> 20, wanted) & (half > 0), half, IMPOSSIBLE).astype(np.int32)
        for half in halves
    ]
    _resolve(sets, completing, BUG)
    bugs = (sets.counts[:, BUG] > 0) & (sets.counts[:, WILD] == 0)
    for half, with_aces, completed in zip(halves, aces, completing, strict=True):
        half[bugs] = np.maximum(with_aces, completed)[bugs]


# --- whole pools --------------------------------------------------------------------------------

Codes = NDArray[np.int16]  # shape: (cards in a pool, rows), natural cards only
Pools = Sequence[Codes]
Places = NDArray[np.intp]
Strengths = NDArray[np.int32]
RANKS = 13

# Every sum of seven keys is unique if no rank occurs more than four times ("SKPokerEval" keys).
KEYS_OF_SEVEN = np.array(
    [0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181], dtype=np.int64
)

# In addition to its key, a card adds one to the four bits reserved for its suit, so the sum
# contains both. An offset turns the required number of cards into eight, which sets the highest of
# the four bits.
_SUIT_SHIFT = 24
_KEY_BITS = (1 << _SUIT_SHIFT) - 1
_SUITS = np.array([1 << 4 * (card % 4) for card in range(NATURAL_CARDS)], dtype=np.int64)
_EIGHTS = 0x8888
# Maximum number of cards in a hand. The offset for two cards is six, so with more cards the four
# bits of a suit would overflow.
MOST_HELD = 9
Counts = NDArray[np.int64]  # number of cards of each suit in each row


@dataclass(frozen=True)
class RankSets:
    """The multisets of ranks of one size, and their numbers by the sum of keys."""

    ranks: NDArray[np.int64]  # shape: (multisets, size)
    keys: NDArray[np.int64]  # each card's key, including its suit count
    number_of: NDArray[np.uint16]  # numbers of the multisets, keyed by the sum of their keys

    def look(self, codes: Codes) -> tuple[Places, Counts]:
        """Return the number of each row of cards, and the counts of its suits."""
        sums = np.take(self.keys, codes[0], mode="clip")
        for line in codes[1:]:  # one line at a time, which stays in the cache
            sums += np.take(self.keys, line, mode="clip")
        numbers = np.take(self.number_of, sums & _KEY_BITS, mode="clip")
        return numbers.astype(np.intp), sums >> _SUIT_SHIFT


def _rank_sets(size: int, keys: NDArray[np.int64]) -> RankSets:
    ranks = np.array([*combinations_with_replacement(range(RANKS), size)], dtype=np.int64)
    # ranks are sorted, so this excludes multisets with five cards of the same rank
    ranks = ranks[(ranks[:, 4:] != ranks[:, :-4]).all(axis=1)]
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
    """How to look up pools: their indexes in the table of a scale (looks, rows), and flush bits.

    A suit's bit of eight is set if five of its cards can be played.
    """

    read: Callable[[Pools], tuple[Places, Counts]]
    table: Callable[[Scale], Strengths]


class LookUp:
    """Pools of natural cards that are looked up on several scales."""

    def __init__(self, kind: Kind, pools: Pools) -> None:
        self.kind = kind
        self._pools = pools
        self._places, self._eights = kind.read(pools)

    @cached_property
    def suited(self) -> NDArray[np.intp]:
        """Return the rows in which five cards of a suit can be played."""
        return np.flatnonzero(self._eights != 0)  # flatnonzero is faster on booleans

    def best(self, scale: Scale) -> Strengths:
        """Return the strength of each row's best hand without flushes."""
        strengths = np.take(self.kind.table(scale), self._places, mode="clip")
        return np.asarray(strengths[0] if len(strengths) == 1 else strengths.max(axis=0))

    def flushes(self, scale: Scale) -> Strengths | None:
        """Return the best flush of each row in `suited`, or None if it may not be the best hand."""
        if self.kind is not FIVE_OF_SEVEN or not flushes_are_better(scale):
            return None
        # only one suit can have five cards
        suit = np.bitwise_count(self._eights[self.suited] - 1) >> 2
        codes = self._pools[0].take(self.suited, axis=1) + suit * NATURAL_CARDS
        ranks = np.take(_RANK_BITS, codes, mode="clip").sum(axis=0)
        return np.asarray(_flush_table(scale)[ranks])


def kind_of(picked: tuple[tuple[int, int], ...]) -> Kind | None:
    """Return the look-up for these numbers of picked and held cards per pool, or None."""
    match picked:
        case ((5, 7),):
            return FIVE_OF_SEVEN
        case ((2, held), (3, 5)) if held <= MOST_HELD:
            return TWO_AND_THREE
    return None


def _improve(best: Strengths, scale: Scale, sums: NDArray[np.int64]) -> None:
    """Replace strengths with the strengths of these sums of keys where those are better."""
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
    """Return whether a flush is never worse than the same ranks without a flush."""
    strength_table = table(scale, 5)
    apart, suited = np.split(strength_table.strengths, 2)
    distinct = (strength_table.sets.counts[:, :RANKS] == 1).sum(axis=1) == 5
    return bool((suited >= apart)[distinct].all())


# For each suit and card, the bit of the card's rank.
_RANK_BITS = np.array(
    [
        1 << card // 4 if card % 4 == suit else 0
        for suit in range(4)
        for card in range(NATURAL_CARDS)
    ]
)


@lru_cache(maxsize=64)
def _flush_table(scale: Scale) -> Strengths:
    """Return the best five of up to seven ranks of a suit, indexed by the bits of the ranks."""
    masks = np.arange(1 << RANKS)
    held = masks[:, None] >> np.arange(RANKS) & 1
    strength_table = table(scale, 5)
    five = held.sum(axis=1) == 5
    best = np.full(len(masks), IMPOSSIBLE, dtype=np.int32)
    suited = strength_table.sets.number_of[held[five] @ KEYS[:RANKS]].astype(np.intp) + len(
        strength_table.sets.sums
    )
    best[five] = strength_table.strengths[suited]
    for _ in range(2):  # from five to six cards, then from six to seven
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


@lru_cache(maxsize=8)  # each result takes four megabytes
def _table_of_pairs(scale: Scale) -> Strengths:
    ranks = _boards().ranks
    pairs = np.add.outer(KEYS[:RANKS], KEYS[:RANKS]).reshape(-1, 1)
    best = np.full((len(pairs), len(ranks)), IMPOSSIBLE, dtype=np.int32)
    for chosen in combinations(range(5), 3):
        _improve(best, scale, pairs + KEYS[ranks[:, chosen]].sum(axis=1))
    return best.reshape(-1)


FIVE_OF_SEVEN = Kind(_five_of_seven, _table_of_seven)
TWO_AND_THREE = Kind(_two_and_three, _table_of_pairs)
