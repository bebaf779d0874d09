"""The strength of hands, by table.

A hand of up to five cards is a multiset of fifteen symbols (thirteen ranks, a wild card, a bug)
and a flush flag. Every symbol has a key; the sum of the keys names the multiset, so the strength
of a hand is a few additions and two look-ups. The tables come from one readable line a scale
(`rules.ranking.SCALES`); the wild entries follow from the natural ones by recursion.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from rules.ranking import FOUR_FLUSH, IMPOSSIBLE, Scale
from rules.ranking.natural_strengths import natural_strengths, places

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

    @cached_property
    def numbers(self) -> memoryview:
        """`number_of`, for whoever asks one by one."""
        return self.number_of.data


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

    @cached_property
    def values(self) -> memoryview:
        """`strengths`, for whoever asks one by one."""
        return self.strengths.data

    def of(self, symbols: Sequence[int], *, flush: bool) -> int:
        number = self.sets.numbers[sum([KEY_OF[symbol] for symbol in symbols])]
        found: int = self.values[number + (len(self.sets.sums) if flush else 0)]
        return found


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
    _put_aces(sets, aces)
    completing = [_only_completed(scale, half) for half in halves]
    _resolve(sets, completing, BUG)
    bugs = (sets.counts[:, BUG] > 0) & (sets.counts[:, WILD] == 0)
    for half, with_aces, completed in zip(halves, aces, completing, strict=True):
        half[bugs] = np.maximum(with_aces, completed)[bugs]


def _put_aces(sets: Multisets, halves: Halves) -> None:
    """Every bug an ace, of another suit where the ace of the flush is there already."""
    apart, suited = halves
    for copies in range(1, sets.size + 1):
        rows = np.flatnonzero((sets.counts[:, BUG] == copies) & (sets.counts[:, WILD] == 0))
        after = sets.number_of[sets.sums[rows] - KEYS[BUG] + KEYS[12]]
        held = sets.counts[rows, 12] > 0
        apart[rows] = apart[after]
        suited[rows] = np.maximum(apart[after], np.where(held, IMPOSSIBLE, suited[after]))


def _only_completed(scale: Scale, half: NDArray[np.int32]) -> NDArray[np.int32]:
    """The strengths of straights and flushes, all others taken out."""
    wanted = places(scale, "straight", "flush", "straight-flush")
    return np.where(np.isin(half >> 20, wanted) & (half > 0), half, IMPOSSIBLE).astype(np.int32)
