"""The fields of a form that a sentence fills in."""

from dataclasses import dataclass, field

from rules.spoken.sentence import HandClass, Mark, Sentence

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
