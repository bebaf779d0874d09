"""What somebody looks for among many games, by what the games are like: each trait by itself.

A list is narrowed by chips. Those of one group (for how many players, how many cards, how long)
exclude each other; all others add up.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rules.documents.traits import Traits

SHORT, LONG = 3, 5  # rounds of betting: a short game has no more, a long one no fewer
LENGTHS = frozenset(("short", "long"))
KINDS = ("split", "wild", "common", "declare", "draws", "short", "long")


class Chip(NamedTuple):
    """One thing to look for: `players` or `cards` and a number, or `kind` and its word."""

    group: str
    value: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a game can be found by: for how many, cards each, and the kinds that it is of."""

    players: range
    cards: int
    kinds: frozenset[str]

    def has(self, chip: Chip) -> bool:
        if chip.group == "players":
            return int(chip.value) in self.players
        if chip.group == "cards":
            return int(chip.value) == self.cards
        return chip.value in self.kinds


def found_by(traits: Traits, also: Iterable[str] = ()) -> Found:
    """What a game with these traits can be found by; `also` are kinds that a league knows it by."""
    least, most = traits.players
    return Found(range(max(2, least), most + 1), traits.cards, frozenset((*_kinds(traits), *also)))


def _kinds(traits: Traits) -> Iterator[str]:
    draws = traits.draws > 0
    there = (traits.split, traits.wild, traits.common > 0, traits.declare, draws)
    yield from (kind for kind, is_there in zip(KINDS, there, strict=False) if is_there)
    if traits.rounds >= LONG or traits.several_deals:
        yield "long"
    elif traits.rounds <= SHORT:
        yield "short"


def tapped(chosen: Iterable[Chip], chip: Chip) -> frozenset[Chip]:
    """What is looked for once this chip is chosen too: it puts out those that it excludes."""
    return frozenset(each for each in chosen if not _excludes(chip, each)) | {chip}


def _excludes(one: Chip, other: Chip) -> bool:
    if one.group != other.group:
        return False
    return one.group != "kind" or {one.value, other.value} <= LENGTHS


def has_all(found: Found, chosen: Iterable[Chip]) -> bool:
    return all(found.has(chip) for chip in chosen)


def left_by(
    games: Iterable[Found], chosen: Iterable[Chip], chips: Iterable[Chip]
) -> dict[Chip, int]:
    """How many games each chip would leave, chosen beside what is chosen already."""
    among, before = list(games), frozenset(chosen)
    wanted = {chip: tapped(before, chip) for chip in chips}
    return {chip: sum(has_all(each, all_of) for each in among) for chip, all_of in wanted.items()}
