"""What the deal is made of: steps, the places that they name, the limits of betting."""

from dataclasses import dataclass
from typing import Literal

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

    kind: str  # a word of rules.game.grammar.betting.LIMITS, or spread
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
