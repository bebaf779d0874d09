"""Hands to remember, with the cards that they are about."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from league.models import League
from league.pages.parts.answer_view import Face, face
from league.stats.figures.records import Notable


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


def remembered(rows: Iterable[Notable], league: League) -> SafeString:
    """Return the lines of the hands with the faces of their cards; nothing of none."""
    with timezone.override(league.time_zone or None):
        text = render_to_string("seasons/notable_hands.html", {"memories": _memories(rows)})
    return SafeString(text.strip())


def _memories(rows: Iterable[Notable]) -> list[Memory]:
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
