"""What the recording page starts with: the table as it sits, or a hand as it was recorded."""

import json
from uuid import UUID

from league.deals.declarations import revealed
from league.deals.shown_cards import agreed, shown
from league.deals.table import Table
from league.matches.matches import MatchStatus
from league.models import Deal, Hand, Night, Revision
from league.pages.parts.forms import word_in_field
from league.pages.record.fill_form import spell
from league.pages.record.read_form import AWAY

Fields = dict[str, list[str]]


def fresh(table: Table, game: str, *, other: bool = False) -> Fields:
    """Return the fields of the table's next hand: everyone in, the next dealer, what is carried.

    Where no game is asked for, a match goes on, and the last game is dealt again where it left a
    pot, to those who have a right in it; not so where an `other` game is wanted.
    """
    if not game and not other and (match := table.match):
        return _of_match(table, match)
    dealer = table.dealer_in_turn
    left, carried, may_win = _carried(table, {seat.player.name for seat in table.taken})
    fields = {"variant": [game], "carried": [carried]}
    if left and not game and not other:
        fields |= {name: spell(left.record).get(name, []) for name in ("variant", "modifiers")}
    for row, seat in enumerate(table.taken):
        fields[f"players/{row}/name"] = [seat.player.name]
        if not (game or other) and may_win and seat.player.name not in may_win:
            fields[f"players/{row}/state"] = [AWAY]
        if dealer is seat:
            fields["button"] = [str(row)]
    return {name: texts for name, texts in fields.items() if any(texts)}


def _of_match(table: Table, match: MatchStatus) -> Fields:
    """Return the fields of the match's next deal: players without a life left are folded, and
    players who were not dealt in stay out."""
    names = [seat.player.name for seat in table.taken]
    game = {
        "variant": match.variant,
        "modifiers": match.modifiers,
        "options": match.next["options"],
    }
    fields = spell({key: value for key, value in game.items() if value}) | _found(match, names)
    fields["drawn"] = fields.get("variant", [])
    for row, seat in enumerate(table.taken):
        fields[f"players/{row}/name"] = [seat.player.name]
        if seat.player.name in table.sitting_out:
            fields[f"players/{row}/state"] = [AWAY]
        elif seat.player.name in match.out:
            fields[f"players/{row}/state"] = ["folded"]
        if table.dealer is seat:
            fields["button"] = [str(row)]
    return {name: texts for name, texts in fields.items() if any(texts)}


def _found(match: MatchStatus, names: list[str]) -> Fields:
    """Return the fields of what the next deal finds; who is out of the match pays nothing."""
    fields = {
        name: texts
        for name, texts in spell(match.found_by(names)).items()
        if name in ("match", "carried")
    }
    out = (row for row, name in enumerate(names) if name in match.out)
    return fields | {f"players/{row}/paid": ["0"] for row in out}


def of_deal(deal: Deal, table: Table) -> Fields:
    """Return the fields of the open deal: its game, who is in, what phones have told of it.

    What two phones tell otherwise is left for the recorder. The hand has the deal's own key.
    """
    fields: Fields = {
        "variant": [deal.variant],
        "modifiers": list(deal.modifiers),
        "deal": [str(deal.pk)],
    }
    fields |= {
        f"options/{name}": [word_in_field(word) if isinstance(word, str) else str(word)]
        for name, word in deal.options.items()
    }
    rows = list(deal.players.select_related("player").order_by("position"))
    told, words = agreed(shown(deal)), revealed(deal)
    left, carried, may_win = _carried(table, {row.player.name for row in rows})
    fields["carried"] = [carried]
    redealt = left is not None and left.record.get("variant") == deal.variant
    fields |= {name: [text] for name, text in told.get(None, {}).items()}
    for place, row in enumerate(rows):
        at = f"players/{place}"
        fields[f"{at}/name"] = [row.player.name]
        is_out = redealt and bool(may_win) and row.player.name not in may_win
        fields[f"{at}/state"] = [AWAY if is_out else "" if row.state == "in" else row.state]
        fields[f"{at}/declared"] = [words.get(row.player_id, "")]
        fields |= {f"{at}/{zone}": [text] for zone, text in told.get(row.player_id, {}).items()}
        if row.player_id == deal.dealer_id:
            fields["button"] = [str(place)]
    match = table.match
    if match and match.variant == deal.variant:
        fields |= _found(match, [row.player.name for row in rows])
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


def _carried(table: Table, here: set[str]) -> tuple[Revision | None, str, set[str]]:
    """Return the hand that left chips, what is typed for them, and who alone may win them.

    These are chips, or pots that only some may win; nobody is named where everybody may.
    """
    chips = table.carry
    revision = table.last_hand if chips else None
    pots = revision.answer.get("carries", []) if revision else []
    if sum(pot["amount"] for pot in pots) != chips:
        return None, str(chips) if chips else "", set()
    if any("for" in pot and not here <= set(pot["for"]) for pot in pots):
        may_win = {name for pot in pots for name in pot.get("for", here)}
        return revision, json.dumps(pots), may_win
    return revision, str(chips) if chips else "", set()
