"""Hands to remember, with the cards that they are about."""

from collections.abc import Iterable
from dataclasses import dataclass

from league.pages.faces import Face, face
from league.stats.records import Notable


@dataclass(frozen=True, slots=True)
class Held:
    name: str
    called: str
    held: list[Face]


@dataclass(frozen=True, slots=True)
class Memory:
    """A hand of the records as a page tells it."""

    notable: Notable
    shown: list[Held]


def remembered(rows: Iterable[Notable]) -> list[Memory]:
    """Return the hands with the faces of their cards."""
    return [
        Memory(
            each,
            [
                Held(
                    one.name,
                    one.called,
                    [face(card, plays_as=one.plays_as.get(card, "")) for card in one.cards],
                )
                for one in each.shown
            ],
        )
        for each in rows
    ]
