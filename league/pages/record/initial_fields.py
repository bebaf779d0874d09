"""The initial fields of the recording page: the table's next hand, or a recorded hand."""

import json
from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from league.deals.declarations import revealed_declarations
from league.deals.shown_cards import agreed_cards, card_entries
from league.deals.table import Table
from league.matches import MatchStatus
from league.models import Deal, Hand, Night, Seat
from league.nights.nights import last_hand_before
from league.pages.parts.forms import word_in_field
from league.pages.record.fill_form import spell
from league.pages.record.layout import OUT
from league.pages.record.read_form import AWAY, FOLDED, rows_of, text_of

MOST_AMOUNTS = 3  # suggested on the keypad
Fields = dict[str, list[str]]


def fresh(table: Table, game: str, *, other: bool = False) -> Fields:
    """Return the fields of the table's next hand: all players in, the next dealer, the carry.

    Without a `game` or with its game, a match continues. A game that left a pot is dealt again to
    the players who may win that pot. If `other` is true, neither happens.
    """
    match = None if other else table.match
    if match and game in ("", match.variant):
        return _of_match(table, match)
    dealer = table.dealer_in_turn
    carried = _carried(table, {seat.player.name for seat in table.taken})
    fields = {"variant": [game], "carried": [carried]}
    may_win: set[str] = set()
    if table.left_pots and not game and not other:
        left = table.left_pots.hand.record
        fields |= {name: spell(left).get(name, []) for name in ("variant", "modifiers")}
        may_win = table.dealt_again_to(left["variant"])
    for row, seat in enumerate(table.taken):
        fields[f"players/{row}/name"] = [seat.player.name]
        if may_win and seat.player.name not in may_win:
            fields[f"players/{row}/state"] = [AWAY]
        if dealer is seat:
            fields["button"] = [str(row)]
    return {name: texts for name, texts in fields.items() if any(texts)}


def _of_match(table: Table, match: MatchStatus) -> Fields:
    """Return the fields of the match's next deal.

    Players without a life left are folded. Players who were not dealt in are left out again.
    """
    names = [seat.player.name for seat in table.taken]
    game = {
        "variant": match.variant,
        "modifiers": match.modifiers,
        "options": match.next["options"],
    }
    fields = spell({key: value for key, value in game.items() if value})
    fields |= _match_fields(match, names)
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


def _match_fields(match: MatchStatus, names: list[str]) -> Fields:
    """Return the match state as fields. Players who are out of the match pay nothing."""
    fields = {
        name: texts
        for name, texts in spell(match.next_deal_fields(names)).items()
        if name in ("match", "carried")
    }
    out = (row for row, name in enumerate(names) if name in match.out)
    return fields | {f"players/{row}/paid": ["0"] for row in out}


def of_other_game(table: Table, fields: Fields) -> Fields:
    """Return the fields after another game was chosen.

    A game starts with the fields that it has on a fresh page, such as the state and the pot of its
    match. Fields that the recorder has changed keep their values.
    """
    before = fresh(table, text_of(fields, "drawn"), other="match" not in fields)
    after = fresh(table, text_of(fields, "variant"))
    filled = [name for name in {*before, *after} if _filled(fields, name) == _filled(before, name)]
    kept = {name: list(texts) for name, texts in fields.items() if name not in filled}
    # the next deal of a match has options that are not the game's usual ones
    drawn = {name: after[name] for name in ("drawn",) if name in after}
    return kept | {name: after[name] for name in filled if name in after} | drawn


def _filled(fields: Fields, name: str) -> list[str]:
    return [text for text in fields.get(name, ()) if text not in ("", "in")]


def of_deal(deal: Deal, table: Table) -> Fields:
    """Return the open deal's fields: its game, players, and the cards entered on phones.

    Cards on which two phones disagree are left empty. The hand gets the deal's key.
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
    cards, declarations = agreed_cards(card_entries(deal)), revealed_declarations(deal)
    fields["carried"] = [_carried(table, {row.player.name for row in rows})]
    fields |= {name: [text] for name, text in cards.get(None, {}).items()}
    for place, row in enumerate(rows):
        at = f"players/{place}"
        fields[f"{at}/name"] = [row.player.name]
        fields[f"{at}/state"] = ["" if row.state == "in" else row.state]
        fields[f"{at}/declared"] = [declarations.get(row.player_id, "")]
        fields |= {f"{at}/{zone}": [text] for zone, text in cards.get(row.player_id, {}).items()}
        if row.player_id == deal.dealer_id:
            fields["button"] = [str(place)]
    # Once a player is known to be out, the others are expected to show. Until then, the players
    # whose cards are known have shown.
    shown = [place for place, row in enumerate(rows) if cards.get(row.player_id)]
    if any(row.state in OUT - {AWAY} for row in rows):
        shown = [*range(len(rows))]
    if len(shown) > 1:
        fields["showed"] = [
            str(place)
            for place in shown
            if (fields[f"players/{place}/state"][0] or "in") not in OUT
        ]
    match = table.match
    if match and match.variant == deal.variant:
        fields |= _match_fields(match, [row.player.name for row in rows])
    return {name: texts for name, texts in fields.items() if any(texts)}


def last_amounts(table: Table) -> list[int]:
    """Return the amounts that most players paid in the last hand, at most `MOST_AMOUNTS`.

    If the night has no hand yet, the last hand of an earlier night counts.
    """
    last = table.last_hand or last_hand_before(table.night)
    players = last.record["players"] if last else []
    paid = Counter(player.get("paid", 0) for player in players)
    return [chips for chips, _count in paid.most_common() if chips][:MOST_AMOUNTS]


def fields_of_hand(hand: Hand, seats: Iterable[Seat] = ()) -> Fields:
    """Return the fields of the hand's current revision.

    Players in the `seats` who are not in the hand are listed as not dealt in.
    """
    revision = hand.revisions.get(current=True)
    players, button, place = [*revision.record["players"]], revision.record["button"], 0
    ids, away = [revision.names[player["name"]] for player in players], []
    for seat in seats:
        if str(seat.player_id) in ids:
            place = ids.index(str(seat.player_id)) + 1
            continue
        ids.insert(place, str(seat.player_id))
        players.insert(place, {"name": seat.player.name})
        away.append(str(seat.player_id))
        button += place <= button
        place += 1
    fields = spell({**revision.record, "players": players, "button": button})
    return fields | {f"players/{ids.index(player)}/state": [AWAY] for player in away}


def with_common_fields(fields: Fields) -> Fields:
    """Return a hand's fields with the players who showed, and with common payments.

    The players are ticked if another player folded or mucked.
    """
    states = {row: text_of(fields, f"players/{row}/state") for row in rows_of(fields)}
    states = {row: state for row, state in states.items() if state != AWAY}
    showed = [row for row, state in states.items() if state not in OUT]
    if text_of(fields, "depth") == "result" or not 0 < len(showed) < len(states):
        return fields | _common_payment(fields, "all_paid", [*states])
    late = [str(row) for row, state in states.items() if state == "late"]
    ticks = {"showed": [str(row) for row in showed]} | ({"late": late} if late else {})
    stayed = [row for row, state in states.items() if state not in FOLDED]
    paid = _common_payment(fields, "showed_paid", stayed)
    if all(text_of(fields, f"players/{row}/paid") for row in states):
        paid |= _common_payment(fields, "all_paid", [row for row in states if row not in stayed])
    if paid.get("showed_paid") == paid.get("all_paid"):
        paid.pop("showed_paid", None)
    return fields | ticks | paid


def _common_payment(fields: Fields, name: str, rows: Iterable[int]) -> Fields:
    """Return the field for the amount that most of these players paid, if all of them paid.

    Those players have no amount of their own.
    """
    paid = {row: text_of(fields, f"players/{row}/paid") for row in rows}
    ((common, _count),) = Counter(paid.values()).most_common(1)
    if common == "0" or not all(paid.values()):
        return {}
    own = {f"players/{row}/paid": [""] for row in paid if paid[row] == common}
    return {name: [common]} | own


def undone(night: Night, hand_id: str) -> Hand | None:
    """Return the night's voided hand with this id, for correcting and saving it again."""
    try:
        return Hand.objects.filter(night=night, pk=UUID(hand_id), voided=True).first()
    except ValueError:
        return None


def _carried(table: Table, here: set[str]) -> str:
    """Return the value of the field for carried chips: a number, or pots for some players."""
    left = table.left_pots
    if left and left.limited_to(here):
        return json.dumps(left.pots)
    return str(table.free_carry or "")
