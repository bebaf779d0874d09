"""Stacks that a file states, compared with the stacks that its hands lead to.

A file states stacks in several places: before each hand, when a player sits down or leaves, when
an admin changes a stack. `StackCheck` follows the chips of every player through statements and
hands in order. A difference is a stated stack that neither a hand nor a statement explains: a hand
is missing, or a line is. It is never taken for a purchase.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["holds", "takes", "approved", "changes", "receives"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StackStatement:
    """A stack that a line of a file states, in chips of 10^-`places` of the file's unit.

    `holds`: the player has `chips`. `takes`: the player sits down with `chips`, new ones included.
    `approved`: an admin allows the player to take `chips`. `changes`: an admin sets the stack from
    `before` to `chips`. `receives`: `chips` move to the player, or from the player below zero.
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
    """A stated stack that differs from the stack expected."""

    player: str
    expected: int
    stated: int

    @property
    def chips(self) -> int:
        return self.stated - self.expected


@dataclass(slots=True)
class StackCheck:
    """The chips of each player, from statement to statement.

    `unconfirmed` are players whose chips moved in a hand recorded without its cards, and whose
    stack no later line states.
    """

    chips: dict[str, int] = field(default_factory=dict)
    unconfirmed: set[str] = field(default_factory=set)
    _unexplained: Counter[str] = field(default_factory=Counter)
    _approved: dict[str, int] = field(default_factory=dict)

    def explained(self, player: str) -> int:
        """Return the stack as far as statements and hands explain it."""
        return self.chips.get(player, 0) - self._unexplained[player]

    def state(self, statement: StackStatement) -> StackDifference | None:
        """Follow a statement; return how the stack that it states differs from the one expected."""
        player, chips = statement.player, statement.chips
        if statement.kind == "approved":
            self._approved[player] = chips
            return None
        if statement.kind == "receives":
            self.chips[player] = self.chips.get(player, 0) + chips
            return None
        found = None
        if statement.kind == "holds":
            found = self._hold(player, chips)
        elif statement.kind == "changes":
            found = self._hold(player, statement.before)
        self._approved.pop(player, None)
        self.unconfirmed.discard(player)
        self.chips[player] = chips
        return found

    def deal(self, stacks: Mapping[str, int | None]) -> list[StackDifference]:
        """Follow the stacks stated at the start of a hand; return those that differ."""
        stated = ((player, chips) for player, chips in stacks.items() if chips is not None)
        found = [
            self.state(StackStatement(kind="holds", player=player, chips=chips))
            for player, chips in stated
        ]
        return [difference for difference in found if difference]

    def move(self, moves: Mapping[str, int], *, by_result: bool = False) -> None:
        """Follow the chips that a hand moves; `by_result`: recorded without its cards."""
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


def in_places(statement_chips: int, places: int, wanted: int) -> int | None:
    """Return chips of 10^-places in chips of 10^-wanted; None where those are too coarse."""
    if wanted >= places:
        return statement_chips * int(10 ** (wanted - places))
    chips, rest = divmod(statement_chips, 10 ** (places - wanted))
    return None if rest else chips
