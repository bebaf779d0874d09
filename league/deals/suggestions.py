"""What shall I deal? Three games out of many, drawn by a number: pure, without a look at any row.

The same number draws the same games on every phone: `games/suggestions.js` draws them
without a signal, and a test of the browser holds that both agree.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

MOST = 3
SEEDS = 10_000  # a number of four digits, which somebody can say across the table


class Why(StrEnum):
    """Why a game is suggested."""

    FAVOURITE = "favourite"
    DEALT = "dealt"
    NEW = "new"


# One that somebody loves, one that the league deals and has not for a while, one that it never has.
SLOTS = tuple(Why)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game that could be dealt: for how many it is, and how the league knows it."""

    slug: str
    family: str
    players: range
    loved: bool = False
    dealt: bool = False
    lately: bool = False

    @property
    def why(self) -> Why:
        if self.loved:
            return Why.FAVOURITE
        return Why.DEALT if self.dealt else Why.NEW


def suggest(games: Iterable[Candidate], seated: int, seed: int) -> list[Candidate]:
    """Return up to three games for as many players, none of them dealt lately.

    Of three families wherever there are three; of the kinds in `SLOTS` as far as that allows.
    """
    fit = [each for each in games if seated in each.players and not each.lately]
    drawn = sorted(fit, key=lambda each: (_lot(seed, each.slug), each.slug))
    picked: list[Candidate] = []
    for wanted in SLOTS:
        left = [each for each in drawn if each not in picked]
        if left:
            picked.append(_best(left, wanted, {each.family for each in picked}))
    return picked[:MOST]


def _best(left: Sequence[Candidate], wanted: Why, families: set[str]) -> Candidate:
    """Return the first in the order drawn of those that have most of what is wanted."""
    return min(left, key=lambda each: (each.family in families, each.why != wanted))


def _lot(seed: int, slug: str) -> int:
    """Return the place that a number draws for a game: FNV-1a of 32 bits, then mixed once more.

    FNV alone leaves names that end alike beside each other; the mixing is that of MurmurHash3.
    """
    lot = 0x811C9DC5
    for letter in f"{seed}:{slug}".encode():
        lot = (lot ^ letter) * 0x01000193 & 0xFFFFFFFF
    lot = (lot ^ lot >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    lot = (lot ^ lot >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return lot ^ lot >> 16
