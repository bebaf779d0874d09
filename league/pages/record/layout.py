"""The recording page as its template draws it: boxes to type in, choices, rows of players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.pages.games.board import Board
from league.pages.games.finder import Finder
from league.pages.parts.answer_view import MatchView
from league.pages.record.read_form import AWAY

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
    """A field of cards: how many, whether unseen ones may stand in it, whose deck it shares.

    One that is `aside` counts for nothing and may stay empty.
    """

    short: str
    least: int
    most: int
    unseen: bool = False
    group: str = "hand"
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    chosen: bool
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Game(Choice):
    """A game to choose; `also` are its other names, `meant_for` how many may play it.

    The last is said where another number is dealt in. `told` is what it can be found by, of a
    game that the index does not have: a league's own.
    """

    also: str = ""
    meant_for: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Shared:
    """A card that some hold together, and who of the table does."""

    card: "Zone"
    holders: list[Choice]
    errors: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Box):
    """A choice of the game or, without choices, a number or word to type."""

    default: str
    choices: list[Choice]

    @property
    def chosen_title(self) -> str:
        chosen = (choice.label for choice in self.choices if choice.chosen)
        return next(chosen, self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A player's row."""

    row: int
    name: str
    state: str
    states: list[Choice]
    deals: bool
    wins: bool
    showed: bool
    late: bool
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

    games: list[tuple[str, list[Game]]]
    known: Mapping[str, str]  # slugs of games by how the league knows them, for scripts
    finder: Finder
    game: str
    starred: bool
    by: str
    players: tuple[int, int] | None
    modifiers: list[Choice]
    options: list[Option]
    depths: list[Choice]
    deck: str
    bank: bool
    against_pot: bool
    late_folds: bool
    by_chips: bool  # no chip, one or two in a closed hand say low, high or both
    all_paid: Box
    pot: Box
    shared: list[Shared]
    shares_cards: bool
    shape: Board | None
    seats: list[Seat]
    board: list[Zone]
    carried: Box
    carried_pots: list[tuple[int, list[str]]]
    match: MatchView | None
    rounds: list[list[Zone]]
    more: Box
    errors: Mapping[str, Sequence[str]]
    hidden: list[tuple[str, str]] = field(default_factory=list)

    @property
    def chosen_game(self) -> str:
        chosen = (game.value for _title, games in self.games for game in games if game.chosen)
        return next(chosen, "")

    @property
    def told_options(self) -> list[str]:
        """Return what is chosen that is not the game's default, in words."""
        told = (each for each in self.options if each.text not in ("", each.default))
        return [f"{each.label}: {each.chosen_title}" for each in told]

    @property
    def by_result(self) -> bool:
        return any(depth.chosen and depth.value == "result" for depth in self.depths)

    @property
    def asks_who_showed(self) -> bool:
        """Tell whether there are cards to show, and somebody to fold before."""
        compares = not (self.by_result or self.bank or self.against_pot)
        return compares and bool(self.chosen_game or self.game)

    @property
    def dealt_in(self) -> int:
        return sum(seat.state != AWAY for seat in self.seats)

    @property
    def deals_again_to_some(self) -> bool:
        """Tell whether a carried pot is dealt for again among some of the players."""
        return bool(self.carried_pots or self.carried.text) and self.dealt_in < len(self.seats)

    @property
    def fits_table(self) -> bool:
        return self.players is None or self.players[0] <= self.dealt_in <= self.players[1]

    @property
    def chosen_modifiers(self) -> list[str]:
        return [each.label for each in self.modifiers if each.chosen]

    @property
    def says_options(self) -> bool:
        asked = (box.errors or not (box.text or box.default) for box in self.options)
        return any(asked)

    @property
    def says_otherwise(self) -> bool:
        told = (seat.took.text or seat.took.errors for seat in self.seats)
        return any(told) or bool(self.errors.get("took"))

    @property
    def says_more(self) -> bool:
        boxes = (box for seat in self.seats for box in (seat.dead, seat.out, seat.more))
        cards = (each.card.text or each.errors or each.card.errors for each in self.shared)
        beside = not self.shares_cards and any(cards)
        return beside or any(box.text or box.errors for box in boxes)
