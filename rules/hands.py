"""The best hand of every row of cards, on every scale, in arrays.

`Cards` holds many rows side by side, one position a line, so that a selection gathers whole
lines: gather, add, look up, take the highest. One hand and a million take the same path.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, CARD_KINDS, NATURAL_CARDS
from rules.game import Alternative, CardsAre, Game
from rules.grammar import BADUGI_SCALES, COLOURS, TABLE_SCALES
from rules.ranking import (
    FOUR_FLUSH,
    IMPOSSIBLE,
    KEYS,
    SCALES,
    WILD,
    Scale,
    bar_strength,
    multisets,
    table,
)
from rules.selections import Block, Layout, Selection, Shape, selections

Strengths = NDArray[np.int64]
POINT_SCALES = ("most points", "least points", "closest")
Lines = NDArray[Any]
WORKING_SET = 1 << 17  # combinations times rows that are looked at together; fits the cache
POINTS_ZERO = 1 << 20
SINGLE_BITS = 6
MOST_SINGLES = 10  # single cards of a hand that are compared

_ON_SUIT = np.array([1 << card % 4 for card in range(NATURAL_CARDS)] + [15] * 5, dtype=np.uint8)
_KEYS = KEYS.astype(np.int64)


@dataclass
class Cards:
    """Rows of cards, one column a row: `codes[position, row]`.

    `symbols` has ranks with wild cards and bugs as symbols of their own, `suits` a bit a suit and
    all four for a wild card.
    """

    game: Game
    shape: Shape
    codes: NDArray[np.int16]
    symbols: NDArray[np.int8]
    suits: NDArray[np.uint8]
    _sums: dict[Selection, NDArray[np.int16]] = field(default_factory=dict)
    _flushes: dict[Selection, NDArray[np.bool_]] = field(default_factory=dict)
    _keys: NDArray[np.int64] | None = None

    @property
    def rows(self) -> int:
        return int(self.codes.shape[1])

    @property
    def keys(self) -> NDArray[np.int64]:
        if self._keys is None:
            self._keys = _KEYS[self.symbols]
        return self._keys

    def part(self, start: int, stop: int) -> "Cards":
        cut = slice(start, stop)
        return Cards(
            self.game, self.shape, self.codes[:, cut], self.symbols[:, cut], self.suits[:, cut]
        )

    def numbers(self, selection: Selection) -> NDArray[np.int16]:
        """The number of the multiset that every choice of a selection makes: (choices, rows)."""
        if selection not in self._sums:
            sums = _outer(self.keys, selection.blocks, np.add)
            self._sums[selection] = np.take(multisets(selection.size).number_of, sums)
        return self._sums[selection]

    def flushes(self, selection: Selection) -> NDArray[np.bool_]:
        """Whether the cards of every choice share a suit."""
        if selection not in self._flushes:
            self._flushes[selection] = _outer(self.suits, selection.blocks, np.bitwise_and) != 0
        return self._flushes[selection]

    def picked(self, values: NDArray[np.int64], selection: Selection) -> NDArray[np.int64]:
        """A value of each card of each choice: (choices, cards, rows)."""
        return values[self.codes[selection.explicit]]


def _outer(lines: Lines, blocks: tuple[Block, ...], join: np.ufunc) -> Lines:
    """The join over every choice of an outer product of blocks."""
    whole, *others = [_joined_columns(lines, block, join) for block in blocks]
    for part in others:
        whole = join(whole[:, None, :], part[None, :, :]).reshape(-1, part.shape[1])
    return whole


def _joined_columns(lines: Lines, block: Block, join: np.ufunc) -> Lines:
    first, *others = block.T
    part: Lines = lines[first]
    for column in others:
        part = join(part, lines[column])
    return part


# --- scales -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """The strengths of every choice of a selection and the positions that a choice plays."""

    strengths: NDArray[np.int64] | NDArray[np.int32]
    positions: Callable[[int], list[int]]


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
    ways = max(len(values) for values in cards.game.values.values())
    totals = np.zeros((1, selection.count, cards.rows), dtype=np.int64)
    tables = [_value_table(cards.game, way) for way in range(ways)]
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
    """Each wild card becomes the best natural card that is not there yet (RULINGS.md 1, 10)."""
    best_first = np.sort(_single_table(game, scale)[:NATURAL_CARDS])[::-1]
    natural = np.where(wild, 0, singles)
    found = natural.copy()
    for choice, row in zip(*np.nonzero(wild.any(axis=1)), strict=True):
        held = set(natural[choice, :, row])
        free = (value for value in best_first if value not in held)
        for place in np.flatnonzero(wild[choice, :, row]):
            found[choice, place, row] = next(free)
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


# --- the best hand ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Best:
    """The best hand of each row on one alternative: -1 where none qualifies."""

    strengths: Strengths
    positions: list[list[int]]  # the cards played; empty unless asked for


def best_hands(
    game: Game, alternatives: Sequence[Alternative], cards: Cards, *, with_cards: bool = False
) -> list[Best]:
    """The best hand of each row, for each alternative."""
    patterns = [alternative.patterns or game.hand for alternative in alternatives]
    ways = [
        selections(game, pattern, alternative.line, cards.shape)
        for pattern, alternative in zip(patterns, alternatives, strict=True)
    ]
    widest = max(
        (
            s.count * breadth(game, alt, s.size)
            for alt, some in _both(alternatives, ways)
            for s in some
        ),
        default=1,
    )
    step = max(64, WORKING_SET // widest)
    parts = [cards.part(at, at + step) for at in range(0, cards.rows, step)]
    found = [
        [
            _best(game, alt, some, part, with_cards=with_cards)
            for alt, some in _both(alternatives, ways)
        ]
        for part in parts
    ]
    return [_joined([part[index] for part in found]) for index in range(len(alternatives))]


def breadth(game: Game, alternative: Alternative, size: int) -> int:
    """How many values one choice of cards is measured by: totals of points, cards of a badugi."""
    if alternative.scale in BADUGI_SCALES:
        return 1 << size
    if alternative.scale in POINT_SCALES:
        return int(max(len(values) for values in game.values.values()) ** size)
    return 1


def choices(alternative: Alternative, cards: Cards, row: int, strength: int) -> list[list[int]]:
    """The positions of every choice of a row that is this strong."""
    patterns = alternative.patterns or cards.game.hand
    found = []
    for selection in selections(cards.game, patterns, alternative.line, cards.shape):
        measured = MEASURES[alternative.scale](alternative, selection, cards)
        equal = np.flatnonzero(measured.strengths[:, row] == strength)
        found += [measured.positions(int(choice)) for choice in equal]
    return found


def _both(
    alternatives: Sequence[Alternative], ways: list[tuple[Selection, ...]]
) -> Iterator[tuple[Alternative, tuple[Selection, ...]]]:
    return zip(alternatives, ways, strict=True)


def _joined(parts: list[Best]) -> Best:
    if len(parts) == 1:
        return parts[0]
    positions = [row for part in parts for row in part.positions]
    return Best(np.concatenate([part.strengths for part in parts]), positions)


def _best(
    game: Game,
    alternative: Alternative,
    ways: tuple[Selection, ...],
    cards: Cards,
    *,
    with_cards: bool,
) -> Best:
    strengths = np.full(cards.rows, IMPOSSIBLE, dtype=np.int64)
    positions: list[list[int]] = [[] for _ in range(cards.rows)] if with_cards else []
    for selection in ways:
        measured = MEASURES[alternative.scale](alternative, selection, cards)
        highest = _tested(measured.strengths.max(axis=0), selection.tests, cards)
        if with_cards:
            picks = measured.strengths.argmax(axis=0)
            for row in np.flatnonzero(highest > strengths):
                positions[row] = measured.positions(int(picks[row]))
        strengths = np.maximum(strengths, highest)
    strengths[strengths < threshold(game, alternative)] = IMPOSSIBLE
    return Best(strengths, positions)


def _tested(
    strengths: NDArray[np.int64] | NDArray[np.int32], tests: tuple[CardsAre, ...], cards: Cards
) -> Strengths:
    for test in tests:
        strengths = np.where(holds(test, cards), strengths, IMPOSSIBLE)
    return np.asarray(strengths, dtype=np.int64)


def holds(test: CardsAre, cards: Cards) -> NDArray[np.bool_]:
    """Whether a condition on the cards of a place holds, for each row."""
    positions = list(Layout(cards.game, cards.shape).positions(test.place))
    codes = cards.codes[positions]
    if test.colour:
        member = np.zeros(CARD_KINDS, dtype=bool)
        member[list(COLOURS[test.colour])] = True
        count = member[codes].sum(axis=0)
    else:
        count = np.full(cards.rows, len(positions))
    inside = (count >= test.least) & (count <= test.most)
    return np.asarray(inside != test.negated, dtype=np.bool_)
