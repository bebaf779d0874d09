"""The best hands of a few rows of cards, one after the other, by the same tables as ever.

Arrays cost more to set up than a few rows take to look at. What is not measured by a table, or
only under a condition, is left to the arrays (`rules.showdown.best_hands`); a law holds that both
ways say the same (tests/laws/test_quick_ways.py).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import add, and_

from rules.cards import RANK_OF
from rules.game.game import Alternative, Game
from rules.game.grammar import TABLE_SCALES
from rules.game.wild_rules import RankOf
from rules.ranking import FOUR_FLUSH, FULL_HAND, IMPOSSIBLE
from rules.showdown.scales import scale_of, threshold
from rules.showdown.selections import Selection, Shape, Values, selections
from rules.showdown.strength_tables import BUG, KEY_OF, WILD, Table, table
from rules.showdown.symbols import (
    ALL_SUITS,
    SUIT_BITS,
    Reading,
    decided_rules,
    placed_symbols,
    zone_tables,
)

MOST_CHOICES = 640  # of all rows together; beyond, arrays are faster
ROW = 40  # choices that take as long as what else a row asks

_SUITS: list[int] = SUIT_BITS.tolist()
_RANKS: list[int] = RANK_OF.tolist()


@dataclass(frozen=True)
class _Choices:
    """A selection, and the table that its hands are looked up in."""

    selection: Selection
    table: Table


@dataclass(frozen=True)
class Plan:
    """How the rows of one shape are measured."""

    symbols: tuple[list[int], ...]  # of every card, by the place where it lies
    decided: tuple[int, ...]  # what each rule makes of the cards whose rank the deal decides
    measures: tuple[tuple[tuple[_Choices, ...], int], ...]  # with the weakest that qualifies
    count: int  # of all choices

    def suits(self, number: int) -> bool:
        """Whether so many rows are few."""
        return (self.count + ROW) * number <= MOST_CHOICES


@dataclass(slots=True)
class Row:
    """A row measured: its strengths and the places played, a measure each, and its symbols."""

    strengths: list[int]
    positions: list[list[int]]
    symbols: list[int]


@lru_cache(maxsize=2048)
def plan(game: Game, shape: Shape) -> Plan | None:
    """How to measure rows of this shape; None where that takes arrays."""
    measures = []
    count = 0
    for share in game.shares:
        for alternative in share.alternatives:
            picks = selections(game, alternative.patterns or game.hand, alternative.line, shape)
            if any(selection.size > FULL_HAND for selection in picks):
                return None
            count += sum(selection.count for selection in picks)
            tested = (
                share.tests or alternative.beating or any(selection.tests for selection in picks)
            ) or alternative.after
            if tested or not _by_table(game, alternative) or count > MOST_CHOICES:
                return None
            scale = scale_of(game, alternative.scale)
            choices = tuple(_Choices(some, table(scale, some.size)) for some in picks)
            measures.append((choices, threshold(game, alternative)))
    decided = (*[WILD for rule in game.wild if isinstance(rule, RankOf)],)
    decided += (BUG,) * (len(decided_rules(game)) - len(decided))
    return Plan(_symbols(game, shape), decided, tuple(measures), count)


def _by_table(game: Game, alternative: Alternative) -> bool:
    scale = alternative.scale
    return scale in TABLE_SCALES and FOUR_FLUSH not in scale_of(game, scale).order


def _symbols(game: Game, shape: Shape) -> tuple[list[int], ...]:
    down, up, board = zone_tables(game).tolist()
    on_board = sum(len(row) for row in game.common_rows)
    found = [*[down] * shape.down, *[up] * shape.up, *[down] * sum(shape.piles)]
    found += [board] * on_board
    for position, symbol in placed_symbols(game, shape):
        found[position] = [read if read == WILD else symbol for read in found[position]]
    return tuple(found)


def measured(how: Plan, cards: Values, reading: Reading) -> Row:
    """The best hand of a row on every measure."""
    symbols = [symbols[card] for symbols, card in zip(how.symbols, cards, strict=True)]
    for rank, symbol in zip(reading, how.decided, strict=True):
        symbols = [
            symbol if _RANKS[card] == rank and read != WILD else read
            for card, read in zip(cards, symbols, strict=True)
        ]
    keys = [KEY_OF[symbol] for symbol in symbols]
    suits = [
        _SUITS[card] if symbol < WILD else ALL_SUITS
        for card, symbol in zip(cards, symbols, strict=True)
    ]
    row = Row([], [], symbols)
    looked_up: dict[Selection, list[int]] = {}
    for some, least in how.measures:
        best, places = IMPOSSIBLE, []
        for choices in some:
            strengths = _strengths(choices, keys, suits, looked_up)
            strongest = max(strengths)
            if strongest > best:
                best, places = strongest, choices.selection.pick(strengths.index(strongest))
        row.strengths.append(best if best >= least else IMPOSSIBLE)
        row.positions.append(places)
    return row


def _strengths(
    choices: _Choices, keys: Values, suits: Values, looked_up: dict[Selection, list[int]]
) -> list[int]:
    """The strength of every choice."""
    numbers = looked_up.get(choices.selection)
    if numbers is None:
        number_of = choices.table.sets.numbers
        numbers = [number_of[total] for total in _joined(choices, keys, add)]
        looked_up[choices.selection] = numbers
    strengths = choices.table.values
    if choices.table.sees_suits and _may_flush(suits, choices.selection.size):
        half = len(choices.table.sets.sums)
        shared = _joined(choices, suits, and_)
        return [
            strengths[number + half if suit else number]
            for number, suit in zip(numbers, shared, strict=True)
        ]
    return [strengths[number] for number in numbers]


def _may_flush(suits: Values, size: int) -> bool:
    wild = suits.count(ALL_SUITS)
    return max(suits.count(1), suits.count(2), suits.count(4), suits.count(8)) + wild >= size


def _joined(choices: _Choices, values: Values, join: Callable[[int, int], int]) -> list[int]:
    """The join of the values of each choice, in the order of the outer product."""
    whole: list[int] = []
    for first, *others in choices.selection.columns:
        part: Iterable[int] = first(values)
        for column in others:
            part = map(join, part, column(values))
        told = [*part]
        whole = [join(one, other) for one in whole for other in told] if whole else told
    return whole
