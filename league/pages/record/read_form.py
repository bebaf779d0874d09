"""The record that the fields of a form spell, whatever is typed into them.

What cannot be read as a number or a card goes into the record as it was typed, for the rules to
refuse by name.
"""

import json
from typing import Any

from django.utils.translation import gettext as _

from league.pages.parts.forms import number, option_in
from league.pages.record.field_names import (
    AWAY,
    FOLDED,
    STATES,
    ZONES,
    Fields,
    Reading,
    Record,
    UnreadableFieldError,
    a_dict,
    a_list,
    cards,
    is_pile,
    is_place,
    rows_of,
    text_of,
)
from rules.json_text import read_json, why_not


def read(fields: Fields) -> Reading:
    """Return the record that the fields spell.

    Raises UnreadableFieldError for `more` fields, and where one took it all and others took some.
    """
    fields = after_showdown(fields)
    rows = [row for row in rows_of(fields) if text_of(fields, f"players/{row}/state") != AWAY]
    record: Record = {}
    _put(record, "variant", text_of(fields, "variant"))
    _put(record, "modifiers", [each for each in fields.get("modifiers", ()) if each])
    _put(record, "options", _options(fields))
    _put(record, "button", _button(fields, rows))
    _put(record, "depth", text_of(fields, "depth"))
    paid = _paid(fields, rows)
    _put(record, "players", [read_player(fields, row, paid.get(row, "")) for row in rows])
    _put(record, "board", _board(fields))
    _put(record, "shared", _shared(fields, rows))
    _put(record, "carried", _carried(text_of(fields, "carried")))
    _put(record, "match", _match(fields))
    _put(record, "tiebreaks", _tiebreaks(fields, rows))
    _put(record, "took", _took(fields, rows, record))
    return Reading(_merged(record, _more(fields, "more")), tuple(rows))


def after_showdown(fields: Fields) -> Fields:
    """Return the fields with the states that follow from who showed: all others folded."""
    showed = set(fields.get("showed", ())) - {""}
    return {**fields, **_folded(fields, showed)} if showed else fields


def _folded(fields: Fields, showed: set[str]) -> dict[str, list[str]]:
    late = set(fields.get("late", ()))
    states = {}
    for row in rows_of(fields):
        state, is_out = text_of(fields, f"players/{row}/state") or "in", str(row) not in showed
        if is_out and (state == "in" or state in FOLDED):
            state = "late" if str(row) in late else "folded"
        elif not is_out and state in FOLDED:
            state = "in"
        states[f"players/{row}/state"] = [state]
    return states


# Parts


def _put(record: Record, key: str, value: Any) -> None:
    if value not in ("", [], {}, None):
        record[key] = value


def _options(fields: Fields) -> Record:
    named = ((name.removeprefix("options/"), name) for name in fields if name[:8] == "options/")
    return {
        option: option_in(text_of(fields, name)) for option, name in named if text_of(fields, name)
    }


def _button(fields: Fields, rows: list[int]) -> object:
    row = number(text_of(fields, "button"))
    if isinstance(row, int) and row in rows_of(fields):
        return rows.index(row) if row in rows else None
    return row


def read_player(fields: Fields, row: int, paid: str = "") -> Record:
    """Return a player's part of the record; `paid` is what is typed for those without a number."""
    at = f"players/{row}"
    player: Record = {}
    _put(player, "name", text_of(fields, f"{at}/name"))
    _put(player, "paid", number(text_of(fields, f"{at}/paid") or paid))
    _put(player, "dead", number(text_of(fields, f"{at}/dead")))
    player |= STATES.get(text_of(fields, f"{at}/state"), {})
    for zone in ZONES:
        _put(player, zone, cards(text_of(fields, f"{at}/{zone}")))
    _put(player, "piles", _piles(fields, f"{at}/piles/"))
    _put(player, "declared", text_of(fields, f"{at}/declared"))
    return _merged(player, _more(fields, f"{at}/more"))


def _piles(fields: Fields, head: str) -> Record:
    named = [name for name in fields if name.startswith(head) and is_pile(name[len(head) :])]
    found = {name.removeprefix(head): cards(text_of(fields, name)) for name in named}
    return {pile: held for pile, held in found.items() if held}


def _paid(fields: Fields, rows: list[int]) -> dict[int, str]:
    """Return what each row paid that has no number of its own: what all did, or the pot evenly."""
    unsaid = [row for row in rows if not text_of(fields, f"players/{row}/paid")]
    pot = number(text_of(fields, "pot")) if text_of(fields, "depth") == "result" else ""
    if not isinstance(pot, int):
        return dict.fromkeys(unsaid, text_of(fields, "all_paid") or str(pot))
    payers = [row for row in unsaid if text_of(fields, f"players/{row}/state") not in FOLDED]
    said = [number(text) for row in rows if (text := text_of(fields, f"players/{row}/paid"))]
    told = [*said, number(text_of(fields, "carried"))]
    left = max(0, pot - sum(chips for chips in told if isinstance(chips, int)))
    return {
        row: str(left // len(payers) + (place < left % len(payers)))
        for place, row in enumerate(payers)
    }


def _shared(fields: Fields, rows: list[int]) -> list[Record]:
    """Return the cards that some hold together; `for` names the rows that are ticked."""
    found = []
    for place in range(_length(fields, "shared")):
        if typed := text_of(fields, f"shared/{place}").strip():
            ticked = {number(each) for each in fields.get(f"shared/{place}/for", ())}
            names = [_name(fields, row) for row in rows if row in ticked]
            found.append({"card": " ".join(cards(typed)), "for": names})
    return found


def _board(fields: Fields) -> list[list[str]]:
    rows = [cards(text_of(fields, f"board/{row}")) for row in range(_length(fields, "board"))]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _length(fields: Fields, head: str) -> int:
    """Return one more than the highest number that a field's name has after `head`."""
    under = (name.removeprefix(f"{head}/") for name in fields if name.startswith(f"{head}/"))
    places = (rest.partition("/")[0] for rest in under)
    return max((int(place) + 1 for place in places if is_place(place)), default=0)


def _carried(text: str) -> object:
    if not text.lstrip().startswith("["):
        return number(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _match(fields: Fields) -> object:
    """Return what the deal found of its match, without those who are not dealt in."""
    text = text_of(fields, "match")
    try:
        found = read_json(text) if text.strip() else None
    except (ValueError, RecursionError):
        return text
    away = {
        _name(fields, row)
        for row in rows_of(fields)
        if text_of(fields, f"players/{row}/state") == AWAY
    }
    if not isinstance(found, dict) or not away:
        return found
    counts = {key: found[key] for key in ("legs", "lives") if isinstance(found.get(key), dict)}
    here = {
        key: {name: number for name, number in told.items() if name not in away}
        for key, told in counts.items()
    }
    return found | here


def _tiebreaks(fields: Fields, rows: list[int]) -> list[Record]:
    names = {str(row): _name(fields, row) for row in rows}
    rounds: dict[int, Record] = {}
    for field in fields:
        place, _mark, row = field.removeprefix("tiebreaks/").partition("/")
        if is_place(place) and row in names and field == f"tiebreaks/{place}/{row}":
            _put(rounds.setdefault(int(place), {}), names[row], cards(text_of(fields, field)))
    return [rounds[place] for place in sorted(rounds) if rounds[place]]


def _name(fields: Fields, row: int) -> str:
    return text_of(fields, f"players/{row}/name")


def _took(fields: Fields, rows: list[int], record: Record) -> Record:
    typed = {row: text_of(fields, f"players/{row}/took") for row in rows}
    took = {_name(fields, row): number(text) for row, text in typed.items() if text.strip()}
    winner = number(text_of(fields, "winner"))
    if record.get("depth") != "result" or not isinstance(winner, int) or winner not in rows:
        return took
    whole = {_name(fields, winner): whole_pot(record)}
    if took and took != whole:
        raise UnreadableFieldError("took", _("Either one took it all, or say what each one took."))
    return whole


def whole_pot(record: Record) -> int:
    """Return the chips of everybody and of the hands before, as far as they are numbers."""
    paid = [a_dict(player).get("paid") for player in a_list(record.get("players"))]
    return sum(each for each in (*paid, record.get("carried")) if type(each) is int)


# JSON


def _more(fields: Fields, name: str) -> Record:
    text = text_of(fields, name)
    return json_object(name, text) if text.strip() else {}


def json_object(name: str, text: str) -> Record:
    try:
        value = read_json(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFieldError(
            name, _("This is not JSON: %(reason)s") % {"reason": why_not(error)}
        ) from error
    if not isinstance(value, dict):
        raise UnreadableFieldError(name, _('This must be an object, as {"variant": "omaha-8"}.'))
    return value


def _merged(told: Record, more: Record) -> Record:
    """Return `told` with `more` laid over it, object by object."""
    both = {key: _laid(told.get(key), value) for key, value in more.items()}
    return {**told, **both}


def _laid(told: object, more: object) -> object:
    return _merged(told, more) if isinstance(told, dict) and isinstance(more, dict) else more
