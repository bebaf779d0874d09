"""Rows of cards side by side, one position a line, so that a selection gathers whole lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARD_KINDS, NATURAL_CARDS
from rules.game.game import CardsAre, Game
from rules.game.grammar import GROUPS
from rules.showdown.pool_tables import Kind, LookUp
from rules.showdown.selections import Block, Layout, Selection, Shape
from rules.showdown.strength_tables import KEYS, WILD, multisets
from rules.showdown.symbols import ALL_SUITS, SUIT_BITS, Reading, symbols_of

Lines = NDArray[Any]


@dataclass
class Cards:
    """Rows of cards, one column a row: `codes[position, row]`, each under its reading.

    What follows from them is worked out when it is first asked for: few measures need all of it.
    """

    game: Game
    shape: Shape
    codes: NDArray[np.int16]
    read: Sequence[Reading]
    _sums: dict[Selection, NDArray[np.int16]] = field(default_factory=dict)
    _flushes: dict[Selection, NDArray[np.bool_]] = field(default_factory=dict)
    _look_ups: dict[Selection, LookUp] = field(default_factory=dict)
    # properties that look are faster than functools.cached_property, which locks
    _symbols: NDArray[np.int8] | None = None
    _suits: NDArray[np.uint8] | None = None
    _keys: NDArray[np.int64] | None = None

    @property
    def rows(self) -> int:
        return int(self.codes.shape[1])

    @property
    def symbols(self) -> NDArray[np.int8]:
        """Ranks, with wild cards and bugs as symbols of their own."""
        if self._symbols is None:
            self._symbols = symbols_of(self.game, self.shape, self.codes, self.read)
        return self._symbols

    @property
    def suits(self) -> NDArray[np.uint8]:
        """A bit a suit, and all four for a wild card."""
        if self._suits is None:
            self._suits = SUIT_BITS[self.codes]
            if self.game.wild or self.game.bug:
                self._suits[self.symbols >= WILD] = ALL_SUITS
        return self._suits

    @property
    def keys(self) -> NDArray[np.int64]:
        if self._keys is None:
            self._keys = KEYS[self.symbols]
        return self._keys

    @property
    def natural(self) -> bool:
        """Whether all cards are seen, none is a joker and nothing is wild."""
        plain = not (self.game.wild or self.game.bug)
        return plain and int(self.codes.max(initial=0)) < NATURAL_CARDS

    def parts(self, step: int) -> Iterator["Cards"]:
        """So many rows after so many."""
        for start in range(0, self.rows, step):
            rows = slice(start, start + step)
            yield Cards(self.game, self.shape, self.codes[:, rows], self.read[rows])

    def at(self, rows: NDArray[np.intp]) -> "Cards":
        """Some rows of cards under which nothing was left to be read."""
        return Cards(self.game, self.shape, self.codes[:, rows], ())

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

    def look_up(self, selection: Selection, kind: Kind) -> LookUp:
        """The pools of a selection, in rows that are natural."""
        if selection not in self._look_ups:
            pools = [self._lines(places) for _, places in selection.pools]
            self._look_ups[selection] = LookUp(kind, pools)
        return self._look_ups[selection]

    def _lines(self, places: tuple[int, ...]) -> NDArray[np.int16]:
        """The cards of some positions; where these stand side by side, without a copy."""
        first, end = places[0], places[-1] + 1
        return self.codes[first:end] if end - first == len(places) else self.codes[[*places]]

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


def holds(test: CardsAre, cards: Cards) -> NDArray[np.bool_]:
    """Whether a condition on the cards of a place holds, for each row."""
    positions = list(Layout(cards.game, cards.shape).positions(test.place))
    codes = cards.codes[positions]
    if test.group:
        member = np.zeros(CARD_KINDS, dtype=bool)
        member[list(GROUPS[test.group])] = True
        count = member[codes].sum(axis=0)
    else:
        count = np.full(cards.rows, len(positions))
    inside = (count >= test.least) & (count <= test.most)
    return np.asarray(inside != test.negated, dtype=np.bool_)
