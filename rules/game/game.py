"""A game as the engine plays it: one document, read under one choice of its options.

Nothing here knows a game by name. `rules.documents.documents` makes a `Game` from a document,
`rules.game.grammar` reads its words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Zone = Literal["down", "up", "own", "board", "line", "row", "slots", "pile"]


@dataclass(frozen=True)
class Place:
    """Where cards lie: a player's zone, the board, any line or one line, a row, slots, a pile."""

    zone: Zone
    number: int = 0  # of the row or the line, from 1; 0 for any line
    slots: tuple[str, ...] = ()
    pile: str = ""


@dataclass(frozen=True)
class Term:
    """A quantity of places: `2 down`, `rest board`, `all line`, `1-5 up`."""

    quantity: Literal["count", "all", "rest"]
    places: tuple[Place, ...]
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class CardsAre:
    """A condition on the cards of a place: how many there are, all or of one colour."""

    place: Place
    colour: Literal["", "red", "black"]
    least: int
    most: int
    negated: bool = False


@dataclass(frozen=True)
class Pattern:
    """Which cards make a hand. `tests` must hold for the player's cards."""

    terms: tuple[Term, ...]
    tests: tuple[CardsAre, ...] = ()
    text: str = ""

    def __hash__(self) -> int:  # asked for with every hand: what is inside takes long
        return hash(self.text)


@dataclass(frozen=True)
class CardSet:
    """Cards named by rank, suit, colour or one by one, wherever they lie or only down or up."""

    cards: frozenset[int]
    zone: Literal["", "down", "up"] = ""
    text: str = ""


@dataclass(frozen=True)
class RankOf:
    """The rank of a card that the deal decides: the middle, lowest, highest or last of a place."""

    which: Literal["middle", "lowest", "highest", "last"]
    place: Place
    text: str = ""


@dataclass(frozen=True)
class Bar:
    """What it takes to qualify: a category, perhaps with a rank (0..12), or a number."""

    text: str
    category: str = ""
    rank: int | None = None
    number: int = 0


@dataclass(frozen=True)
class Alternative:
    """One way to measure a share."""

    scale: str
    number: int = 0  # of `closest 21`
    cards: CardSet | None = None  # of `highest s down`, `holds As Js`
    bar: Bar | None = None
    patterns: tuple[Pattern, ...] = ()  # empty: the game's hand
    line: int = 0  # 0: any line
    text: str = ""

    def __hash__(self) -> int:  # asked for with every hand: what is inside takes long
        return hash((self.text, self.scale, self.line))


@dataclass(frozen=True)
class Share:
    name: str
    alternatives: tuple[Alternative, ...]  # the next one when nobody in the pot qualifies
    tests: tuple[CardsAre, ...] = ()


@dataclass(frozen=True)
class Limit:
    """How much may be bet at once; a spread runs from `least` to `most` units."""

    kind: str  # a word of rules.game.grammar.betting.LIMITS, or spread
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class Step:
    """One step of the deal, read into what it does.

    `gain` and `lose` are the fewest and the most cards by which the step changes a zone.
    """

    verb: str
    text: str
    zone: str = ""
    least: int = 0
    most: int = 0
    change: int = 0  # cards gained for good besides those exchanged
    slots: tuple[str, ...] = ()
    face_down: bool = False
    ranks: frozenset[int] = frozenset()
    word: str = ""  # who opens, a direction, a price, what is asked
    must: bool = False  # the opener can't check
    limit: Limit | None = None  # of this round alone; else the game's betting says


@dataclass(frozen=True)
class Betting:
    """The limits of the rounds in order, the last one for all that follow (none: any).

    `open_pair`: the last limit holds as soon as somebody shows a pair. `out_of_turn`: so many
    actions out of turn through the dealer's error stand, fewer are put right.
    """

    limits: tuple[Limit, ...] = ()
    open_pair: bool = False
    out_of_turn: int = 0

    def limit(self, round_: int) -> Limit | None:
        """The limit of a round, counted from 0."""
        return self.limits[min(round_, len(self.limits) - 1)] if self.limits else None


@dataclass(frozen=True)
class Due:
    """Chips moved by the cards of a row, and what becomes of them."""

    verb: str  # put, take, bank, leftover, losers
    row: int = 0
    values: tuple[int, ...] = ()  # by place in the row; empty: by rank
    word: str = ""


@dataclass(frozen=True)
class Choice:
    """One choice of an option: the word that is said and the text that it puts in."""

    word: str
    text: str


@dataclass(frozen=True)
class Option:
    """A named choice. A number option has `least` and `most` and no choices."""

    name: str
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    asked: bool = False  # a fact that the record must state

    @property
    def is_number(self) -> bool:
        return not self.choices

    @property
    def default(self) -> str | int | None:
        if self.asked:
            return None
        return self.least if self.is_number else self.choices[0].word


@dataclass(frozen=True)
class Range:
    """How many cards may lie in a zone at the end."""

    least: int
    most: int

    def holds(self, count: int) -> bool:
        return self.least <= count <= self.most


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the engine needs to settle a hand. Compared and cached by identity."""

    name: str
    aliases: tuple[str, ...]
    by: str
    source: str
    players: tuple[int, int]
    deck: frozenset[int]
    clockwise: bool
    steps: tuple[Step, ...]
    betting: Betting
    board: tuple[tuple[str, ...], ...]
    lines: tuple[tuple[str, ...], ...]
    hand: tuple[Pattern, ...]
    wild: tuple[CardSet | RankOf, ...]
    bug: tuple[CardSet | RankOf, ...]
    kill: tuple[CardSet, ...]
    values: Mapping[int, tuple[int, ...]]  # points of each card, aces perhaps two ways
    singles: Mapping[int, int]  # the place of each card when single cards are compared
    order: tuple[str, ...]  # categories, weakest first
    shares: tuple[Share, ...]
    declare: Literal["cards-speak", "high-low", "row"]
    both_ways: Literal["outright", "unbeaten"]
    alone: Literal["wins", "must-qualify"]
    unwon: Literal["carry", "split"]
    ties: Literal["split", "first", "deal"]
    tiebreak: tuple[Alternative, ...]
    tiebreak_cards: int
    dues: tuple[Due, ...]
    options: tuple[Option, ...]
    chosen: Mapping[str, str | int]
    piles: tuple[str, ...]
    down: Range
    up: Range
    pile_cards: Mapping[str, int]
    turned: int | None  # cards dealt to be turned over one by one; None: none are
    extra_cards: frozenset[int]  # a card of these, turned up, earns one more
    document: Mapping[str, object] = field(repr=False, default_factory=dict)

    @cached_property
    def bank(self) -> bool:
        """The dealer is the bank: holds no hand, collects and pays."""
        return any(due.verb == "bank" for due in self.dues)

    @cached_property
    def is_plain(self) -> bool:
        """A player's cards lie down or up; none of them kills, is turned over or earns another."""
        rare = self.bank or self.kill or self.extra_cards or self.piles
        return not rare and self.turned is None

    @cached_property
    def row_lengths(self) -> list[int]:
        return [len(row) for row in self.board]

    @cached_property
    def table_options(self) -> tuple[str, int]:
        """Who gets the odd chip, and how many chips a unit is."""
        return str(self.chosen.get("odd_chip", "seat")), int(self.chosen.get("unit", 1))

    @cached_property
    def declares(self) -> bool:
        return self.declare != "cards-speak"

    @cached_property
    def must_show(self) -> bool:
        """The last player left must still show a hand."""
        return self.alone == "must-qualify"

    @cached_property
    def share_names(self) -> tuple[str, ...]:
        return tuple(share.name for share in self.shares)
