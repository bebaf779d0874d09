"""Cards that count: the most points, the fewest, the closest to a number."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARD_KINDS
from rules.game.game import Alternative, Game
from rules.showdown.measures.measured import Measured, Strengths, wild_in
from rules.showdown.rows import Cards
from rules.showdown.selections import Selection

POINTS_ZERO = 1 << 20


def by_points(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """The best total of each choice; a card may count in more than one way, a wild one in any."""
    game, explicit = cards.game, selection.explicit
    wild = wild_in(cards, explicit)
    most_counts = max(len(values) for values in game.values.values())
    totals = np.zeros((1, selection.count, cards.rows), dtype=np.int64)
    tables = [_value_table(game, way) for way in range(most_counts)]
    for at, column in enumerate(explicit.T):
        counts = [np.where(wild[:, at], 0, values[cards.codes[column]]) for values in tables]
        both = counts if any((counts[0] != other).any() for other in counts[1:]) else counts[:1]
        totals = np.concatenate([totals + count for count in both])
    if wild.any():
        totals = _with_wild(game, alternative, totals, wild.sum(axis=1))
    return Measured(_best_total(game, alternative, totals), selection.pick)


def _with_wild(
    game: Game, alternative: Alternative, totals: NDArray[np.int64], wild: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Totals with so many wild cards, each counting as much as any card does that suits best."""
    found = totals.copy()
    for count in range(1, int(wild.max()) + 1):
        sums = _sums(game, count)
        if alternative.scale == "least points":
            added = totals + sums[0]
        elif alternative.scale == "closest":
            room = number_of(game, alternative) - totals
            at = np.searchsorted(sums, room, side="right") - 1
            added = totals + sums[np.maximum(at, 0)]
        elif alternative.scale == "nearest":
            added = _nearest(game, alternative, totals, sums)
        else:
            added = totals + sums[-1]
        found = np.where(wild == count, added, found)
    return found


@lru_cache(maxsize=1024)
def _sums(game: Game, count: int) -> NDArray[np.int64]:
    """What so many wild cards can count together, the least first."""
    each = np.array(
        sorted({value for card in game.deck for value in game.values.get(card, ())}), dtype=np.int64
    )
    if count == 1:
        return each
    return np.unique(_sums(game, count - 1)[:, None] + each[None, :])


def counts_of_wild(game: Game, alternative: Alternative, totals: list[int], wild: int) -> list[int]:
    """What each of so many wild cards counts in the best total, beside these of the others."""
    least, most = int(_sums(game, 1)[0]), int(_sums(game, 1)[-1])
    if alternative.scale not in {"closest", "nearest"}:
        return [least if alternative.scale == "least points" else most] * wild
    sums = _sums(game, wild).tolist()
    within = [(total + some, some) for total in totals for some in sums]
    number = number_of(game, alternative)
    if alternative.scale == "nearest":
        left = min(within, key=lambda pair: (abs(pair[0] - number), pair[0]))[1]
    else:
        reached = [pair for pair in within if pair[0] <= number]
        left = max(reached)[1] if reached else least * wild
    counts = []
    for others in range(wild - 1, -1, -1):
        rest = set(_sums(game, others).tolist()) if others else {0}
        counts.append(next(int(each) for each in _sums(game, 1) if left - each in rest))
        left -= counts[-1]
    return counts


def number_of(game: Game, alternative: Alternative) -> int:
    """The number to be reached, in the units of the game's values."""
    return alternative.number * game.per_point


def _nearest(
    game: Game, alternative: Alternative, totals: NDArray[np.int64], sums: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Totals with that sum on top that brings them nearest to the number."""
    number = number_of(game, alternative)
    at = np.searchsorted(sums, number - totals, side="right")
    below = totals + sums[np.maximum(at - 1, 0)]
    above = totals + sums[np.minimum(at, len(sums) - 1)]
    return np.where(abs(below - number) <= abs(above - number), below, above)


def _best_total(game: Game, alternative: Alternative, totals: NDArray[np.int64]) -> Strengths:
    number = number_of(game, alternative)
    if alternative.scale == "least points":
        return np.asarray((POINTS_ZERO - totals).max(axis=0))
    if alternative.scale == "nearest":  # of two as near the one below
        away = 2 * abs(totals - number) + (totals > number)
        return np.asarray((POINTS_ZERO - away).max(axis=0))
    if alternative.scale == "closest":
        totals = np.where(totals <= number, totals, -POINTS_ZERO - 1)
    return np.asarray((POINTS_ZERO + totals).max(axis=0))


def points_of(game: Game, alternative: Alternative, strength: int) -> float:
    """The points that a strength stands for: a whole number wherever it is one."""
    if alternative.scale == "nearest":
        away, over = divmod(POINTS_ZERO - strength, 2)
        total = number_of(game, alternative) + (away if over else -away)
    elif alternative.scale == "least points":
        total = POINTS_ZERO - strength
    else:
        total = strength - POINTS_ZERO
    return total // game.per_point if not total % game.per_point else total / game.per_point


@lru_cache(maxsize=256)
def _value_table(game: Game, way: int) -> NDArray[np.int64]:
    values = [game.values.get(card, (0,)) for card in range(CARD_KINDS)]
    return np.array([counts[min(way, len(counts) - 1)] for counts in values], dtype=np.int64)
