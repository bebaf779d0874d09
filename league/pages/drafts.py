"""What the recording page starts with: the table as it sits, or a hand as it was recorded."""

import json

from league import nights
from league.models import Hand, Night, Revision, Seat
from league.pages import record_form

Fields = dict[str, list[str]]


def fresh(night: Night, game: str) -> Fields:
    """Return the fields of the night's next hand: everyone in, the next dealer, what is carried."""
    here = Seat.objects.filter(night=night, left_at=None).select_related("player")
    seats = list(here.order_by("position"))
    dealer = nights.dealer(night)
    carried = _carried(night, {seat.player.name for seat in seats})
    fields = {"variant": [game], "carried": [carried]}
    for row, seat in enumerate(seats):
        fields[f"players/{row}/name"] = [seat.player.name]
        if dealer and dealer.pk == seat.pk:
            fields["button"] = [str(row)]
    return {name: texts for name, texts in fields.items() if any(texts)}


def again(hand: Hand) -> Fields:
    """Return the fields of a hand as its current revision tells it."""
    return record_form.spell(hand.revisions.get(current=True).record)


def recent(night: Night) -> list[str]:
    """Return the games of the night's last hands, the newest first."""
    rows = Revision.objects.filter(hand__night=night, current=True).order_by("-hand__number")
    variants = rows.values_list("record__variant", flat=True)[:20]
    return [variant for variant in variants if isinstance(variant, str)]


def _carried(night: Night, here: set[str]) -> str:
    """Return what the next pot starts with: chips, or pots that only some of them may win."""
    chips = nights.carry(night)
    last = Revision.objects.filter(hand__night=night, hand__voided=False, current=True)
    revision = last.order_by("-hand__number").first() if chips else None
    pots = revision.answer.get("carries", []) if revision else []
    whole = sum(pot["amount"] for pot in pots) == chips
    if pots and whole and any(not here <= set(pot["for"]) for pot in pots):
        return json.dumps(pots)
    return str(chips) if chips else ""
