"""What the recording page starts with: the table as it sits, or a hand as it was recorded."""

import json
from uuid import UUID

from league.deals.declarations import revealed
from league.deals.shown_cards import agreed, shown
from league.models import Deal, Hand, Night, Revision, Seat
from league.nights import nights
from league.pages.record.fill_form import spell

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


def of_deal(deal: Deal) -> Fields:
    """Return the fields of the open deal: its game, who is in, and what phones have told of it.

    What two phones tell otherwise is left for the recorder. The hand has the deal's own key.
    """
    fields: Fields = {
        "variant": [deal.variant],
        "modifiers": list(deal.modifiers),
        "deal": [str(deal.pk)],
    }
    fields |= {f"options/{name}": [str(word)] for name, word in deal.options.items()}
    rows = list(deal.players.select_related("player").order_by("position"))
    told, words = agreed(shown(deal)), revealed(deal)
    fields["carried"] = [_carried(deal.night, {row.player.name for row in rows})]
    fields |= {name: [text] for name, text in told.get(None, {}).items()}
    for place, row in enumerate(rows):
        at = f"players/{place}"
        fields[f"{at}/name"] = [row.player.name]
        fields[f"{at}/state"] = ["" if row.state == "in" else row.state]
        fields[f"{at}/declared"] = [words.get(row.player_id, "")]
        fields |= {f"{at}/{zone}": [text] for zone, text in told.get(row.player_id, {}).items()}
        if row.player_id == deal.dealer_id:
            fields["button"] = [str(place)]
    return {name: texts for name, texts in fields.items() if any(texts)}


def again(hand: Hand) -> Fields:
    """Return the fields of a hand as its current revision tells it."""
    return spell(hand.revisions.get(current=True).record)


def undone(night: Night, hand_id: str) -> Hand | None:
    """Return the night's hand of this id if it was taken back, so that it can be typed on."""
    try:
        return Hand.objects.filter(night=night, pk=UUID(hand_id), voided=True).first()
    except ValueError:
        return None


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
