"""Patterns as index arrays: the cards of a row that may be played together.

A row contains one player's cards in a fixed order: down, up, the piles, then the rows of the board.
A selection is an outer product of blocks, each an array of positions. The sums of the two cards of
a hand and of the three of a board are calculated separately and combined once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from rules.game.game import CardsAre, Game, Pattern, Place
from rules.ranking import FULL_HAND


@dataclass(frozen=True)
class Shape:
    """The number of cards in each of a player's zones."""

    down: int
    up: int
    piles: tuple[int, ...] = ()

    @cached_property
    def own(self) -> int:
        return self.down + self.up + sum(self.piles)


@dataclass(frozen=True)
class Layout:
    """The positions of each place's cards in a row."""

    game: Game
    shape: Shape
    # positions that another share's hand leaves unused; None means that any position may be unused
    unused: tuple[int, ...] | None = None

    @cached_property
    def slots(self) -> dict[str, int]:
        names = [slot for row in self.game.common_rows for slot in row]
        return {slot: self.shape.own + index for index, slot in enumerate(names)}

    @property
    def width(self) -> int:
        return self.shape.own + sum(len(row) for row in self.game.common_rows)

    def positions(self, place: Place, line: int = 0) -> tuple[int, ...]:
        """Return the positions of a place. `line` applies to places without a line number."""
        down, up = self.shape.down, self.shape.up
        match place.zone:
            case "down":
                return tuple(range(down))
            case "up":
                return tuple(range(down, down + up))
            case "own" | "unused":
                left = self.unused if place.zone == "unused" else None
                return tuple(range(self.shape.own)) if left is None else left
            case "pile":
                return self._pile(place.pile)
            case "board":
                return tuple(self.slots.values())
            case "row":
                return self._named(self.game.board, place.number)
            case "line":
                return self._named(self.game.lines, place.number or line)
            case "slots":
                return tuple(self.slots[slot] for slot in place.slots)

    def _named(self, rows: tuple[tuple[str, ...], ...], number: int) -> tuple[int, ...]:
        if not 1 <= number <= len(rows):
            return ()
        return tuple(self.slots[slot] for slot in rows[number - 1])

    def _pile(self, pile: str) -> tuple[int, ...]:
        index = self.game.piles.index(pile)
        start = self.shape.down + self.shape.up + sum(self.shape.piles[:index])
        return tuple(range(start, start + self.shape.piles[index]))

    def quantities(self, pattern: Pattern, line: int, size: int) -> "list[_Quantity] | None":
        """Return each part with its number of cards, or None if there are too few cards."""
        quantities = []
        for term in pattern.terms:
            at_places = (self.positions(place, line) for place in term.places)
            positions = tuple(dict.fromkeys(chain.from_iterable(at_places)))
            least, most = term.least, term.most
            if term.quantity == "all":
                least = most = len(positions)
            elif least != most:
                # `1-5 up` plays all cards up, five at most, because more cards are never worse
                most = min(most, len(positions))
                least = max(least, most)
            quantities.append(_Quantity(positions, least, most))
        rests = [index for index, term in enumerate(pattern.terms) if term.quantity == "rest"]
        if rests:
            fixed = sum(q.most for index, q in enumerate(quantities) if index not in rests)
            missing = size - fixed
            if missing < 0:
                return None
            for index in rests:
                number = missing if index == rests[0] else 0
                quantities[index] = _Quantity(quantities[index].positions, number, number)
        short = any(quantity.least > len(quantity.positions) for quantity in quantities)
        cards = [quantity.positions for quantity in quantities for _ in range(quantity.most)]
        # each card can be played only once
        return quantities if not short and matches(cards) else None


Block = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Selection:
    """An outer product of blocks of positions. Every choice is a hand of `size` cards."""

    size: int
    blocks: tuple[Block, ...]  # shape of each: (choices, cards)
    tests: tuple[CardsAre, ...] = ()

    @cached_property
    def count(self) -> int:
        return prod(len(block) for block in self.blocks)

    @cached_property
    def written(self) -> list[list[list[int]]]:
        """Return the blocks as lists, the last block first."""
        return [block.tolist() for block in reversed(self.blocks)]

    def pick(self, choice: int) -> list[int]:
        """Return the positions of one choice, numbered in the order of the outer product."""
        positions: list[int] = []
        for block in self.written:
            choice, index = divmod(choice, len(block))
            positions += block[index]
        return positions

    @cached_property
    def pools(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the number of cards that each block picks, and the positions to pick them from.

        Empty if a block does not contain all combinations.
        """
        pools = tuple((block.shape[1], tuple(np.unique(block).tolist())) for block in self.blocks)
        all_ways = (comb(len(positions), picked) for picked, positions in pools)
        if any(len(block) < ways for block, ways in zip(self.blocks, all_ways, strict=True)):
            return ()
        return pools

    @property
    def explicit(self) -> Block:
        """Return all choices as an array (choices, size)."""
        table = np.empty((1, 0), dtype=np.intp)
        for block in self.blocks:
            left = np.repeat(table, len(block), axis=0)
            table = np.concatenate([left, np.tile(block, (len(table), 1))], axis=1)
        return table


@dataclass(frozen=True)
class _Quantity:
    """A term with its positions and the number of cards played."""

    positions: tuple[int, ...]
    least: int
    most: int


def hand_size(patterns: Iterable[Pattern]) -> int:
    """Return the size to which `rest` fills a hand: five, unless all patterns fix another size."""
    fixed = {
        sum(term.least for term in pattern.terms)
        for pattern in patterns
        if all(t.quantity == "count" and t.least == t.most for t in pattern.terms)
    }
    return fixed.pop() or FULL_HAND if len(fixed) == 1 else FULL_HAND


@lru_cache(maxsize=64)  # cached, because sizes, counts and selections all need the result
def _counted_patterns(
    patterns: tuple[Pattern, ...], line: int, layout: Layout
) -> tuple[tuple[Pattern, list[_Quantity]], ...]:
    size = hand_size(patterns)
    counted = []
    for pattern in patterns:
        places = (place for term in pattern.terms for place in term.places)
        lines: Iterable[int] = (0,)
        if any(place.zone == "line" and not place.number for place in places):
            lines = (line,) if line else range(1, len(layout.game.lines) + 1)
        counted += [(pattern, layout.quantities(pattern, one, size)) for one in lines]
    return tuple((pattern, quantities) for pattern, quantities in counted if quantities is not None)


def count_choices(game: Game, patterns: tuple[Pattern, ...], line: int, shape: Shape) -> int:
    """Return the number of ways to pick a hand, without enumerating them."""
    return sum(
        prod(comb(len(q.positions), q.most) for q in quantities)
        for _, quantities in _counted_patterns(patterns, line, Layout(game, shape))
    )


def sizes(
    game: Game, patterns: tuple[Pattern, ...], line: int, shape: Shape, unused: int | None = None
) -> set[int]:
    """Return the sizes of the hands that these patterns form from cards of this shape."""
    left = None if unused is None else tuple(range(unused))
    counted = _counted_patterns(patterns, line, Layout(game, shape, left))
    return {sum(q.most for q in quantities) for _, quantities in counted}


@lru_cache(maxsize=1024)
def selections(
    game: Game,
    patterns: tuple[Pattern, ...],
    line: int,
    shape: Shape,
    *,
    none: bool = False,
    unused: tuple[int, ...] | None = None,
) -> tuple[Selection, ...]:
    """Return every way to pick a hand of cards of this shape, including an empty hand if `none`."""
    # selections that differ only in their last block are merged and duplicate choices removed
    merged: dict[tuple[object, ...], list[Selection]] = {}
    for pattern, quantities in _counted_patterns(patterns, line, Layout(game, shape, unused)):
        used = [quantity for quantity in quantities if quantity.most]
        size = sum(quantity.most for quantity in used)
        picks = [combinations(quantity.positions, quantity.most) for quantity in used]
        everywhere = [position for quantity in used for position in quantity.positions]
        if len(set(everywhere)) == len(everywhere):
            blocks = tuple(_block([*p], q.most) for p, q in zip(picks, used, strict=True))
        else:
            # the terms share positions, so use no card twice and each set of cards only once
            joined = (tuple(sorted(chain.from_iterable(pick))) for pick in product(*picks))
            blocks = (_block(sorted({one for one in joined if len(set(one)) == size}), size),)
        selection = Selection(size, blocks, pattern.tests)
        if selection.count and (size or none):
            first = tuple(block.tobytes() for block in blocks[:-1])
            width = blocks[-1].shape[1] if blocks else 0
            merged.setdefault((size, first, width, pattern.tests), []).append(selection)
    distinct = []
    for same in merged.values():
        whole = same[0]
        if len(same) > 1 and whole.blocks:
            last = np.unique(np.concatenate([selection.blocks[-1] for selection in same]), axis=0)
            whole = Selection(whole.size, (*whole.blocks[:-1], last), whole.tests)
        distinct.append(whole)
    return tuple(distinct)


def _block(choices: Sequence[tuple[int, ...]], width: int) -> Block:
    return np.array(choices, dtype=np.intp).reshape(len(choices), width)


def matches(wanted: Sequence[Sequence[int]]) -> bool:
    """Return whether each element can get its own number, by augmenting paths."""
    if len(wanted) > len({number for numbers in wanted for number in numbers}):
        return False
    taken: dict[int, int] = {}  # the element that each number is assigned to

    def place(want: int, tried: set[int]) -> bool:
        """Find a number for an element. Another element may have to move."""
        for number in wanted[want]:
            if number not in tried:
                tried.add(number)
                if number not in taken or place(taken[number], tried):
                    taken[number] = want
                    return True
        return False

    return all(place(want, set()) for want in range(len(wanted)))
