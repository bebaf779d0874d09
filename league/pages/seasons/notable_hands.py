"""Lists of notable hands, with the faces of their cards."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from league.hands.pictures import as_made
from league.models import League
from league.pages.parts.answer_view import CardFace, face
from league.stats.figures.records import Notable


@dataclass(frozen=True, slots=True)
class ShownHand:
    name: str
    called: str
    held: list[CardFace]


@dataclass(frozen=True, slots=True)
class Memory:
    """A notable hand with the faces of its cards."""

    notable: Notable
    shown: list[ShownHand]


def remembered(rows: Iterable[Notable], league: League) -> SafeString:
    """Return the rendered hands with the faces of their cards, or "" if there are no hands."""
    memories = []
    for notable in rows:
        shown = []
        for hand in notable.shown:
            cards = as_made(hand.cards, hand.plays_as, hand.called)
            held = [face(card, plays_as=hand.plays_as.get(card, "")) for card in cards]
            shown.append(ShownHand(hand.name, hand.called, held))
        memories.append(Memory(notable, shown))
    with timezone.override(league.time_zone or None):
        text = render_to_string("seasons/notable_hands.html", {"memories": memories})
    return SafeString(text.strip())
