"""The contents of a sentence about a hand, and the fields of a form that it fills in."""

from dataclasses import dataclass, field

# Reasons for marking a part of the text.
UNKNOWN_WORD = "unknown-word"
AMBIGUOUS_NAME = "ambiguous-name"
NO_PLAYER = "no-player"  # there is no name before it
NOTHING_SAID = "nothing-said"  # nothing follows the name
CONTRADICTION = "contradiction"  # contradicts an earlier statement
NOT_IN_GAME = "not-in-game"  # the game has no such field
NO_SUITS = "no-suits"
NOT_DECIDED = "not-decided"  # the text does not determine who wins how much
TOO_LONG = "too-long"
MARKS = (
    *(UNKNOWN_WORD, AMBIGUOUS_NAME, NO_PLAYER, NOTHING_SAID, CONTRADICTION),
    *(NOT_IN_GAME, NO_SUITS, NOT_DECIDED, TOO_LONG),
)

JOKER = "*"  # any joker
HIGH, LOW, NUT_LOW = "high", "low", "nut-low"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the text, in Unicode characters, and the key of its meaning (`pot`, `cards`).

    `player` is empty if the part concerns the table.
    """

    start: int
    end: int
    key: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of the text that was not recognized or has no matching field, and why.

    `players` are the players that the part may name, or whose field it concerns.
    """

    start: int
    end: int
    code: str
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandClass:
    """A kind of hand: its category and the named ranks, written as in a record ("T").

    The category `low` has the ranks of the low hand, highest first, and `nut-low` has none.
    """

    category: str
    ranks: tuple[str, ...] = ()

    @property
    def way(self) -> str:
        return LOW if self.category in {LOW, NUT_LOW} else HIGH


@dataclass(slots=True)
class PlayerPart:
    """The statements about one player. Cards are keyed by zone, "" if no zone is named."""

    cards: dict[str, list[str]] = field(default_factory=dict)
    ranks: list[str] = field(default_factory=list)  # ranks of cards without suits
    hands: list[HandClass] = field(default_factory=list)
    state: str = ""
    declared: str = ""
    paid: int | None = None
    wins: str = ""  # "high", "low", or "both" for the whole pot
    took: int | None = None


@dataclass(slots=True)
class Sentence:
    """The contents of a sentence about a hand.

    If the sentence does not mention them, chips are None and texts are empty.
    """

    board: list[str] = field(default_factory=list)
    players: dict[str, PlayerPart] = field(default_factory=dict)
    each: int | None = None
    pot: int | None = None
    parts: list[Part] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    @property
    def names_everyone(self) -> bool:
        """Return whether every statement has a player, and all other players are unnamed."""
        return not any(mark.code in {AMBIGUOUS_NAME, NO_PLAYER} for mark in self.marks)

    def player(self, name: str) -> PlayerPart:
        return self.players.setdefault(name, PlayerPart())


FOLDED = "folded"


@dataclass(slots=True)
class PlayerEntry:
    """A player's fields. `cards` are keyed by zone ("down") or pile ("piles/front")."""

    cards: dict[str, list[str]] = field(default_factory=dict)
    state: str = ""
    declared: str = ""
    paid: int | None = None
    took: int | None = None
    hands: list[HandClass] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """The fields of a form that a sentence fills in. If `depth` is None, it stays unchanged.

    `winner` took the whole pot of a result. `pot` is the pot of a result. `showed` contains the
    players whose hands are named, if all players who are not named have folded.
    """

    sentence: Sentence
    depth: str | None = None
    board: list[list[str]] = field(default_factory=list)
    players: dict[str, PlayerEntry] = field(default_factory=dict)
    all_paid: int | None = None
    pot: int | None = None
    winner: str = ""
    showed: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def player(self, name: str) -> PlayerEntry:
        return self.players.setdefault(name, PlayerEntry())

    def mark(self, code: str, key: str, player: str = "") -> None:
        """Mark the parts of the text that have this key as unusable."""
        players = (player,) if player else ()
        marked = {(mark.start, mark.end) for mark in self.marks}
        self.marks += [
            Mark(part.start, part.end, code, players)
            for part in self.sentence.parts
            if (part.key, part.player) == (key, player) and (part.start, part.end) not in marked
        ]
