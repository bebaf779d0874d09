"""A hand as the engine stores it, and the limits of a record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from rules.game.game import Game, MatchState

MOST_CHIPS = 10**12
MOST_PLAYERS = 200
MOST_NAME = 200
MOST_CARDS = 120  # maximum number of cards in a list
MOST_ROUNDS = 20
LEAST_RUNS, MOST_RUNS = 2, 4
MOST_PLACES = 9  # maximum number of decimal places of chips in other formats

RECORD_KEYS = frozenset(
    ("variant", "modifiers", "options", "button", "depth", "players", "board", "shared", "carried",
     "tiebreaks", "took", "match", "runs", "actions", "stacks", "stakes", "about")
)  # fmt: skip
PLAYER_KEYS = frozenset(
    ("name", "paid", "dead", "folded", "mucked", "all_in", "down", "up", "piles", "out", "declared")
)
USUAL_KEYS = frozenset(("name", "paid", "down", "up"))
CARRIED_KEYS = ("amount", "for")
SHARED_KEYS = ("card", "for")
RUN_KEYS = frozenset(("board", "players", "shared", "tiebreaks", "options"))
RUN_PLAYER_KEYS = frozenset(("name", "down", "up", "declared"))
SHOWDOWN, RESULT = "showdown", "result"


TEXTS_ALONE = {str}
# Joiners of characters (Unicode 16, 23.2), variation selectors (23.4) and fillers. Python counts
# them as printable, but they are invisible on their own.
UNSEEN = str.maketrans(
    "",
    "",
    "\u200c\u200d\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10))),
)


def is_name(text: str) -> bool:
    """Return whether a player can have this name. Names must be visible text."""
    seen = text if text.isascii() else text.translate(UNSEEN)
    return bool(seen) and len(text) <= MOST_NAME and seen.isprintable()


def are_names(values: Sequence[object]) -> bool:
    """Return whether these are valid, distinct names."""
    if not 0 < len(values) <= MOST_PLAYERS or {*map(type, values)} != TEXTS_ALONE:
        return False
    names = cast("Sequence[str]", values)
    joined = "".join(names)
    if joined.isascii() and len(joined) <= MOST_NAME:  # fast path for the common case
        return joined.isprintable() and "" not in names and len({*names}) == len(names)
    return all(map(is_name, names)) and len({*map(seen_as, names)}) == len(names)


def seen_as(name: str) -> str:
    """Return the visible form of a name, which must be unique among players."""
    return name if name.isascii() else name.translate(UNSEEN)


@dataclass(slots=True)
class Player:
    """A player's chips, cards and declaration in a hand."""

    name: str
    paid: int = 0
    dead: int = 0
    folded: bool = False
    late: bool = False
    mucked: bool = False
    all_in: bool = False
    killed: bool = False
    paid_told: bool = False
    declared: str | None = None
    down: Sequence[int] = ()
    up: Sequence[int] = ()
    out: Sequence[int] = ()
    shared: Sequence[int] = ()
    piles: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def live(self) -> bool:
        return not (self.folded or self.mucked or self.killed)

    @property
    def held_down(self) -> Sequence[int]:
        """Return the down cards, including shared cards."""
        return [*self.down, *self.shared] if self.shared else self.down


@dataclass(frozen=True)
class Carried:
    """Chips from an earlier hand. If `seats` is None, the chips are for all players."""

    amount: int
    seats: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class EndedDeal:
    """A deal that a card ended: the player dealt the card, and the seats that may win the pot.

    An empty tuple means all seats.
    """

    seat: int
    card: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One of the runs of a deal. `index` starts at 0. `live` lists the seats left before the runs.

    `own_tiebreaks` is true if the run has separate rounds to break ties.
    """

    index: int
    of: int
    live: tuple[int, ...]
    own_tiebreaks: bool = False


@dataclass(slots=True)
class Hand:
    """A parsed record. `live` lists the seats left, without killed hands once they are known.

    If the rest of the deal was run several times, `runs` contains a complete hand for each run. The
    hand itself has only the cards before the runs. `run` is set in the hands of runs.
    """

    game: Game
    variant: str
    depth: str
    button: int
    players: list[Player]
    board: list[list[int]]
    carried: list[Carried]
    took: dict[str, int] | None
    tiebreaks: list[dict[str, list[int]]]
    odd_chip: str
    unit: int
    live: list[int] = field(default_factory=list)
    match: MatchState | None = None  # None in the first deal of a match
    ended: EndedDeal | None = None  # set if a card ended the deal for all players
    runs: list["Hand"] = field(default_factory=list)
    run: Run | None = None

    @property
    def common_rows(self) -> list[list[int]]:
        """Return the rows of the board that belong to every player's hand."""
        taken = self.game.for_taking
        return [row for n, row in enumerate(self.board) if n not in taken] if taken else self.board

    def from_dealers_left(self, seat: int) -> int:
        """Return the distance from the first seat that is dealt to, in the game's direction."""
        steps = seat - self.button if self.game.clockwise else self.button - seat
        return (steps - 1) % len(self.players)
