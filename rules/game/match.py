"""A match: a game that lives over several deals, by what passes from one deal to the next.

The document says the rules (`MatchRules`); a record says what its deal found (`Found`). Legs are
earned, lives are lost, a pot stays on the table until the match is over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


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
