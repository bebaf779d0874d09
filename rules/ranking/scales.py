"""The ranking of hands: categories, scales, strengths, and strengths in words.

A strength is an integer, and higher is better. It consists of a category and up to five ranks in
four bits each. On scales where the lowest hand wins it is subtracted from a ceiling. A strength can
therefore be converted to words (`describe`), and a qualifier such as `8-or-better` is a number as
well.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.cards import RANK_NAMES, RANK_PLURALS, RANKS
from rules.ranking.kinds import (
    HOUSE_KINDS,
    LONG_KINDS,
    bits_of,
    of_one_rank,
    ranks_of_bits,
    usual_name,
)

CATEGORIES = (
    "high-card",
    "pair",
    "two-pair",
    "trips",
    "straight",
    "flush",
    "full-house",
    "quads",
    "straight-flush",
    "five-of-a-kind",
)
FOUR_FLUSH = "four-flush"
FOUR_STRAIGHT = "four-straight"

IMPOSSIBLE = -1
CEILING = 1 << 25  # larger than any category combined with its ranks
FIRST_RANK = 16  # lowest bit of the first rank; the category is above it
FULL_HAND = 5
STRAIGHT_KINDS = frozenset(
    ("straight", "straight-flush", *(name for name, kind in LONG_KINDS.items() if kind.straight))
)
LONG_FLUSHES = frozenset(n for n, kind in LONG_KINDS.items() if kind.flush and not kind.straight)


@dataclass(frozen=True)
class Scale:
    """The definition of a scale: the rank of the ace, the hands that count, and which end wins."""

    name: str
    ace: int  # 14 for an ace above the king, 1 for an ace below the deuce
    straights: tuple[tuple[int, ...], ...]  # each straight's ranks, top first
    flushes: bool
    lowest_wins: bool
    order: tuple[str, ...] = CATEGORIES  # hand categories, from weakest to strongest
    # sizes of hands that can be straights or flushes
    sizes: frozenset[int] = frozenset({FULL_HAND})
    # rank of the lowest straight: 15 to rank above all others, 13 to rank below the highest
    wheel: int = 0
    # whether trips count as quads together with two cards that add up to their rank
    quick_quads: bool = False

    def __hash__(self) -> int:  # called for every hand; hashing all fields would be slow
        return hash((self.name, self.order))

    @property
    def is_low(self) -> bool:
        """Return whether a pair is worse than no pair. On such a scale a bug can be any card."""
        return self.lowest_wins or self.name == REVERSED


def runs(scale: Scale, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the usual straights of `size` cards. Aces are high in A-K-Q and low in 3-2-A."""
    if not scale.straights:
        return ()
    lowest, highest = (size, 13) if scale.ace == 1 else (size + 1, 14)
    straights = tuple(tuple(range(top, top - size, -1)) for top in range(lowest, highest + 1))
    wheel = (*range(size, 1, -1), 14)
    return (*straights, wheel) if scale.name == "high" else straights


def _runs(*tops: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(range(top, top - FULL_HAND, -1)) for top in tops)


WHEEL = (5, 4, 3, 2, 14)
REVERSED = "reversed"

SCALES: dict[str, Scale] = {
    # standard hands; aces are high in A-K-Q-J-T and low in 5-4-3-2-A
    "high": Scale("high", 14, (*_runs(*range(6, 15)), WHEEL), flushes=True, lowest_wins=False),
    # ace to five: aces are low, and straights and flushes do not count (docs/rulings.md 7)
    "best": Scale("best", 1, (), flushes=False, lowest_wins=True),
    # deuce to seven: aces are high, so 5-4-3-2-A is ace high, not a straight (docs/rulings.md 7)
    "worst": Scale("worst", 14, _runs(*range(6, 15)), flushes=True, lowest_wins=True),
    # ace to six: aces are low, so A-K-Q-J-T is king high, not a straight (docs/rulings.md 7)
    "ace-to-six": Scale("ace-to-six", 1, _runs(*range(5, 14)), flushes=True, lowest_wins=True),
    # ace to five reversed: no pair beats a pair, and the highest such hand wins (K-Q-J-T-9)
    REVERSED: Scale(
        REVERSED, 1, (), flushes=False, lowest_wins=False, order=tuple(reversed(CATEGORIES))
    ),
}


# --- qualifiers -----------------------------------------------------------------------------------


def bar_strength(scale: Scale, category: str, rank: int | None = None) -> int:
    """Return the weakest strength of a category, optionally with a rank (0..12).

    `bar_strength(high, "pair", 7)` is a pair of nines. `bar_strength(best, "high-card", 6)` is the
    worst eight-high hand without a pair.
    """
    value = 0 if rank is None else (rank + 2 if rank < 12 else scale.ace)
    strength = scale.order.index(category) << 20
    if not scale.lowest_wins:
        return strength | value << 16
    low_end = 0xFFFF if rank is not None else 0xFFFFF
    return CEILING - (strength | value << 16 | low_end)


# --- names of hands -------------------------------------------------------------------------------


def read_strength(scale: Scale, strength: int) -> tuple[str, list[int]]:
    """Return the category and the ranks (2..14, low aces 1) of a strength."""
    packed = CEILING - strength if scale.lowest_wins else strength
    ranks = [packed >> shift & 15 for shift in (16, 12, 8, 4, 0)]
    category = usual_name(scale.order[packed >> 20])
    if category in LONG_FLUSHES:
        return category, ranks_of_bits(packed & 0xFFFFF)
    if scale.wheel and category in STRAIGHT_KINDS and ranks[1]:
        # the first rank gives the straight's order, the second its top card
        return category, ranks[1:2]
    return category, [rank for rank in ranks if rank]


@lru_cache(maxsize=8192)  # cached, because the same strengths often recur in a game
def describe(scale: Scale, strength: int) -> str:
    """Return the usual name of a hand: `three queens`, `6-5-4-3-A`, `flush, king high`."""
    category, ranks = read_strength(scale, strength)
    if scale.lowest_wins:
        if category == "high-card":
            return "-".join(_letter(rank) for rank in ranks)
        kind = category.replace("-", " ")
        if category in {"straight", "straight-flush"}:
            return f"{kind}, {rank_name(ranks[0])} high"
        return f"{kind}, {'-'.join(_letter(rank) for rank in ranks)}"
    if category == "straight-flush" and ranks[0] == 14:
        return "royal flush"
    # a format string may use ranks that only its category has; every category has at least one rank
    top, second, last = ranks[0], ranks[min(1, len(ranks) - 1)], ranks[-1]
    return NAMES[category].format(
        one=rank_name(top), many=_many(top), second=_many(second), last=_many(last)
    )


NAMES = {
    "high-card": "{one} high",
    "pair": "pair of {many}",
    "two-pair": "two pair, {many} and {second}",
    "trips": "three {many}",
    FOUR_STRAIGHT: "four-card straight, {one} high",
    FOUR_FLUSH: "four-card flush, {one} high",
    "straight": "straight, {one} high",
    "flush": "flush, {one} high",
    "full-house": "full house, {many} over {last}",
    "quads": "four {many}",
    "straight-flush": "straight flush, {one} high",
    "five-of-a-kind": "five {many}",
    **{
        kind: house.name + (", {one} high" if house.tops else "")
        for kind, house in HOUSE_KINDS.items()
    },
    **{
        name: kind.name + ("" if kind.groups else ", {one} high")
        for name, kind in LONG_KINDS.items()
    },
}


def _letter(rank: int) -> str:
    return RANKS[(rank - 2) % 13] if rank != 10 else "10"


def rank_name(rank: int) -> str:
    """Return the name of a rank: 2 to 14, with aces as 1 or 14."""
    return RANK_NAMES[(rank - 2) % 13]


def _many(rank: int) -> str:
    return RANK_PLURALS[(rank - 2) % 13]


# --- strengths without wild cards ---------------------------------------------------------------

Kinds = dict[str, NDArray[np.bool_]]  # which hands belong to each kind
HIGH_ACE = 14


def natural_strengths(
    scale: Scale, counts: NDArray[np.int8], suited: str | None
) -> NDArray[np.int32]:
    """Return the strengths of hands without wild cards according to the scale."""
    values = np.array([*range(2, 14), scale.ace])
    weights = np.where(counts > 0, counts.astype(np.int64) * 16 + values, 0)
    ordered = -np.sort(-weights, axis=1)[:, :5]
    digits = np.where(ordered > 0, ordered % 16, 0)
    hands_by_kind = _kinds(scale, ordered // 16, counts, suited)
    # a hand counts as its strongest kind; some kinds may rank below high card
    category = np.full(len(counts), scale.order.index("high-card"), dtype=np.int64)
    for place, kind in enumerate(scale.order):
        if kind in hands_by_kind:
            category[hands_by_kind[kind]] = place
    # only the top rank of a straight counts; a wheel is five high, even if it ranks elsewhere
    straights = np.isin(category, places(scale, *STRAIGHT_KINDS))
    digits[straights] = 0
    digits[straights, 0] = _straight_tops(scale, counts)[straights]
    bits = bits_of(counts)
    if scale.wheel:
        runs_with_ace = [run for run in scale.straights if run[-1] == HIGH_ACE]
        wheel_bits = [sum(1 << rank - 2 for rank in run) for run in runs_with_ace]
        wheels = straights & np.isin(bits, wheel_bits)
        digits[wheels, 1] = digits[wheels, 0]
        digits[wheels, 0] = scale.wheel
    for kind in HOUSE_KINDS.keys() & {*scale.order}:
        for run_bits, top in HOUSE_KINDS[kind].tops.items():
            rows = (category == scale.order.index(kind)) & (bits == run_bits)
            digits[rows] = 0
            digits[rows, 0] = top
    if scale.quick_quads:  # both other cards complete the quads, so there is no kicker
        rows = _quick_quads(counts) & (category == scale.order.index("quads"))
        digits[rows, 1:] = 0
    strength = category.astype(np.int64)
    for column in range(5):
        strength = strength * 16 + (digits[:, column] if column < digits.shape[1] else 0)
    return (CEILING - strength if scale.lowest_wins else strength).astype(np.int32)


def _kinds(
    scale: Scale, groups: NDArray[np.int64], counts: NDArray[np.int8], suited: str | None
) -> Kinds:
    """Return the hands of each kind.

    Two pair never counts as a pair, and a full house never counts as trips. If a straight or a
    flush also matches a different kind, the strongest kind counts.
    """
    most, next_most = groups[:, 0], groups[:, 1]
    size = int(counts[0].sum())
    straight = _straight_tops(scale, counts) > 0
    flush = np.full(
        len(counts), suited == "flush" and scale.flushes and size in scale.sizes, dtype=bool
    )
    quick = _quick_quads(counts) if scale.quick_quads else np.zeros(len(counts), dtype=bool)
    hands_by_kind = {
        "pair": (most == 2) & (next_most < 2),
        "two-pair": (most == 2) & (next_most == 2),
        "trips": (most == 3) & (next_most < 2) & ~quick,
        "straight": straight & ~flush,
        "flush": flush & ~straight,
        "full-house": (most == 3) & (next_most == 2) & ~quick,
        "quads": (most == 4) | quick,
        "straight-flush": straight & flush,
        "five-of-a-kind": most == 5,
    }
    if size == FULL_HAND:
        held = counts > 0
        # the ranks from the ace to the king, and the ace again if it can be at either end
        ladder = held[:, [12, *range(12 if scale.ace == 1 else 13)]]
        fours = [ladder[:, low : low + 4].all(axis=1) for low in range(ladder.shape[1] - 3)]
        four_straight = np.logical_or.reduce(fours)
        hands_by_kind[FOUR_STRAIGHT] = four_straight & ~(straight & flush)
        hands_by_kind[FOUR_FLUSH] = np.full(len(counts), suited == FOUR_FLUSH)
    for kind in scale.order:
        if size == FULL_HAND and kind in HOUSE_KINDS:
            hands_by_kind[kind] = HOUSE_KINDS[kind].fits(counts)
        elif one := of_one_rank(kind):
            hands_by_kind[kind] = hands_by_kind[one[0]] & (counts[:, one[1]] > 1)
    return hands_by_kind


def _quick_quads(counts: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Find trips with two cards that add up to their rank: 9-9-9-6-3. Aces count 1, faces 0."""
    pips = np.array([*range(2, 11), 0, 0, 0, 1])
    with_pips = np.where(pips > 0, counts, 0)
    mask = np.zeros(len(counts), dtype=bool)
    for rank, pip in enumerate(pips.tolist()):
        rest = with_pips.sum(axis=1) - with_pips[:, rank]
        adds_up = with_pips @ pips - with_pips[:, rank] * pip == pip
        mask |= (counts[:, rank] == 3) & (rest == 2) & adds_up & (pip > 0)
    return mask


def places(scale: Scale, *categories: str) -> list[int]:
    """Return the positions of these categories in the order. Some may not count and are omitted."""
    return [scale.order.index(name) for name in categories if name in scale.order]


def _straight_tops(scale: Scale, counts: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the top rank of each hand's straight, or 0 without a straight."""
    values = np.array([*range(2, 14), scale.ace])
    held = ((counts > 0) << values).sum(axis=1)
    size = int(counts[0].sum())
    tops = np.zeros(len(counts), dtype=np.int64)
    # reversed, so that a straight listed earlier takes precedence
    for run in reversed(scale.straights):
        if len(run) == size:
            tops[held == sum(1 << rank for rank in run)] = run[0]
    return tops
