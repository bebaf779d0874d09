"""What a selection of cards is worth on each scale, in arrays; and what it takes to qualify."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, CARD_KINDS, NATURAL_CARDS
from rules.game.game import Alternative, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.ranking import FOUR_FLUSH, IMPOSSIBLE, SCALES, Scale, bar_strength
from rules.showdown.rows import Cards
from rules.showdown.selections import Selection
from rules.showdown.strength_tables import WILD, table

Strengths = NDArray[np.int64]
POINT_SCALES = ("most points", "least points", "closest")
POINTS_ZERO = 1 << 20
SINGLE_BITS = 6
MOST_SINGLES = 10  # single cards of a hand that are compared


@dataclass(frozen=True)
class Measured:
    """The strengths of every choice of a selection and the positions that a choice plays."""

    strengths: NDArray[np.int64] | NDArray[np.int32]
    positions: Callable[[int], list[int]]


@lru_cache(maxsize=2048)
def scale_of(game: Game, name: str) -> Scale:
    return _scale(name, game.order, min(card // 4 for card in game.deck))


@lru_cache(maxsize=256)
def _scale(name: str, order: tuple[str, ...], lowest: int) -> Scale:
    """A scale in the order of a game's categories; in a stripped deck the ace also stands below
    the lowest rank there is (short deck: 9-8-7-6-A is a straight)."""
    scale = SCALES[name]
    straights = scale.straights
    if name == "high" and lowest:
        straights = (*straights[:-1], (*range(lowest + 5, lowest + 1, -1), 14))
    return replace(scale, order=order, straights=straights)


def _by_table(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    scale = scale_of(cards.game, alternative.scale)
    found = table(scale, selection.size)
    numbers = cards.numbers(selection)
    if not found.sees_suits:
        return Measured(np.take(found.strengths, numbers), selection.pick)
    half = len(found.sets.sums)
    suited = cards.flushes(selection) * np.int16(half)
    strengths = np.take(found.strengths, numbers + suited)
    if FOUR_FLUSH in scale.order:
        strengths = np.maximum(strengths, _four_flushes(scale, selection, cards, numbers))
    return Measured(strengths, selection.pick)


def _four_flushes(
    scale: Scale, selection: Selection, cards: Cards, numbers: NDArray[np.int16]
) -> NDArray[np.int32]:
    found = table(scale, selection.size, four_flush=True)
    suits = cards.picked(np.arange(CARD_KINDS, dtype=np.int64) % 4, selection)
    most = np.max([(suits == suit).sum(axis=1) for suit in range(4)], axis=0)
    strengths = np.take(found.strengths, numbers + np.int16(len(found.sets.sums)))
    return np.where(most == 4, strengths, IMPOSSIBLE).astype(np.int32)


def _by_points(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """The best total of each choice; a card may count in more than one way."""
    most_counts = max(len(values) for values in cards.game.values.values())
    totals = np.zeros((1, selection.count, cards.rows), dtype=np.int64)
    tables = [_value_table(cards.game, way) for way in range(most_counts)]
    for column in selection.explicit.T:
        counts = [values[cards.codes[column]] for values in tables]
        both = counts if any((counts[0] != other).any() for other in counts[1:]) else counts[:1]
        totals = np.concatenate([totals + count for count in both])
    return Measured(_best_total(alternative, totals), selection.pick)


def _best_total(alternative: Alternative, totals: NDArray[np.int64]) -> Strengths:
    if alternative.scale == "least points":
        return np.asarray((POINTS_ZERO - totals).max(axis=0))
    if alternative.scale == "closest":
        totals = np.where(totals <= alternative.number, totals, -POINTS_ZERO - 1)
    return np.asarray((POINTS_ZERO + totals).max(axis=0))


@lru_cache(maxsize=256)
def _value_table(game: Game, way: int) -> NDArray[np.int64]:
    values = [game.values.get(card, (0,)) for card in range(CARD_KINDS)]
    return np.array([counts[min(way, len(counts) - 1)] for counts in values], dtype=np.int64)


def _by_singles(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Cards compared one by one, from the best down; only those of the set count."""
    singles = cards.picked(_single_table(cards.game, alternative.scale), selection)
    counted = _counted(alternative, selection, cards)
    singles = np.where(counted, singles, 0)
    wild = (cards.symbols[selection.explicit] == WILD) & counted
    if wild.any():
        singles = _stand_in(singles, wild, cards.game, alternative.scale)
    ordered = -np.sort(-singles, axis=1)
    strengths = np.zeros((ordered.shape[0], ordered.shape[2]), dtype=np.int64)
    for place in range(MOST_SINGLES):  # hands of fewer cards compare with those of more
        card = ordered[:, place] if place < ordered.shape[1] else 0
        strengths = strengths << SINGLE_BITS | card
    return Measured(np.where(ordered[:, 0] > 0, strengths, IMPOSSIBLE), selection.pick)


@lru_cache(maxsize=256)
def _single_table(game: Game, scale: str) -> NDArray[np.int64]:
    best = max(game.singles.values()) + 1
    values = [game.singles.get(card, 0) for card in range(CARD_KINDS)]
    if scale == "lowest":
        values = [best - value if value else 0 for value in values]
    return np.array(values, dtype=np.int64)


def _counted(alternative: Alternative, selection: Selection, cards: Cards) -> NDArray[np.bool_]:
    """Which cards of each choice belong to the set that the scale names, in its zone."""
    explicit = selection.explicit
    if alternative.cards is None:
        return np.ones((*explicit.shape, cards.rows), dtype=bool)
    member = np.zeros(CARD_KINDS, dtype=bool)
    member[list(alternative.cards.cards)] = True
    down = explicit < cards.shape.down
    up = (explicit >= cards.shape.down) & (explicit < cards.shape.down + cards.shape.up)
    in_zone = {"": np.ones_like(down), "down": down, "up": up}[alternative.cards.zone]
    found: NDArray[np.bool_] = member[cards.codes[explicit]] & in_zone[:, :, None]
    return found


def _stand_in(
    singles: NDArray[np.int64], wild: NDArray[np.bool_], game: Game, scale: str
) -> NDArray[np.int64]:
    """Each wild card becomes the best natural card that is not there yet (docs/rulings.md 1,
    10)."""
    best_first = np.sort(_single_table(game, scale)[:NATURAL_CARDS])[::-1]
    natural = np.where(wild, 0, singles)
    found = natural.copy()
    waiting = wild.copy()
    for value in best_first:
        if not waiting.any():
            break
        first = waiting & (waiting.cumsum(axis=1) == 1)
        first &= ~(natural == value).any(axis=1)[:, None, :]
        found[first] = value
        waiting &= ~first
    return found


def _by_holding(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    wanted = alternative.cards.cards if alternative.cards else ()
    codes = cards.codes[selection.explicit]
    held = np.ones((codes.shape[0], codes.shape[2]), dtype=bool)
    for card in wanted:
        held &= (codes == card).any(axis=1)
    return Measured(np.where(held, 1, IMPOSSIBLE), selection.pick)


def _by_badugi(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Up to four cards, no rank and no suit twice; more cards beat fewer."""
    explicit = selection.explicit
    chosen: list[list[int]] = []
    strengths = []
    for size in range(min(4, selection.size), 0, -1):
        for places in combinations(range(selection.size), size):
            subset = explicit[:, places]
            strengths.append(_badugi_strength(alternative.scale, cards.codes[subset], size))
            chosen += subset.tolist()
    return Measured(np.concatenate(strengths), lambda choice: chosen[choice])


def _badugi_strength(scale: str, codes: NDArray[np.int16], size: int) -> Strengths:
    ranks, suits = codes // 4 + 2, codes % 4
    if scale == "badugi":
        ranks = np.where(ranks == ACE + 2, 1, ranks)
    ordered = -np.sort(-ranks.astype(np.int64), axis=1)
    packed = np.zeros((codes.shape[0], codes.shape[2]), dtype=np.int64)
    for place in range(4):
        packed = packed << 4 | (ordered[:, place] if place < size else 0)
    apart = np.ones(packed.shape, dtype=bool)
    for one, other in combinations(range(size), 2):
        apart &= (ranks[:, one] != ranks[:, other]) & (suits[:, one] != suits[:, other])
    value = packed if scale == "hidugi" else 0xFFFF - packed
    return np.where(apart, size << 20 | value, IMPOSSIBLE)


MEASURES: dict[str, Callable[[Alternative, Selection, Cards], Measured]] = {
    **dict.fromkeys(TABLE_SCALES, _by_table),
    **dict.fromkeys(POINT_SCALES, _by_points),
    **dict.fromkeys(("highest", "lowest"), _by_singles),
    "holds": _by_holding,
    **dict.fromkeys(BADUGI_SCALES, _by_badugi),
}


# --- bars ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def threshold(game: Game, alternative: Alternative) -> int:
    """The weakest strength that qualifies."""
    bar = alternative.bar
    if bar is None:
        return 0
    if alternative.scale in TABLE_SCALES:
        return bar_strength(scale_of(game, alternative.scale), bar.category, bar.rank)
    if alternative.scale in BADUGI_SCALES:
        return bar.number << 20
    if alternative.scale == "least points":
        return POINTS_ZERO - bar.number
    return POINTS_ZERO + bar.number


def breadth(game: Game, alternative: Alternative, size: int) -> int:
    """How many values one choice of cards is measured by: totals of points, cards of a badugi."""
    if alternative.scale in BADUGI_SCALES:
        return 1 << size
    if alternative.scale in {"highest", "lowest"}:
        return size
    if alternative.scale in POINT_SCALES:
        return int(max(len(values) for values in game.values.values()) ** size)
    return 1
