"""Data for the recording page's template: fields, choices and player rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.pages.games.board import Board
from league.pages.games.finder import Finder
from league.pages.parts.match_view import MatchView
from league.pages.record.read_form import AWAY

OUT = frozenset({"folded", "late", "mucked", AWAY})


@dataclass(frozen=True, slots=True)
class Box:
    """A text field with its problems."""

    name: str
    label: str
    text: str
    errors: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone(Box):
    """A card field. `unseen` is true if its cards may be unseen.

    Fields in the same `group` share a deck. Cards that are `aside` do not count and may be left
    out. `letters` are the names of the slots, separated by spaces, if the rules refer to them.
    For a live deal, `turns` are the places of a board row's slots in the order of the deal. `extra`
    are the cards that each earn another card if they are up. `most` includes all of these.
    """

    short: str
    least: int
    most: int
    unseen: bool = False
    group: str = "hand"
    aside: bool = False
    letters: str = ""
    turns: str = ""
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    chosen: bool
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Game(Choice):
    """A game to choose. `also` contains its other names.

    `meant_for` is the game's number of players, if a different number is dealt in. `search_text` is
    the text that searches match. Only house games have one, because the search index contains the
    catalog games.
    """

    also: str = ""
    meant_for: str = ""
    search_text: str = ""


@dataclass(frozen=True, slots=True)
class Shared:
    """A card that several players share. All players are possible holders."""

    card: "Zone"
    holders: list[Choice]
    errors: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Box):
    """An option of the game. An option without choices is a text field for a number or a word."""

    default: str
    choices: list[Choice]

    @property
    def chosen_title(self) -> str:
        chosen = (choice.label for choice in self.choices if choice.chosen)
        return next(chosen, self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A player's row in the form."""

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


@dataclass(frozen=True, slots=True)
class Run:
    """A run after the first: the zones of its board and of each player, and its facts."""

    number: int
    name: str  # of its fields: runs/1
    board: list[Zone]
    hands: list[Zone]
    facts: list[Option]
    errors: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All data for the recording page.

    `usual` is JSON with the option fields with which games were last started, for phones without a
    connection.
    """

    games: list[tuple[str, list[Game]]]
    known: Mapping[str, str]  # game slugs for scripts, keyed by kind (e.g. favourites)
    usual: str
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
    in_or_out: bool  # players declare whether they stay in, so those who are out didn't fold
    late_folds: bool
    by_chips: bool  # players declare low, high or both by holding 0, 1 or 2 chips in their hand
    all_paid: Box
    showed_paid: Box
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
    run_counts: list[Choice]  # how many times the deal was run; empty if it can't be run again
    runs: list[Run]
    more: Box
    errors: Mapping[str, Sequence[str]]
    hidden: list[tuple[str, str]] = field(default_factory=list)

    @property
    def without_lives(self) -> set[str]:
        """The players who have lost the match. They stay in its record and are never dealt in."""
        counts = self.match.counts if self.match else []
        return {each.name for each in counts if each.kind == "lives" and not each.number}

    @property
    def chosen_game(self) -> str:
        chosen = (game.value for _title, games in self.games for game in games if game.chosen)
        return next(chosen, "")

    @property
    def changed_options(self) -> list[str]:
        """The options that differ from the game's defaults, as field values."""
        changed = (option for option in self.options if option.text not in ("", option.default))
        return [f"{option.label}: {option.chosen_title}" for option in changed]

    @property
    def runs_again(self) -> bool:
        return any(count.chosen and count.value for count in self.run_counts)

    @property
    def by_result(self) -> bool:
        return any(depth.chosen and depth.value == "result" for depth in self.depths)

    @property
    def asks_who_showed(self) -> bool:
        """Return whether hands are compared, which requires players to show or fold."""
        compares = not (self.by_result or self.bank or self.against_pot)
        return compares and bool(self.chosen_game or self.game)

    @property
    def dealt_in(self) -> int:
        return sum(seat.state != AWAY for seat in self.seats)

    @property
    def deals_again_to_some(self) -> bool:
        """Return whether only some of the players play for a carried pot."""
        return bool(self.carried_pots or self.carried.text) and self.dealt_in < len(self.seats)

    @property
    def fits_table(self) -> bool:
        return self.players is None or self.players[0] <= self.dealt_in <= self.players[1]

    @property
    def is_too_many(self) -> bool:
        """Return whether more players are dealt in than the game allows."""
        return self.players is not None and self.dealt_in > self.players[1]

    @property
    def chosen_modifiers(self) -> list[str]:
        return [modifier.label for modifier in self.modifiers if modifier.chosen]

    @property
    def opens_options(self) -> bool:
        """Return whether an option has an error or still needs a value."""
        return any(box.errors or not (box.text or box.default) for box in self.options)

    @property
    def opens_took(self) -> bool:
        """Return whether a field for the chips that players took has text or an error."""
        has_took = any(seat.took.text or seat.took.errors for seat in self.seats)
        return has_took or bool(self.errors.get("took"))

    @property
    def opens_more(self) -> bool:
        """Return whether a rarely used field has text or an error."""
        boxes = [box for seat in self.seats for box in (seat.dead, seat.out, seat.more)]
        if not self.shares_cards:
            boxes += [shared.card for shared in self.shared]
            if any(shared.errors for shared in self.shared):
                return True
        return any(box.text or box.errors for box in boxes)
