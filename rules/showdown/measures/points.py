"""Cards that count: the most points, the fewest, the closest to a number."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARD_KINDS, NATURAL_CARDS
from rules.game.game import Alternative, Game
from rules.showdown.measures.measured import Measured, Strengths, wild_in
from rules.showdown.rows import Cards
from rules.showdown.selections import Selection

POINTS_ZERO = 1 << 20


def by_points(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """The best total of each choice; a card may count in more than one way, a wild one as any card
    that is not there (docs/rulings.md 1)."""
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
        _add_wild(game, alternative, totals, wild, cards.codes[explicit])
    return Measured(_best_total(game, alternative, totals), selection.pick)


# --- wild cards ---------------------------------------------------------------------------------

Left = tuple[int, ...]  # how many cards of each kind a wild card may still stand for


@lru_cache(maxsize=256)
def _kinds(game: Game) -> dict[tuple[int, ...], list[int]]:
    """The cards that a wild one may stand for, by what they count: any card, in a stripped deck
    too, and the jokers of the deck."""
    found: dict[tuple[int, ...], list[int]] = {}
    jokers = sorted(card for card in game.deck if card >= NATURAL_CARDS)
    for card in (*range(NATURAL_CARDS), *jokers):
        found.setdefault(tuple(sorted(set(game.values[card]))), []).append(card)
    return found


@lru_cache(maxsize=256)
def _kind_table(game: Game) -> NDArray[np.int64]:
    """The kind of each card by its place; cards of none, such as unseen ones, come last."""
    kinds = _kinds(game)
    table = np.full(CARD_KINDS, len(kinds), dtype=np.int64)
    for at, cards in enumerate(kinds.values()):
        table[cards] = at
    return table


def _add_wild(
    game: Game,
    alternative: Alternative,
    totals: NDArray[np.int64],
    wild: NDArray[np.bool_],
    codes: NDArray[np.int16],
) -> None:
    """Add to the totals (ways, choices, rows) what their wild cards count at best."""
    sizes = np.array([*map(len, _kinds(game).values())])
    taken = np.zeros((*totals.shape[1:], len(sizes) + 1), dtype=np.int64)
    choice, row = np.ogrid[: taken.shape[0], : taken.shape[1]]
    for at in range(codes.shape[1]):
        taken[choice, row, _kind_table(game)[codes[:, at]]] += ~wild[:, at]
    number = wild.sum(axis=1)
    some = np.nonzero(number)
    count = number[some][:, None]
    left = np.minimum(sizes - taken[some][:, :-1], count)
    alike, of_which = np.unique(np.concatenate([count, left], axis=1), axis=0, return_inverse=True)
    for index, (wilds, *kinds) in enumerate(alike.tolist()):
        where = np.flatnonzero(of_which.ravel() == index)
        these = slice(None), some[0][where], some[1][where]
        sums = _sums(game, wilds, tuple(kinds))
        totals[these] = _reached(game, alternative, totals[these], sums)


def _reached(
    game: Game, alternative: Alternative, totals: NDArray[np.int64], sums: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Totals with that sum of the wild cards on top that suits the scale best."""
    if alternative.scale == "least points":
        return np.asarray(totals + sums[0])
    if alternative.scale == "closest":
        room = number_of(game, alternative) - totals
        at = np.searchsorted(sums, room, side="right") - 1
        return np.asarray(totals + sums[np.maximum(at, 0)])
    if alternative.scale == "nearest":
        return _nearest(game, alternative, totals, sums)
    return np.asarray(totals + sums[-1])


@lru_cache(maxsize=4096)
def _sums(game: Game, count: int, left: Left) -> NDArray[np.int64]:
    """What so many wild cards can count together, the least first, if each stands for another card
    of those that are left."""
    found: list[set[int]] = [{0}, *(set() for _ in range(count))]
    for values, free in zip(_kinds(game), left, strict=True):
        before = [frozenset(sums) for sums in found]
        several = {0}
        for cards in range(1, min(free, count) + 1):
            several = {total + value for total in several for value in values}
            for others in range(count - cards + 1):
                found[others + cards] |= {
                    one + other for one in before[others] for other in several
                }
    return np.array(sorted(found[count]), dtype=np.int64)


def stand_ins_of_points(
    game: Game, alternative: Alternative, natural: Sequence[int], wild: Sequence[int]
) -> dict[int, int]:
    """The card that each wild card stands for in the best total, none of them twice; itself where
    it may. Jokers come first, so that no other card stands for one that is there."""
    totals = sorted({sum(counts) for counts in product(*(game.values[card] for card in natural))})
    taken = {*natural}
    wanted = _best_sum(game, alternative, totals, _sums(game, len(wild), _left(game, taken)))
    found: dict[int, int] = {}
    for at, card in enumerate(sorted(wild, key=lambda card: card < NATURAL_CARDS), start=1):
        others = len(wild) - at
        found[card], counts = next(
            (stands, value)
            for value, stands in _choices(game, taken, card)
            if wanted - value in _sums(game, others, _left(game, {*taken, stands}))
        )
        taken.add(found[card])
        wanted -= counts
    return {card: found[card] for card in wild}


def _left(game: Game, taken: set[int]) -> Left:
    return tuple(len({*cards} - taken) for cards in _kinds(game).values())


def _choices(game: Game, taken: set[int], card: int) -> list[tuple[int, int]]:
    """What a wild card may count, and as which card: the least first, itself before all others,
    then the highest."""
    free = [
        (value, other)
        for values, cards in _kinds(game).items()
        for value in values
        for other in cards
        if other not in taken
    ]
    return sorted(
        free, key=lambda each: (each[0], each[1] != card, each[1] >= NATURAL_CARDS, -each[1])
    )


def _best_sum(
    game: Game, alternative: Alternative, totals: Sequence[int], sums: NDArray[np.int64]
) -> int:
    """What the wild cards count in the best total, beside one of these of the others."""
    plain = np.array(totals, dtype=np.int64)
    reached = _reached(game, alternative, plain, sums)
    best = int(_best_total(game, alternative, reached[:, None])[0])
    strengths = [int(_best_total(game, alternative, one.reshape(1, 1))[0]) for one in reached]
    at = strengths.index(best)
    return int(reached[at]) - totals[at]


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
