"""Code shared by importers: building records, checking stated stacks, embedded records.

`RecordBuilder` replays a hand while it is built, so that the replay shows which cards are due.
Cards that a format omits are dealt unseen. `StackCheck` compares the stacks that a file states with
the stacks that result from the hands. A file states them before a hand, when a player sits down or
leaves, and when an admin changes a stack. A difference means that a hand or a line is missing. A
difference is never treated as a purchase of chips.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.errors import Problem
from rules.history import act, begin
from rules.history.actions import write_cards
from rules.history.table import Table
from rules.json_text import read_json

Kind = Literal["holds", "takes", "approved", "changes", "receives"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StackStatement:
    """A stack stated by a line of a file, in chips of 10^-`places` of the file's unit.

    The kind `holds` means that the player has `chips`. `takes` means that the player sits down with
    `chips`, including new ones. `approved` means that an admin allows the player to take `chips`.
    `changes` means that an admin sets the stack from `before` to `chips`. `receives` means that
    `chips` move to the player, or away if they are negative.
    """

    kind: Kind
    player: str
    chips: int
    before: int = 0
    id: str = ""
    places: int = 0
    line: int = 0
    at: str = ""


@dataclass(frozen=True, slots=True)
class StackDifference:
    """A stated stack that differs from the expected stack."""

    player: str
    expected: int
    stated: int

    @property
    def chips(self) -> int:
        return self.stated - self.expected


@dataclass(slots=True)
class StackCheck:
    """The chips of each player, updated by statements and hands.

    `unconfirmed` contains players whose chips moved in a hand recorded without cards, and whose
    stack no later line states.
    """

    chips: dict[str, int] = field(default_factory=dict)
    unconfirmed: set[str] = field(default_factory=set)
    _unexplained: Counter[str] = field(default_factory=Counter)
    _approved: dict[str, int] = field(default_factory=dict)

    def explained(self, player: str) -> int:
        """Return the stack that statements and hands account for."""
        return self.chips.get(player, 0) - self._unexplained[player]

    def state(self, statement: StackStatement) -> StackDifference | None:
        """Apply a statement. Return how its stack differs from the expected stack."""
        player, chips = statement.player, statement.chips
        if statement.kind == "approved":
            self._approved[player] = chips
            return None
        if statement.kind == "receives":
            self.chips[player] = self.chips.get(player, 0) + chips
            return None
        difference = None
        if statement.kind == "holds":
            difference = self._hold(player, chips)
        elif statement.kind == "changes":
            difference = self._hold(player, statement.before)
        self._approved.pop(player, None)
        self.unconfirmed.discard(player)
        self.chips[player] = chips
        return difference

    def deal(self, stacks: Mapping[str, int | None]) -> list[StackDifference]:
        """Apply the stacks stated at the start of a hand. Return the differences."""
        stated = ((player, chips) for player, chips in stacks.items() if chips is not None)
        differences = [
            self.state(StackStatement(kind="holds", player=player, chips=chips))
            for player, chips in stated
        ]
        return [difference for difference in differences if difference]

    def move(self, moves: Mapping[str, int], *, by_result: bool = False) -> None:
        """Apply the chips moved by a hand.

        `by_result` is true if only the result of the hand is known, and no cards.
        """
        for player, chips in moves.items():
            if player in self.chips:
                self.chips[player] += chips
                if by_result and chips:
                    self.unconfirmed.add(player)

    def _hold(self, player: str, chips: int) -> StackDifference | None:
        expected = self.chips.get(player)
        if expected is None or chips in (expected, self._approved.get(player)):
            return None
        self._unexplained[player] += chips - expected
        return StackDifference(player, expected, chips)


WHO = re.compile(r"\bp(\d{1,3})\b")


def turn(record: dict[str, Any], by: int) -> dict[str, Any]:
    """Return the record with the list of players rotated left by `by`."""
    players = record["players"]
    count = len(players)
    by %= count
    if not by:
        return record

    def renumbered(who: re.Match[str]) -> str:
        number = int(who[1])
        return f"p{(number - 1 - by) % count + 1}" if 1 <= number <= count else who[0]

    def action(text: str) -> str:
        words, mark, comment = text.partition("#")
        return WHO.sub(renumbered, words) + mark + comment

    stacks = record.get("stacks")
    return {
        **record,
        **({"stacks": stacks[by:] + stacks[:by]} if stacks else {}),
        "button": (record["button"] - by) % count,
        "players": players[by:] + players[:by],
        "actions": [action(text) for text in record["actions"]],
    }


FIELD = "_record"


def dump_without_actions(record: Mapping[str, Any]) -> str:
    """Return the record as text without its actions, which the file contains in its own format."""
    return json.dumps({key: value for key, value in record.items() if key != "actions"})


def restore(fields: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[Problem]]:
    """Return the record written by `dump_without_actions`, with its actions."""
    try:
        record = read_json(fields[FIELD])
    except (TypeError, ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        return None, [Problem(FIELD, "not-json", "the field contains no record")]
    record["actions"] = fields.get("actions", [])
    return record, []


Record = dict[str, Any]


def run_problems(record: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield an error for each run that deals cards elsewhere than on a board with one row.

    The other formats have no words for such runs.
    """
    for at, run in enumerate(record.get("runs", ())):
        if run.keys() != {"board"} or len(run["board"]) != 1:
            text = "the format can only describe cards that a run deals to one board"
            yield Problem(f"runs/{at}", "no-such-word", text)


class RecordBuilder:
    """Builds a record action by action. `table` contains the state after the actions so far."""

    def __init__(self, record: Record, posts: Sequence[str]) -> None:
        """Start a record. `posts` are the actions of antes and blinds."""
        self.record = record | {"actions": list(posts)}
        table, self.problems = begin(self.record)
        self.table: Table | None = table
        for action in posts:
            if table is not None:
                act(table, action)

    def do(self, action: str) -> None:
        if self.table is not None:
            self.record["actions"].append(action)
            act(self.table, action)

    def deal(self, known: Mapping[int, Sequence[int]]) -> None:
        """Deal the cards that are due. Unknown cards are unseen."""
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


# The result of importing one hand.


@dataclass(slots=True)
class Imported:
    """One hand of a file.

    It consists of the record or its errors, the hand's name in the file, and the line on which the
    hand begins (0 if unknown). `before` contains the stacks that the file states between the
    previous hand and this one. The last object of a file may have neither a record nor problems. It
    then only contains the stacks stated after all hands.
    """

    record: dict[str, Any] | None
    problems: list[Problem] = field(default_factory=list)
    hand: str | int | None = None
    line: int = 0
    before: list[StackStatement] = field(default_factory=list)

    @property
    def is_hand(self) -> bool:
        return self.record is not None or bool(self.problems)
