"""A game as the engine plays it: one document with one choice for each of its options.

No engine code depends on a game's name. `rules.documents.documents` builds a `Game` from a
document, and `rules.game.grammar` parses its text.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Literal

# The deal: steps, their positions, and betting limits.


Zone = Literal["down", "up", "own", "unused", "board", "line", "row", "slots", "pile"]


@dataclass(frozen=True)
class Place:
    """A location of cards: a zone of a player, the board, a line, a row, slots or a pile."""

    zone: Zone
    number: int = 0  # number of the row or line, starting at 1; 0 means any line
    slots: tuple[str, ...] = ()
    pile: str = ""


@dataclass(frozen=True)
class Limit:
    """How much a player may bet at once. A spread allows `least` to `most` units."""

    kind: str  # a word in rules.game.grammar.deal.LIMITS, or "spread"
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class Step:
    """One parsed step of the deal, with `least` to `most` cards."""

    verb: str
    text: str
    zone: str = ""
    least: int = 0
    most: int = 0
    change: int = 0  # how many cards an exchange adds or removes
    slots: tuple[str, ...] = ()
    face_down: bool = False
    ranks: frozenset[int] = frozenset()
    word: str = ""  # which player opens, a direction, a price, or who chooses
    must: bool = False  # whether the opener must bet
    # this round's limit; None means that the game's betting applies
    limit: Limit | None = None
    # the board position of the cards to take, or of the ranks to discard
    place: Place | None = None
    cards: frozenset[int] = frozenset()  # cards that cost something or block a swap
    # how many times a player may stand before receiving no more cards; 0 means no limit
    stands: int = 0
    prices: tuple[int, ...] = ()  # the price of a card, or of each card in a row


@dataclass(frozen=True)
class Betting:
    """The limits of the betting rounds in order. The last limit applies to all later rounds.

    Without limits, any bet is allowed. If `open_pair` is true, the last limit applies once a player
    shows a pair. `out_of_turn` is the number of actions after which a dealer's error about the turn
    is accepted. Before that, the error is corrected.
    """

    limits: tuple[Limit, ...] = ()
    open_pair: bool = False
    out_of_turn: int = 0

    def limit(self, round_: int) -> Limit | None:
        """Return the limit of a round, counted from 0."""
        return self.limits[min(round_, len(self.limits) - 1)] if self.limits else None


# A match is a game played over several deals. `MatchRules` are read from the document, and
# `MatchState` is read from a deal's record. Players earn legs or lose lives, and a pot stays on the
# table until the match is over.


@dataclass(frozen=True)
class MatchRules:
    """The rules for a match that consists of several deals.

    Without legs and lives, a match lasts until the pot is empty. `leg_for` lists the players who
    earn a leg: alone (the only player left) or best (the best of several hands). `life_from` lists
    the players who lose a life: worst or losers.
    """

    until_empty: bool = False
    legs: int = 0  # number of legs needed to win the match and its pot
    lives: int = 0  # each player's lives at the start; the last player with a life wins the pot
    leg_for: frozenset[str] = frozenset()
    life_from: str = ""
    same_dealer: bool = False
    turning: str = ""  # the option that moves to its next choice with every deal

    @property
    def keeps_pot(self) -> bool:
        """Return whether the pot goes to the winner of the match instead of a deal."""
        return bool(self.legs or self.lives)

    def joined(self, other: "MatchRules") -> "MatchRules":
        """Combine two sets of rules. If both set a value, the value of `self` applies."""
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
class MatchState:
    """The state of a match before a deal, with legs earned and lives left, keyed by seat."""

    id: str | None = None
    deal: int = 1
    legs: Mapping[int, int] = field(default_factory=dict)
    lives: Mapping[int, int] = field(default_factory=dict)


FIRST_DEAL = MatchState()
MOST_COUNTED = 1_000  # maximum number of deals, legs or lives in a match
MATCH_KEYS = ("id", "deal", "legs", "lives")


# Wild and killing cards, defined by rank and suit or by location.


@dataclass(frozen=True)
class CardSet:
    """Cards given by rank, suit, colour or one by one, in any zone or only down or up."""

    cards: frozenset[int]
    zone: Literal["", "down", "up"] = ""
    text: str = ""
    share: str = ""  # the only share for which the cards are wild; empty means all shares
    # which players can win the pot if a killing card ends the deal
    ends: Literal["", "all", "all in"] = ""


@dataclass(frozen=True)
class RankOf:
    """A rank that depends on the deal, because it is the rank of a card in a place."""

    which: Literal["middle", "lowest", "highest", "first", "last"]
    place: Place
    text: str = ""
    share: str = ""
    zone: Literal["", "down", "up"] = ""  # a card of this rank kills a hand only in this zone


@dataclass(frozen=True)
class CardOf:
    """A single card defined by its position: the first or the last card in a place."""

    which: Literal["first", "last"]
    place: Place
    text: str = ""
    share: str = ""


WildRule = CardSet | RankOf | CardOf


# A game's options.


@dataclass(frozen=True)
class Choice:
    """One choice of an option: its name and the text that it inserts into the document."""

    word: str
    text: str


@dataclass(frozen=True)
class Option:
    """An option with named choices. A number option has `least` and `most` instead of choices."""

    name: str
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    asked: bool = False  # whether the option is a fact that the record must state

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
    """A number of cards from some places: `2 down`, `rest board`, `all line`, `1-5 up`."""

    quantity: Literal["count", "all", "rest"]
    places: tuple[Place, ...]
    least: int = 0
    most: int = 0


@dataclass(frozen=True)
class CardsAre:
    """A condition on the number of cards in a place: all cards, one colour or face cards."""

    place: Place
    group: Literal["", "red", "black", "face"]
    least: int
    most: int
    negated: bool = False


@dataclass(frozen=True)
class Pattern:
    """A rule for the cards that form a hand. The player's cards must pass all `tests`."""

    terms: tuple[Term, ...]
    tests: tuple[CardsAre, ...] = ()
    text: str = ""

    def __hash__(self) -> int:  # called for every hand; hashing all fields would be slow
        return hash(self.text)


@dataclass(frozen=True)
class Bar:
    """The qualifier of a share. It is a number, or a category with an optional rank (0..12)."""

    text: str
    category: str = ""
    rank: int | None = None
    number: int = 0


@dataclass(frozen=True)
class Alternative:
    """A measure of a share: a scale, a qualifier and the cards that form a hand."""

    scale: str
    number: int = 0  # the number in `closest 21` or `nearest 7`
    cards: CardSet | None = None  # the cards in `highest s down` or `holds As Js`
    bar: Bar | None = None
    patterns: tuple[Pattern, ...] = ()  # empty for the game's own hand
    line: int = 0  # 0 means any line
    # hands on the table that a player's hand must beat in order to qualify
    beating: tuple[Pattern, ...] = ()
    text: str = ""
    after: "Alternative | None" = None  # the measure whose best hand determines the unused cards

    def __hash__(self) -> int:  # called for every hand; hashing all fields would be slow
        return hash((self.text, self.scale, self.line))

    @cached_property
    def plays_unused(self) -> bool:
        """Return whether this measures cards that a different share's hand leaves unused."""
        places = (p for pattern in self.patterns for t in pattern.terms for p in t.places)
        return any(place.zone == "unused" for place in places)


@dataclass(frozen=True)
class Share:
    name: str
    # an alternative applies if no player qualifies for the ones before it
    alternatives: tuple[Alternative, ...]
    tests: tuple[CardsAre, ...] = ()
    joint: int = 1  # how many of the first alternatives a single player must win
    # "left" or "right" if the share goes to that neighbour of the first share's winner
    neighbour: str = ""


@dataclass(frozen=True)
class Due:
    """Chips that move because of the cards of a row, and where they go."""

    verb: str  # put, take, bank, leftover, losers, against, post or call
    row: int = 0
    # chips by the card's place in the row; if empty, the ranks of the cards count
    values: tuple[int, ...] = ()
    word: str = ""
    most: int = 0  # maximum number of units that a loser matches or pays; 0 means no limit
    under_half: bool = False  # whether players who win less than half of the pot also lose


@dataclass(frozen=True)
class Range:
    """The fewest and the most cards in a zone at the end of the deal."""

    least: int
    most: int

    def holds(self, count: int) -> bool:
        return self.least <= count <= self.most


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the engine needs to settle a hand. Games are compared and cached by identity."""

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
    values: Mapping[int, tuple[int, ...]]  # the points of each card; aces may have two values
    per_point: int  # units of `values` per point; 2 if some cards count as half a point
    singles: Mapping[int, int]  # the rank of each card when single cards are compared
    order: tuple[str, ...]  # hand categories, from weakest to strongest
    ways: frozenset[str]  # unusual straights and flushes: skip gaps, no wheel, three cards
    shares: tuple[Share, ...]
    declare: Literal["cards-speak", "high-low", "row"]
    both_ways: Literal["outright", "unbeaten"]
    lost_both: Literal["next-best", "winner-takes-all", "each-keeps", "redeal"]
    alone: Literal["wins", "must-qualify"]
    unwon: Literal["carry", "split"]
    ties: Literal["split", "first", "suit", "natural", "deal"]
    tiebreak: tuple[Alternative, ...]
    tiebreak_cards: int
    dues: tuple[Due, ...]
    match: MatchRules | None  # the rules of a game played over several deals
    options: tuple[Option, ...]
    chosen: Mapping[str, str | int]
    piles: tuple[str, ...]
    down: Range
    up: Range
    pile_cards: Mapping[str, int]
    turned: int | None  # number of cards dealt to be turned over one by one, or None
    extra_cards: frozenset[int]  # cards that earn one more card each if they are dealt face up
    document: Mapping[str, object] = field(repr=False, default_factory=dict)

    @cached_property
    def bank(self) -> bool:
        """Return whether the dealer is the bank, which has no hand but collects and pays chips."""
        return any(due.verb == "bank" for due in self.dues)

    @cached_property
    def against_pot(self) -> str:
        """Return how bets against the pot are won (between or higher), or "" without such bets."""
        return next((due.word for due in self.dues if due.verb == "against"), "")

    @cached_property
    def compares_hands(self) -> bool:
        """Return whether players' hands are compared with each other, as in most games."""
        return not (self.bank or self.against_pot)

    @cached_property
    def enders(self) -> frozenset[int]:
        """Return the cards that end the deal for all players once one of them is face up."""
        rules = [rule for rule in self.kill if isinstance(rule, CardSet) and rule.ends]
        return frozenset().union(*(rule.cards for rule in rules))

    @cached_property
    def calls(self) -> frozenset[str]:
        """Return the posts (ace, pair) for which a player calls high or low."""
        return frozenset(due.word for due in self.dues if due.verb == "call")

    @cached_property
    def keeps_pot(self) -> bool:
        """Return whether the pot stays on the table until a player wins the match."""
        return self.match is not None and self.match.keeps_pot

    @cached_property
    def loses_cards(self) -> bool:
        """Return whether players discard cards of a rank on the board, which can empty a hand."""
        return any(step.verb == "discard" and step.place for step in self.steps)

    @cached_property
    def for_taking(self) -> frozenset[int]:
        """Return the row indexes from which players take cards. No hand includes these cards."""
        return frozenset(n for n, row in enumerate(self.board) if row not in self.common_rows)

    @cached_property
    def common_rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the rows whose cards belong to every player's hand."""
        return common_rows(self.board, self.steps)

    @cached_property
    def names_slots(self) -> bool:
        """Return whether the board has several rows or lines, or rules name its slots."""
        has_lines = self.lines not in ((), self.board)
        return len(self.board) > 1 or has_lines or _refers_to_slots(self)

    def slots_at(self, place: Place) -> tuple[str, ...]:
        if place.zone == "row":
            return self.board[place.number - 1]
        return place.slots or tuple(slot for row in self.board for slot in row)

    @cached_property
    def row_lengths(self) -> list[int]:
        return [len(row) for row in self.board]

    @cached_property
    def card_bounds(self) -> tuple[int, int, int, int]:
        """Return the fewest and most cards down, then the fewest and most cards up, at the end."""
        return self.down.least, self.down.most, self.up.least, self.up.most

    @cached_property
    def table_options(self) -> tuple[str, int]:
        """Return which player gets the odd chip, and the number of chips in a unit."""
        return str(self.chosen.get("odd_chip", "seat")), int(self.chosen.get("unit", 1))

    @cached_property
    def own_choices(self) -> dict[str, str | int]:
        """Return the options that differ from their defaults."""
        defaults = {option.name: option.default for option in self.options}
        return {name: word for name, word in self.chosen.items() if word != defaults.get(name)}

    @cached_property
    def declares(self) -> bool:
        return self.declare != "cards-speak"

    @cached_property
    def is_joint(self) -> bool:
        """Return whether a player must win several measures of a share at once."""
        return any(share.joint > 1 for share in self.shares)

    @cached_property
    def has_neighbours(self) -> bool:
        """Return whether a share goes to the neighbour of a winner."""
        return any(share.neighbour for share in self.shares)

    @cached_property
    def has_table_hand(self) -> bool:
        """Return whether players must beat a hand on the table."""
        return any(alt.beating for share in self.shares for alt in share.alternatives)

    @cached_property
    def must_show(self) -> bool:
        """Return whether the last player left must show a hand."""
        return self.alone == "must-qualify"

    @cached_property
    def hands_decide(self) -> bool:
        """Return whether hands alone decide the shares of a pot, without any other effect."""
        rare = self.dues or self.match or self.is_joint or self.has_neighbours
        return not rare and self.turned is None

    @cached_property
    def share_names(self) -> tuple[str, ...]:
        return tuple(share.name for share in self.shares)


def common_rows(
    board: tuple[tuple[str, ...], ...], steps: Iterable[Step]
) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a board from which players can't take cards."""
    places = [step.place for step in steps if step.verb in {"take", "bid"} and step.place]
    rows = {place.number for place in places if place.zone == "row"}
    slots = {slot for place in places for slot in place.slots}
    numbered = enumerate(board, start=1)
    return tuple(row for n, row in numbered if n not in rows and slots.isdisjoint(row))


def _refers_to_slots(rule: object) -> bool:
    """Return whether a part of the rules contains a place with named slots."""
    if isinstance(rule, Place):
        return bool(rule.slots)
    if is_dataclass(rule) and not isinstance(rule, type):
        return any(_refers_to_slots(getattr(rule, part.name)) for part in fields(rule))
    return isinstance(rule, tuple | frozenset) and any(map(_refers_to_slots, rule))
