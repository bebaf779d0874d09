"""Builds a record action by action from a format that omits some of it; the result of one hand.

The replay says what is due: cards that the format leaves out are dealt unseen, and a bet told by
the chips put in becomes the bet that it comes to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.errors import Problem
from rules.formats.stacks import StackStatement
from rules.history import act, begin
from rules.history.actions import write_cards
from rules.history.table import Table

Record = dict[str, Any]


class RecordBuilder:
    """A record in the making and the table that goes along with it."""

    def __init__(self, record: Record, posts: Sequence[str]) -> None:
        """`posts` are the antes and blinds, which are actions of the record like the others."""
        self.record = record | {"actions": list(posts)}
        found, self.problems = begin(self.record)
        self.table: Table | None = found
        for action in posts:
            if found is not None:
                act(found, action)

    def do(self, action: str) -> None:
        if self.table is not None:
            self.record["actions"].append(action)
            act(self.table, action)

    def deal(self, known: Mapping[int, Sequence[int]]) -> None:
        """Deal what is due to the players; what is not known is unseen."""
        for index, seat in enumerate(self.table.seats if self.table else ()):
            due = len(seat.owed)
            if due:
                cards = list(known.get(index, ()))[:due]
                text = write_cards(cards) + "??" * (due - len(cards))
                self.do(f"d dh p{index + 1} {text}")

    def board(self, cards: Sequence[int]) -> None:
        self.do(f"d db {write_cards(list(cards))}")

    def bet_to(self, index: int, amount: int) -> None:
        self.do(f"p{index + 1} cbr {amount}")

    def in_front(self, index: int) -> int:
        return self.table.seats[index].bet if self.table else 0

    def ended(self) -> tuple[Record | None, list[Problem]]:
        return (None, self.problems) if self.table is None else (self.record, [])


# What came of one hand of a file.


@dataclass(slots=True)
class Imported:
    """One hand of a file: its record, or why there is none; its name in the file, and the line
    on which it begins (0: not known).

    `before` are the stacks that the file states between the hand before and this one. The last one
    of a file may have neither a record nor problems: it only holds what is stated after all hands.
    """

    record: dict[str, Any] | None
    problems: list[Problem] = field(default_factory=list)
    hand: str | int | None = None
    line: int = 0
    before: list[StackStatement] = field(default_factory=list)

    @property
    def is_hand(self) -> bool:
        return self.record is not None or bool(self.problems)
