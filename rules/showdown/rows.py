"""Rows of cards side by side, one position a line, so that a selection gathers whole lines."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import CARD_KINDS
from rules.game.game import CardsAre, Game
from rules.game.grammar import COLOURS
from rules.showdown.selections import Block, Layout, Selection, Shape
from rules.showdown.strength_tables import KEYS, multisets

Lines = NDArray[Any]
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
