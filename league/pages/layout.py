"""The recording page as its template draws it: boxes to type in, choices, rows of players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.pages.record_form import AWAY

OUT = frozenset({"folded", "late", "mucked", AWAY})


@dataclass(frozen=True, slots=True)
class Box:
    """A field of text with what is wrong with it."""

    name: str
    label: str
    text: str
    errors: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone(Box):
    """A field of cards: how many, whether unseen ones may stand in it, whose deck it shares."""

    short: str
    least: int
    most: int
    unseen: bool = False
    group: str = "hand"


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    chosen: bool
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Box):
    """A choice of the game or, without choices, a number or word to type."""

    default: str
    choices: list[Choice]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A player's row."""

    row: int
    name: str
    state: str
    states: list[Choice]
    deals: bool
    wins: bool
    declared: list[Choice]
    paid: Box
    dead: Box
    took: Box
    more: Box
    zones: list[Zone]
    out: Zone
    name_errors: Sequence[str]
    state_errors: Sequence[str]
    declared_errors: Sequence[str]

    @property
    def is_out(self) -> bool:
        return self.state in OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that the template of the recording page draws."""

    games: list[Choice]
    game: str
    by: str
    modifiers: list[Choice]
    options: list[Option]
    depths: list[Choice]
    deck: str
    bank: bool
    fists: bool
    all_paid: Box
    seats: list[Seat]
    board: list[Zone]
    carried: Box
    carried_pots: list[tuple[int, list[str]]]
    rounds: list[list[Zone]]
    more: Box
    errors: Mapping[str, Sequence[str]]
    hidden: list[tuple[str, str]] = field(default_factory=list)

    @property
    def by_result(self) -> bool:
        return any(depth.chosen and depth.value == "result" for depth in self.depths)

    @property
    def says_options(self) -> bool:
        told = (box.errors or box.text not in ("", box.default) for box in self.options)
        return any(told)

    @property
    def says_otherwise(self) -> bool:
        told = (seat.took.text or seat.took.errors for seat in self.seats)
        return any(told) or bool(self.errors.get("took"))

    @property
    def says_more(self) -> bool:
        boxes = (box for seat in self.seats for box in (seat.dead, seat.out, seat.more))
        return any(box.text or box.errors for box in boxes)
