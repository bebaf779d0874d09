"""A hand as the engine holds it, the bounds of a record, and what can be wrong with one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.game.game import Game

MOST_CHIPS = 10**12
MOST_PLAYERS = 200
MOST_NAME = 200
MOST_CARDS = 120  # in one list
MOST_ROUNDS = 20
MOST_PLACES = 9  # decimal places that a chip of another format may have

RECORD_KEYS = frozenset(
    ("variant", "modifiers", "options", "button", "depth", "players", "board", "shared", "carried",
     "tiebreaks", "took", "actions", "stacks", "stakes", "about")
)  # fmt: skip
PLAYER_KEYS = frozenset(
    ("name", "paid", "dead", "folded", "mucked", "all_in", "down", "up", "piles", "out", "declared")
)
USUAL_KEYS = frozenset(("name", "paid", "down", "up"))
CARRIED_KEYS = ("amount", "for")
SHARED_KEYS = ("card", "for")
SHOWDOWN, RESULT = "showdown", "result"


def are_names(told: Sequence[object]) -> bool:
    """Whether these are names of players that tell them apart; at once, as most are good."""
    if not 0 < len(told) <= MOST_PLAYERS or set(map(type, told)) != {str}:
        return False
    names = [str(name) for name in told]
    lengths = [*map(len, names)]
    good = min(lengths) > 0 and max(lengths) <= MOST_NAME and "".join(names).isprintable()
    return good and len(set(names)) == len(names)


@dataclass(slots=True)
class Player:
    """One player's part of a hand."""

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
        """The down cards, with those that some hold together."""
        return [*self.down, *self.shared] if self.shared else self.down


@dataclass(frozen=True)
class Carried:
    """Chips from an earlier hand. `seats` None: for everybody."""

    amount: int
    seats: tuple[int, ...] | None = None


@dataclass(slots=True)
class Hand:
    """A record that was read. `live` are the seats still in, once killed hands are known."""

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

    def from_dealers_left(self, seat: int) -> int:
        """How many seats after the first to be dealt to; the game's direction counts."""
        steps = seat - self.button if self.game.clockwise else self.button - seat
        return (steps - 1) % len(self.players)
