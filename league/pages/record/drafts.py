"""What the recording page starts with: the table as it sits, or a hand as it was recorded."""

import json
from collections import Counter
from uuid import UUID

from django.db.models import QuerySet

from league.models import Hand, Night, Revision, Seat
from league.nights import nights
from league.pages.record.field_names import AWAY
from league.pages.record.fill_form import spell
from league.pages.record.layout import Dealt

Fields = dict[str, list[str]]

LAST, MOST = 20, 6  # hands of the night and games of the league that come first
FAR_BACK = 300  # hands of the league that say which games it deals most


def fresh(night: Night, game: str) -> Fields:
    """Return the fields of the night's next hand: everyone in, the next dealer, what is carried.

    Where a pot is left and no game is asked for, the last one is dealt again, to those who have a
    right in the pot.
    """
    here = Seat.objects.filter(night=night, left_at=None).select_related("player")
    seats = list(here.order_by("position"))
    dealer = nights.dealer(night)
    left, carried, may_win = _carried(night, {seat.player.name for seat in seats})
    fields = {"variant": [game], "carried": [carried]}
    if left and not game:
        fields |= {name: spell(left.record).get(name, []) for name in ("variant", "modifiers")}
    for row, seat in enumerate(seats):
        fields[f"players/{row}/name"] = [seat.player.name]
        if not game and may_win and seat.player.name not in may_win:
            fields[f"players/{row}/state"] = [AWAY]
        if dealer and dealer.pk == seat.pk:
            fields["button"] = [str(row)]
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


def dealt(night: Night) -> Dealt:
    """Return the games of the night's last hands, newest first, and what the league deals most."""
    here = _current(night).filter(hand__night=night).order_by("-hand__number")
    often = Counter(_variants(_current(night).order_by("-hand__made_at")[:FAR_BACK]))
    return Dealt(_variants(here[:LAST]), [variant for variant, _times in often.most_common(MOST)])


def usual(night: Night, variant: str) -> dict[str, str]:
    """Return the choices that the league made when it last played the game."""
    last = _current(night).filter(record__variant=variant).order_by("-hand__made_at").first()
    chosen = last.record.get("options", {}) if last else {}
    return {name: word for name, word in chosen.items() if isinstance(word, str)}


def _current(night: Night) -> QuerySet[Revision]:
    league = night.season.league_id
    return Revision.objects.filter(hand__night__season__league=league, current=True, voids=False)


def _variants(rows: QuerySet[Revision]) -> list[str]:
    """Return the names of the games of these hands, each once for every hand."""
    variants = rows.values_list("record__variant", flat=True)
    return [variant for variant in variants if isinstance(variant, str)]


def _carried(night: Night, here: set[str]) -> tuple[Revision | None, str, set[str]]:
    """Return the hand that left chips, what is typed for them, and who alone may win them.

    These are chips, or pots that only some may win; nobody is named where everybody may.
    """
    chips = nights.carry(night)
    last = Revision.objects.filter(hand__night=night, hand__voided=False, current=True)
    revision = last.order_by("-hand__number").first() if chips else None
    pots = revision.answer.get("carries", []) if revision else []
    if sum(pot["amount"] for pot in pots) != chips:
        return None, str(chips) if chips else "", set()
    if any("for" in pot and not here <= set(pot["for"]) for pot in pots):
        may_win = {name for pot in pots for name in pot.get("for", here)}
        return revision, json.dumps(pots), may_win
    return revision, str(chips) if chips else "", set()
