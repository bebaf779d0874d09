"""The strengths of all hands in columns: those of games that compare alike together."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.game.game import Game
from rules.settlement.columns.hands import ColumnHand, Dealt
from rules.showdown.row_strengths import row_strengths
from rules.showdown.selections import Shape

Measures = list[list[list[int]]]  # strengths of the live seats, share by share


@dataclass(slots=True)
class _Rows:
    """Rows of one shape: where they stand in their group, where the cards of each begin, and for
    so many of them after the other the same board."""

    numbers: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    boards: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Group:
    """Hands of games that compare alike, a row for each live seat, one hand after the other."""

    rows: int = 0
    by_size: dict[tuple[int, int], _Rows] = field(default_factory=dict)
    measured: Measures = field(default_factory=list)

    def add(self, hand: ColumnHand, own: int, board: int) -> int:
        """Add the live seats of a hand: where its cards begin, and those of the board; the number
        of their first row."""
        first, sizes = self.rows, hand.sizes
        self.rows = end = first + len(sizes)
        places = [own + place for place in hand.places]
        if sizes.count(sizes[0]) == len(sizes):  # mostly
            self._add(sizes[0], range(first, end), places, board)
            return first
        for number, size in enumerate(sizes):
            self._add(size, (first + number,), places[number : number + 1], board)
        return first

    def _add(
        self, size: tuple[int, int], numbers: Sequence[int], places: Sequence[int], board: int
    ) -> None:
        rows = self.by_size.get(size)
        if rows is None:
            rows = self.by_size[size] = _Rows()
        rows.numbers += numbers
        rows.places += places
        rows.boards.append(board)
        rows.counts.append(len(places))


def groups_of(hands: Sequence[ColumnHand], dealt: Dealt) -> list[tuple[Group, int]]:
    """Of each hand its group and its first row there, the strengths of all measured; hands that
    are not compared are of a group without any."""
    groups: dict[Game, Group] = {}
    alone = (Group(), 0)
    found = []
    for hand, start, is_good in zip(hands, dealt.starts, dealt.good, strict=True):
        if not is_good or len(hand.live) == 1:
            found.append(alone)
            continue
        rules = hand.rules
        group = groups.get(rules.compared)
        if group is None:
            group = groups[rules.compared] = Group()
        own = dealt.copies if hand.copied else start
        found.append((group, group.add(hand, own, start + hand.count - rules.on_board)))
    codes = dealt.codes.astype(np.int16)
    for game, group in groups.items():
        group.measured = _measured(game, group, codes)
    return found


def _measured(game: Game, group: Group, codes: NDArray[np.int16]) -> Measures:
    on_board = np.arange(sum(game.row_lengths))
    whole: list[list[int]] = []
    for (down, up), rows in group.by_size.items():
        own = np.array(rows.places)[:, None] + np.arange(down + up)
        board = np.repeat(rows.boards, rows.counts)[:, None] + on_board
        laid = codes[np.concatenate([own, board], axis=1)]
        told = row_strengths(game, Shape(down, up), laid)
        if len(group.by_size) == 1:
            whole = told
            break
        whole = whole or [[0] * group.rows for _ in told]
        for all_, some in zip(whole, told, strict=True):
            for number, strength in zip(rows.numbers, some, strict=True):
                all_[number] = strength
    waiting = iter(whole)
    return [[next(waiting) for _ in share.alternatives] for share in game.shares]
