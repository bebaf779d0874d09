"""The strength of hands, by table.

A hand of up to five cards is a multiset of fifteen symbols (thirteen ranks, a wild card, a bug)
and a flush flag. Every symbol has a key; the sum of the keys names the multiset, so the strength
of a hand is a few additions and two look-ups. The tables come from one readable line a scale
(`rules.ranking.SCALES`); the wild entries follow from the natural ones by recursion.

Whole pools of cards are looked up at once: suits apart, any five of seven cards have one of 49,205
best hands, and two cards of a hand meet five of a board, of which they play three, in 169 x 6,175
ways. So a row asks once (or once for each pair of its hand) where its combinations would be 21 or
60. Rows in which five cards of a suit can be played are named, and are looked up otherwise. These
tables take some 30 to 100 ms when they are first needed, which pays from a few hundred rows on.
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

# Every sum of five of these is unique. Found by search; see docs/decisions/0002-engine.md.
KEYS = np.array(
    [0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545, 147031, 257637],
    dtype=np.int64,
)
KEY_OF: list[int] = KEYS.tolist()


@dataclass(frozen=True)
class Multisets:
    """All multisets of one size: their symbols' counts, and the way from a sum to its number."""

    size: int
    counts: NDArray[np.int8]  # (multisets, symbols)
    sums: NDArray[np.int64]
    number_of: NDArray[np.int16]  # by sum of keys


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

    `strengths[number + flush * len]` where `number` is `sets.number_of[sum of keys]` and `flush`
    is 1 when the natural cards share a suit.
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
    """The table of a scale. `four_flush`: in the half that else holds the flushes, the strengths
    of hands with just four cards of a suit (scales whose order names it)."""
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


Halves = list[NDArray[np.int32]]  # strengths without and with a common suit


def _resolve(sets: Multisets, halves: Halves, symbol: int) -> None:
    """A wild card stands for whatever card makes the best hand of those not there already
    (docs/rulings.md 1). It may repeat a rank in another suit, or make five of a kind."""
    apart, suited = halves
    for copies in range(1, sets.size + 1):
        rows = np.flatnonzero(sets.counts[:, symbol] == copies)
        alone = sets.counts[rows, :13].sum(axis=1) == 0
        for rank in range(13):
            after = sets.number_of[sets.sums[rows] - KEYS[symbol] + KEYS[rank]]
            fresh = sets.counts[rows, rank] == 0
            # the first card named can't be of another suit than the others: there are none
            off_suit = np.where(alone, IMPOSSIBLE, apart[after])
            on_suit = np.where(fresh, suited[after], IMPOSSIBLE)
            apart[rows] = np.maximum(apart[rows], apart[after])
            suited[rows] = np.maximum.reduce([suited[rows], off_suit, on_suit])


def _resolve_bugs(scale: Scale, sets: Multisets, halves: Halves) -> None:
    """The bug is an ace, or any card that completes a straight or a flush; on scales where the
    lowest hand wins it is any card."""
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
