"""A game as the engine plays it: one document, read under one choice of its options.

Nothing here knows a game by name. `rules.documents.documents` makes a `Game` from a document,
`rules.game.grammar` reads its words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

# What the deal is made of: steps, the places that they name, the limits of betting.


Zone = Literal["down", "up", "own", "unused", "board", "line", "row", "slots", "pile"]


@dataclass(frozen=True)
class Place:
    """Where cards lie: a player's zone, the board, any line or one line, a row, slots, a pile."""

    zone: Zone
    number: int = 0  # of the row or the line, from 1; 0 for any line
    slots: tuple[str, ...] = ()
    pile: str = ""


@dataclass(frozen=True)
class Limit:
    """How much may be bet at once; a spread runs from `least` to `most` units."""

    kind: str  # a word of rules.game.grammar.deal.LIMITS, or spread
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class Step:
    """One step of the deal, read into what it does; `least` and `most` count its cards."""

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
    place: Place | None = None  # of the board: whose ranks are thrown away, what is taken
    cards: frozenset[int] = frozenset()  # that cost something, that refuse a swap
    stands: int = 0  # after so many a player gets no card any more; 0: however many
    prices: tuple[int, ...] = ()  # of a card, or of each card of a row


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


# A match: a game that lives over several deals, by what passes from one deal to the next.
#
# The document says the rules (`MatchRules`); a record says what its deal found (`Found`). Legs are
# earned, lives are lost, a pot stays on the table until the match is over.


@dataclass(frozen=True)
class MatchRules:
    """How deals make a match. Without legs and lives it lasts until the pot is empty.

    `leg_for` are those who earn a leg: alone (nobody else stayed in), best (the best hand of
    several). `life_from` are those who lose a life: worst, losers.
    """

    until_empty: bool = False
    legs: int = 0  # that win the match, and its pot
    lives: int = 0  # that each player begins with; the last one with any wins the pot
    leg_for: frozenset[str] = frozenset()
    life_from: str = ""
    same_dealer: bool = False
    turning: str = ""  # the option that takes its next choice with every deal

    @property
    def keeps_pot(self) -> bool:
        """The pot is won with the match, not with a deal."""
        return bool(self.legs or self.lives)

    def joined(self, other: "MatchRules") -> "MatchRules":
        """Both together; of what both say, this one's."""
        return MatchRules(
            until_empty=self.until_empty or other.until_empty,
            legs=self.legs or other.legs,
            lives=self.lives or other.lives,
            leg_for=self.leg_for | other.leg_for,
            life_from=self.life_from or other.life_from,
            same_dealer=self.same_dealer or other.same_dealer,
            turning=self.turning or other.turning,
        )


@dataclass(frozen=True)
class Found:
    """What a deal found, by seat: the legs earned and the lives left before it."""

    id: str | None = None
    deal: int = 1
    legs: Mapping[int, int] = field(default_factory=dict)
    lives: Mapping[int, int] = field(default_factory=dict)


FIRST_DEAL = Found()
MOST_COUNTED = 1_000  # deals, legs or lives of a match
MATCH_KEYS = ("id", "deal", "legs", "lives")


# Which cards stand for others: by what they are, or by where they lie.


@dataclass(frozen=True)
class CardSet:
    """Cards named by rank, suit, colour or one by one, wherever they lie or only down or up."""

    cards: frozenset[int]
    zone: Literal["", "down", "up"] = ""
    text: str = ""
    share: str = ""  # for which alone the cards are wild; empty: for all
    ends: Literal["", "all", "all in"] = ""  # the deal, where they kill: who may win its pot


@dataclass(frozen=True)
class RankOf:
    """The rank of a card that the deal decides: the middle, lowest, highest, first or last of a
    place."""

    which: Literal["middle", "lowest", "highest", "first", "last"]
    place: Place
    text: str = ""
    share: str = ""
    zone: Literal["", "down", "up"] = ""  # where a card of that rank kills


@dataclass(frozen=True)
class CardOf:
    """A card alone, by where it lies: the first or the last of a place."""

    which: Literal["first", "last"]
    place: Place
    text: str = ""
    share: str = ""


WildRule = CardSet | RankOf | CardOf


# An option of a game: a named choice, and the texts that it puts in.


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
class Term:
    """A quantity of places: `2 down`, `rest board`, `all line`, `1-5 up`."""

    quantity: Literal["count", "all", "rest"]
    places: tuple[Place, ...]
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class CardsAre:
    """A condition on the cards of a place: how many there are, all or of one colour, or faces."""

    place: Place
    group: Literal["", "red", "black", "face"]
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
    number: int = 0  # of `closest 21`, `nearest 7`
    cards: CardSet | None = None  # of `highest s down`, `holds As Js`
    bar: Bar | None = None
    patterns: tuple[Pattern, ...] = ()  # empty: the game's hand
    line: int = 0  # 0: any line
    beating: tuple[Pattern, ...] = ()  # a hand on the table that must be beaten to qualify
    text: str = ""
    after: "Alternative | None" = None  # whose best hand leaves the cards that are unused

    def __hash__(self) -> int:  # asked for with every hand: what is inside takes long
        return hash((self.text, self.scale, self.line))

    @cached_property
    def plays_unused(self) -> bool:
        """Whether it is measured on cards that the hand of another share left."""
        places = (p for pattern in self.patterns for t in pattern.terms for p in t.places)
        return any(place.zone == "unused" for place in places)


@dataclass(frozen=True)
class Share:
    name: str
    alternatives: tuple[Alternative, ...]  # the next one when nobody in the pot qualifies
    tests: tuple[CardsAre, ...] = ()
    joint: int = 1  # so many of the first must be won by one and the same player
    neighbour: str = ""  # left, right: not measured, of who sits beside who won the first share


@dataclass(frozen=True)
class Due:
    """Chips moved by the cards of a row, and what becomes of them."""

    verb: str  # put, take, bank, leftover, losers, against, post, call
    row: int = 0
    values: tuple[int, ...] = ()  # by place in the row; empty: by rank
    word: str = ""
    most: int = 0  # units that a loser matches or pays; 0: no limit
    under_half: bool = False  # players who win less than half of the pot lose as well


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
    wild: tuple[WildRule, ...]
    bug: tuple[WildRule, ...]
    kill: tuple[CardSet | RankOf, ...]
    values: Mapping[int, tuple[int, ...]]  # points of each card, aces perhaps two ways
    per_point: int  # units of a value in a point: 2 where some cards count half a point
    singles: Mapping[int, int]  # the place of each card when single cards are compared
    order: tuple[str, ...]  # categories, weakest first
    ways: frozenset[str]  # skip gaps, no wheel, three cards: to make hands, beside the usual
    shares: tuple[Share, ...]
    declare: Literal["cards-speak", "high-low", "row"]
    both_ways: Literal["outright", "unbeaten"]
    alone: Literal["wins", "must-qualify"]
    unwon: Literal["carry", "split"]
    ties: Literal["split", "first", "suit", "natural", "deal"]
    tiebreak: tuple[Alternative, ...]
    tiebreak_cards: int
    dues: tuple[Due, ...]
    match: MatchRules | None  # of a game that lives over several deals
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
    def against_pot(self) -> str:
        """How a bet against the pot is won: between, higher; empty: nobody bets against it."""
        return next((due.word for due in self.dues if due.verb == "against"), "")

    @cached_property
    def compares_hands(self) -> bool:
        """Players' hands are compared with each other, as in most games."""
        return not (self.bank or self.against_pot)

    @cached_property
    def enders(self) -> frozenset[int]:
        """Cards that end the deal for all as soon as one of them lies up."""
        rules = [rule for rule in self.kill if isinstance(rule, CardSet) and rule.ends]
        return frozenset().union(*(rule.cards for rule in rules))

    @cached_property
    def calls(self) -> frozenset[str]:
        """The posts of which a player says high or low: ace, pair."""
        return frozenset(due.word for due in self.dues if due.verb == "call")

    @cached_property
    def keeps_pot(self) -> bool:
        """The pot stays on the table until a match is won."""
        return self.match is not None and self.match.keeps_pot

    @cached_property
    def loses_cards(self) -> bool:
        """Cards of a rank that lies on the board must go: a hand may be left with none."""
        return any(step.verb == "discard" and step.place for step in self.steps)

    @cached_property
    def for_taking(self) -> frozenset[int]:
        """The rows whose cards players take, by index: they are in no hand while they lie there."""
        return frozenset(n for n, row in enumerate(self.board) if row not in self.common_rows)

    @cached_property
    def common_rows(self) -> tuple[tuple[str, ...], ...]:
        """The rows whose cards are in everybody's hand."""
        return common_rows(self.board, self.steps)

    def slots_at(self, place: Place) -> tuple[str, ...]:
        """The slots of a place of the board."""
        if place.zone == "row":
            return self.board[place.number - 1]
        return place.slots or tuple(slot for row in self.board for slot in row)

    @cached_property
    def row_lengths(self) -> list[int]:
        return [len(row) for row in self.board]

    @cached_property
    def card_bounds(self) -> tuple[int, int, int, int]:
        """The fewest and the most cards that may lie down, and up, at the end."""
        return self.down.least, self.down.most, self.up.least, self.up.most

    @cached_property
    def table_options(self) -> tuple[str, int]:
        """Who gets the odd chip, and how many chips a unit is."""
        return str(self.chosen.get("odd_chip", "seat")), int(self.chosen.get("unit", 1))

    @cached_property
    def own_choices(self) -> dict[str, str | int]:
        """What was chosen of the options that are not at their default."""
        defaults = {option.name: option.default for option in self.options}
        return {name: word for name, word in self.chosen.items() if word != defaults.get(name)}

    @cached_property
    def declares(self) -> bool:
        return self.declare != "cards-speak"

    @cached_property
    def is_joint(self) -> bool:
        """Some share takes the best of several measures at once."""
        return any(share.joint > 1 for share in self.shares)

    @cached_property
    def has_neighbours(self) -> bool:
        """Some share goes to who sits beside a winner."""
        return any(share.neighbour for share in self.shares)

    @cached_property
    def has_table_hand(self) -> bool:
        """A hand on the table must be beaten."""
        return any(alt.beating for share in self.shares for alt in share.alternatives)

    @cached_property
    def must_show(self) -> bool:
        """The last player left must still show a hand."""
        return self.alone == "must-qualify"

    @cached_property
    def hands_decide(self) -> bool:
        """Hands alone say who wins a share of a pot, and nothing follows from who does."""
        rare = self.dues or self.match or self.is_joint or self.has_neighbours
        return not rare and self.turned is None

    @cached_property
    def share_names(self) -> tuple[str, ...]:
        return tuple(share.name for share in self.shares)


def common_rows(
    board: tuple[tuple[str, ...], ...], steps: Iterable[Step]
) -> tuple[tuple[str, ...], ...]:
    """The rows of a board from which nobody takes a card."""
    places = [step.place for step in steps if step.verb in {"take", "bid"} and step.place]
    rows = {place.number for place in places if place.zone == "row"}
    slots = {slot for place in places for slot in place.slots}
    numbered = enumerate(board, start=1)
    return tuple(row for n, row in numbered if n not in rows and slots.isdisjoint(row))
