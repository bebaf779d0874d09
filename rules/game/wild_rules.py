"""Which cards stand for others: by what they are, or by where they lie."""

from dataclasses import dataclass
from typing import Literal

from rules.game.steps import Place


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
