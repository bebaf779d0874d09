"""What a line of PokerNow's log states."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.formats.stacks import Kind


@dataclass(frozen=True, slots=True)
class Start:
    """The first line of a hand; behind a dead button the dealer's id is empty."""

    number: int
    game: str
    dealer: str


@dataclass(frozen=True, slots=True)
class Stack:
    """A player, and the chips that were there at the start."""

    id: str
    name: str
    chips: str


@dataclass(frozen=True, slots=True)
class Stacks:
    """The stacks of all players at the start of a hand, and the parts that can't be read."""

    players: list[Stack]
    unread: list[str]


@dataclass(frozen=True, slots=True)
class Act:
    """An action of a player: a verb, and its chips or cards."""

    id: str
    verb: str  # post, bet, call, check, fold, show, collect, return, bounty
    chips: str = ""
    what: str = ""  # of a post
    cards: tuple[int, ...] = ()
    to: str = ""  # the id of the other player of a bounty


@dataclass(frozen=True, slots=True)
class Board:
    """Cards dealt to a board: the first or the second one, or that of another run."""

    cards: tuple[int, ...]
    note: str


@dataclass(frozen=True, slots=True)
class OwnCards:
    """The cards of the player who exported the log."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StackLine:
    """A stack that a line between hands states."""

    kind: Kind
    id: str
    name: str
    chips: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class NewId:
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A line that moves no chips."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that can't be read; with a number in it, it may move chips."""

    has_number: bool


Parsed = Stacks | Act | Board | OwnCards | StackLine | NewId | Beside | Unread


@dataclass(slots=True)
class LoggedHand:
    """The lines of a hand, with the first id of each player."""

    start: Start
    dealer: str
    line: int
    at: str
    stacks: list[Stacks] = field(default_factory=list)
    seats: dict[str, int] = field(default_factory=dict)
    lines: list[Act | Board | OwnCards] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)  # lines with numbers that can't be read

    def add(self, line: Stacks | Act | Board | OwnCards, ids: Mapping[str, str]) -> None:
        if isinstance(line, Stacks):
            self.stacks.append(line)
            for player in line.players:
                self.seats.setdefault(ids.get(player.id, player.id), len(self.seats))
        elif isinstance(line, Act):
            to = ids.get(line.to, line.to)
            id_ = ids.get(line.id, line.id)
            self.lines.append(Act(id_, line.verb, line.chips, line.what, line.cards, to))
        else:
            self.lines.append(line)
