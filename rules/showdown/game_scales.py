"""The scales of a game: evaluate selections of cards in arrays, and apply qualifiers."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, CARD_KINDS, NATURAL_CARDS
from rules.game.category_order import QUICK_QUADS, SIZES, WHEELS
from rules.game.game import Alternative, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.ranking import (
    CATEGORIES,
    FOUR_FLUSH,
    FULL_HAND,
    IMPOSSIBLE,
    LONG_KINDS,
    LONG_SIZES,
    REVERSED,
    SCALES,
    Scale,
    bar_strength,
    long_strengths,
    runs,
)
from rules.showdown.measures import (
    POINTS_ZERO,
    Measured,
    badugi_threshold,
    by_badugi,
    by_holding,
    by_points,
    by_singles,
)
from rules.showdown.rows import Cards
from rules.showdown.selections import Selection, Shape, count_choices, sizes
from rules.showdown.tables import table

LOWEST = 2  # the lowest rank of a full deck
POINT_SCALES = ("most points", "least points", "closest", "nearest")


@lru_cache(maxsize=4096)
def scale_of(game: Game, name: str) -> Scale:
    """Return the scale of this name with the game's order of categories and its deck."""
    ranks = frozenset(card // 4 + 2 for card in game.deck if card < NATURAL_CARDS)
    return _scale(name, game.order, ranks, game.ways)


@lru_cache(maxsize=256)
def _scale(
    name: str, order: tuple[str, ...], ranks: frozenset[int], rules: frozenset[str]
) -> Scale:
    """Return a scale with the order of a game's categories and the straights of its deck.

    Categories that only this game uses count on the high scale only.
    """
    scale = SCALES[name]
    if name != "high":
        order = tuple(kind for kind in order if kind in CATEGORIES)
        order = order[::-1] if name == REVERSED else order
    sizes = frozenset({FULL_HAND, *(size for word, size in SIZES.items() if word in rules)})
    long = LONG_SIZES if LONG_KINDS.keys() & {*order} else frozenset[int]()
    straights = tuple(
        run for size in sorted(sizes | long) for run in _straights(scale, ranks, rules, size)
    )
    return replace(
        scale,
        order=order,
        straights=straights if "straight" in order else (),
        flushes=scale.flushes and "flush" in order,
        sizes=sizes,
        wheel=next((place for word, place in WHEELS.items() if word in rules), 0),
        quick_quads=QUICK_QUADS in rules and name == "high",
    )


def _straights(
    scale: Scale, ranks: frozenset[int], rules: frozenset[str], size: int
) -> tuple[tuple[int, ...], ...]:
    """Return the straights of a deck.

    In a stripped deck the ace is also low, below the lowest rank (short deck: 9-8-7-6-A is a
    straight). If gaps are skipped, neighbouring ranks of the deck are consecutive.
    """
    straights = runs(scale, size)
    if not straights:
        return ()
    there = sorted({scale.ace if rank == ACE + 2 else rank for rank in ranks})
    low_end = (*there[size - 2 :: -1], ACE + 2)
    if "skip gaps" in rules:
        windows = [there[at : at + size] for at in range(len(there) - size + 1)]
        straights = tuple(tuple(reversed(window)) for window in windows)
        if scale.name == "high" and len(there) > size:
            straights = (*straights, low_end)
    elif scale.name == "high" and min(ranks) > LOWEST:
        lowest = min(ranks)
        straights = (*straights[:-1], (*range(lowest + size - 2, lowest - 1, -1), ACE + 2))
    if "no wheel" in rules:
        ace_below = [run for run in straights if run[-1] in {1, ACE + 2}]
        straights = tuple(run for run in straights if run not in ace_below)
    return straights


def _by_table(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    scale = scale_of(cards.game, alternative.scale)
    if selection.size > FULL_HAND:
        # the best five cards of each choice, or more cards if those form their own kind
        five = shorter(selection, FULL_HAND)
        measured = [_by_table(alternative, five, cards).strengths.astype(np.int64)]
        chosen: list[list[int]] = five.explicit.tolist()
        for size in range(FULL_HAND + 1, selection.size + 1):
            explicit = shorter(selection, size).explicit
            measured.append(long_strengths(scale.order, _tops(scale, size), cards.codes[explicit]))
            chosen += explicit.tolist()
        return Measured(np.concatenate(measured), chosen.__getitem__)
    strength_table = table(scale, selection.size)
    numbers = cards.numbers(selection)
    if not strength_table.sees_suits:
        return Measured(np.take(strength_table.strengths, numbers), selection.pick)
    half = len(strength_table.sets.sums)
    suited = cards.flushes(selection) * np.int16(half)
    strengths = np.take(strength_table.strengths, numbers + suited)
    if FOUR_FLUSH in scale.order and selection.size == FULL_HAND:
        suits = cards.picked(np.arange(CARD_KINDS, dtype=np.int64) % 4, selection)
        most = np.max([(suits == suit).sum(axis=1) for suit in range(4)], axis=0)
        four_flushes = table(scale, selection.size, four_flush=True).strengths[half:]
        fours = np.where(most == 4, np.take(four_flushes, numbers), IMPOSSIBLE)
        strengths = np.maximum(strengths, fours.astype(np.int32))
    return Measured(strengths, selection.pick)


@lru_cache(maxsize=256)
def shorter(selection: Selection, size: int) -> Selection:
    """Return every smaller hand that is part of a choice of a selection."""
    picks = [combinations(choice, size) for choice in selection.explicit.tolist()]
    picked = [pick for group in picks for pick in group]
    return Selection(size, (np.array(picked, dtype=np.intp),), selection.tests)


@lru_cache(maxsize=256)
def _tops(scale: Scale, size: int) -> NDArray[np.int64]:
    """Return the rank of each straight of this size, indexed by the bits of its ranks."""
    tops = np.zeros(1 << ACE + 1, dtype=np.int64)
    for run in scale.straights:
        if len(run) == size:
            below = scale.wheel if run[-1] == ACE + 2 else 0
            top = below << 16 | run[0] << 12 if below else run[0] << 16
            tops[sum(1 << rank - 2 for rank in run)] = top
    return tops


MEASURES: dict[str, Callable[[Alternative, Selection, Cards], Measured]] = {
    **dict.fromkeys(TABLE_SCALES, _by_table),
    **dict.fromkeys(POINT_SCALES, by_points),
    **dict.fromkeys(("highest", "lowest"), by_singles),
    "holds": by_holding,
    **dict.fromkeys(BADUGI_SCALES, by_badugi),
}


# --- qualifiers ---------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def threshold(game: Game, alternative: Alternative) -> int:
    """Return the weakest strength that qualifies."""
    bar = alternative.bar
    if bar is None:
        return 0
    if alternative.scale in TABLE_SCALES:
        return bar_strength(scale_of(game, alternative.scale), bar.category, bar.rank)
    if alternative.scale in BADUGI_SCALES:
        return badugi_threshold(alternative.scale, bar)
    if alternative.scale == "least points":
        return POINTS_ZERO - bar.number * game.per_point
    return POINTS_ZERO + bar.number * game.per_point


def breadth(game: Game, alternative: Alternative, size: int) -> int:
    """Return how many values one choice has, such as totals of points or subsets for badugi."""
    if alternative.scale in BADUGI_SCALES:
        return 1 << size
    if alternative.scale in {"highest", "lowest"}:
        return size
    if alternative.scale in TABLE_SCALES and size > FULL_HAND:
        return sum(comb(size, cards) for cards in range(FULL_HAND, size + 1))
    if alternative.scale in POINT_SCALES:
        return int(max(len(values) for values in game.values.values()) ** size)
    return 1


def count_values(game: Game, alternative: Alternative, shape: Shape) -> int:
    """Return how many card combinations at most are compared for a hand of this shape.

    This is for one value of each wild card. `rules/game/workload.py` limits the work with it.
    """
    patterns = alternative.patterns or game.hand
    widest = max(sizes(game, patterns, alternative.line, shape), default=0)
    choices = count_choices(game, patterns, alternative.line, shape)
    # the measure is evaluated for each choice of unused cards
    if (before := alternative.after) is not None:
        earlier = count_choices(game, before.patterns or game.hand, before.line, shape)
        choices = earlier + choices * min(earlier, 1 << shape.own)
    return choices * breadth(game, alternative, widest)
