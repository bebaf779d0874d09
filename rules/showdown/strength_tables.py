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

from rules.ranking import CEILING, FOUR_FLUSH, FOUR_STRAIGHT, IMPOSSIBLE, Scale

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
        return self.scale.flushes and self.sets.size == 5

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
        strengths[natural] = _natural_strengths(scale, sets.counts[natural, :13], half)
        halves.append(strengths)
    if not four_flush:
        _resolve_bugs(scale, sets, halves)
        _resolve(sets, halves, WILD)
    return Table(scale, sets, np.concatenate(halves))


def _natural_strengths(
    scale: Scale, counts: NDArray[np.int8], suited: str | None
) -> NDArray[np.int32]:
    """Strengths of hands without wild cards, straight from the meaning of the scale."""
    values = np.array([*range(2, 14), scale.ace])
    weights = np.where(counts > 0, counts.astype(np.int64) * 16 + values, 0)
    ordered = -np.sort(-weights, axis=1)[:, :5]
    digits = np.where(ordered > 0, ordered % 16, 0)
    category = _categories(scale, ordered // 16, counts, suited)
    digits = _straight_digits(scale, counts, digits, category)
    strength = category.astype(np.int64)
    for column in range(5):
        strength = strength * 16 + (digits[:, column] if column < digits.shape[1] else 0)
    return (CEILING - strength if scale.lowest_wins else strength).astype(np.int32)


def _categories(
    scale: Scale, groups: NDArray[np.int64], counts: NDArray[np.int8], suited: str | None
) -> NDArray[np.int64]:
    """The place of each hand's category in the order of the scale."""
    most, next_most = groups[:, 0], groups[:, 1]
    size = int(counts[0].sum())
    straight = (_straight_tops(scale, counts) > 0) & (size == 5)
    flush = np.full(len(counts), suited == "flush" and scale.flushes and size == 5)
    found = {
        "pair": most == 2,
        "two-pair": (most == 2) & (next_most == 2),
        "trips": most == 3,
        FOUR_STRAIGHT: _four_straights(scale, counts) if size == 5 else np.zeros(len(counts), bool),
        FOUR_FLUSH: np.full(len(counts), suited == FOUR_FLUSH),
        "straight": straight,
        "flush": flush,
        "full-house": (most == 3) & (next_most == 2),
        "quads": most == 4,
        "straight-flush": straight & flush,
        "five-of-a-kind": most == 5,
    }
    # an order may have moved it from the weakest place
    best = np.full(len(counts), scale.order.index("high-card"), dtype=np.int64)
    for place, category in enumerate(scale.order):
        if category in found:
            best[found[category]] = place
    # a full house is no pair and trips no two pair, whatever the order says of them
    for category in ("full-house", "straight-flush"):
        best[found[category]] = scale.order.index(category)
    return best


def _straight_tops(scale: Scale, counts: NDArray[np.int8]) -> NDArray[np.int64]:
    """The top rank of the straight that each of these counts makes, 0 for none."""
    values = np.array([*range(2, 14), scale.ace])
    held = ((counts > 0) << values).sum(axis=1)
    tops = np.zeros(len(counts), dtype=np.int64)
    for run in reversed(scale.straights):  # the first that is told counts
        tops[held == sum(1 << rank for rank in run)] = run[0]
    return tops


def _straight_digits(
    scale: Scale,
    counts: NDArray[np.int8],
    digits: NDArray[np.int64],
    category: NDArray[np.int64],
) -> NDArray[np.int64]:
    """A straight is told by its top rank alone: a wheel is five high."""
    places = [scale.order.index(name) for name in ("straight", "straight-flush")]
    rows = np.isin(category, places)
    digits[rows] = 0
    digits[rows, 0] = _straight_tops(scale, counts[rows])
    return digits


def _four_straights(scale: Scale, counts: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Four of the five cards in sequence; the ace may stand at either end on the high scale."""
    held = counts > 0
    ladder = np.concatenate([held[:, 12:], held], axis=1)  # ace, 2 .. king, ace
    if scale.ace == 1:
        ladder = ladder[:, :13]
    runs = [ladder[:, low : low + 4].all(axis=1) for low in range(ladder.shape[1] - 3)]
    return np.asarray(np.logical_or.reduce(runs), dtype=np.bool_)


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
    if scale.lowest_wins:
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
    wanted = [scale.order.index(name) for name in ("straight", "flush", "straight-flush")]
    return np.where(np.isin(half >> 20, wanted) & (half > 0), half, IMPOSSIBLE).astype(np.int32)
