"""A hand's record as the fields of a form, and back: pure, and nothing typed is ever lost.

A field's name is its path in the record: `players/1/down`, `board/0`, `options/low`. Four fields
stand for more than one place: `players/1/state` (folded, mucked, all in, or away: not dealt in),
`all_paid` (what everyone paid who has no number of their own), `winner` (who took the whole pot)
and `more` (JSON: whatever of a record has no field of its own, merged into what the fields say).
What cannot be read as a number or a card goes into the record as it was typed, for the rules to
refuse by name.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

Fields = Mapping[str, Sequence[str]]
Record = dict[str, Any]

STATES: dict[str, Record] = {
    "in": {},
    "folded": {"folded": True},
    "late": {"folded": "late"},
    "mucked": {"mucked": True},
    "all-in": {"all_in": True},
}
AWAY = "away"
ZONES = ("down", "up", "out")
MOST_ROWS = 1000

_CARD = re.compile(r"(?:10|[2-9tjqka])[cdhs]|\*\d|\?\?|[^\s,]+?(?=$|[\s,])", re.IGNORECASE)
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", re.ASCII)


class NotJson(ValueError):
    """A field that should hold JSON holds something else; `field` names it."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Reading:
    """The record that the fields spell, and which row of the form each of its players has."""

    record: Record
    rows: tuple[int, ...]


def read(fields: Fields) -> Reading:
    """Return the record that the fields spell. Raises NotJson for `more` fields."""
    rows = [row for row in rows_of(fields) if _text(fields, f"players/{row}/state") != AWAY]
    record: Record = {}
    _put(record, "variant", _text(fields, "variant"))
    _put(record, "modifiers", [each for each in fields.get("modifiers", ()) if each])
    _put(record, "options", _options(fields))
    _put(record, "button", _button(fields, rows))
    _put(record, "depth", _text(fields, "depth"))
    _put(record, "players", [_player(fields, row) for row in rows])
    _put(record, "board", _board(fields))
    _put(record, "carried", _carried(_text(fields, "carried")))
    _put(record, "tiebreaks", _tiebreaks(fields, rows))
    _put(record, "took", _took(fields, rows, record))
    return Reading(_merged(record, _more(fields, "more")), tuple(rows))


def spell(record: Record) -> dict[str, list[str]]:
    """Return the fields that spell the record; `read` returns it as it was, whatever is in it."""
    spelled = _spelled(record)
    fields = {name: texts for name, texts in spelled if any(texts) or _row(name) is not None}
    for row, player in enumerate(_players(record)):
        told = _player(fields, row)
        _spell_rest(fields, f"players/{row}/more", player, told)
    _spell_rest(fields, "more", record, read(fields).record)
    return fields


def pasted(text: str) -> dict[str, list[str]]:
    """Return the fields that spell a record given as JSON. Raises NotJson for `paste`."""
    return spell(_object("paste", text))


def rows_of(fields: Fields) -> list[int]:
    """Return the numbers of the rows that players have in the form, in order."""
    found = {_row(name) for name in fields if name.endswith("/name")}
    return sorted(row for row in found if row is not None)


def cards(text: str) -> list[str]:
    """Split typed cards ("AsKd 10h, ??"); what is no card stays whole."""
    return _CARD.findall(text.strip())


def number(text: str) -> int | float | str:
    """Return the number that the text is, or the text."""
    text = text.strip()
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > 100:
        return text
    if not match[2] and not match[3]:
        return int(text)
    return float(text) if math.isfinite(float(text)) else text


def field_of(where: str, reading: Reading) -> str:
    """Return the name of the field beside which a problem at this path of the record belongs."""
    head, rest = _split(where)
    match head:
        case "players":
            return _player_field(rest, reading)
        case "board" | "options":
            return f"{head}/{rest.split('/')[0]}" if rest else head
        case "tiebreaks":
            return _tiebreak_field(rest, reading)
        case "took":
            row = _row_of_name(rest, reading)
            return "took" if row is None else f"players/{row}/took"
        case "variant" | "modifiers" | "button" | "depth" | "carried":
            return head
    return "more"


def place_of(where: str) -> str:
    """Return the place of a card among those of its field; nothing for what is no card."""
    *before, last = where.split("/")
    return last if last.isdecimal() and before and before[0] != "modifiers" else ""


# Reading


def _put(record: Record, key: str, value: Any) -> None:
    if value not in ("", [], {}, None):
        record[key] = value


def _text(fields: Fields, name: str) -> str:
    values = fields.get(name) or ("",)
    return values[-1]


def _row(name: str) -> int | None:
    match = re.fullmatch(r"players/(\d{1,3})/name", name, re.ASCII)
    return int(match[1]) if match else None


def _options(fields: Fields) -> Record:
    named = ((name.removeprefix("options/"), name) for name in fields if name[:8] == "options/")
    return {option: number(_text(fields, name)) for option, name in named if _text(fields, name)}


def _button(fields: Fields, rows: list[int]) -> object:
    row = number(_text(fields, "button"))
    if isinstance(row, int) and row in rows_of(fields):
        return rows.index(row) if row in rows else None
    return row


def _player(fields: Fields, row: int) -> Record:
    at = f"players/{row}"
    player: Record = {}
    _put(player, "name", _text(fields, f"{at}/name"))
    _put(player, "paid", number(_text(fields, f"{at}/paid") or _text(fields, "all_paid")))
    _put(player, "dead", number(_text(fields, f"{at}/dead")))
    player |= STATES.get(_text(fields, f"{at}/state"), {})
    for zone in ZONES:
        _put(player, zone, cards(_text(fields, f"{at}/{zone}")))
    _put(player, "declared", _text(fields, f"{at}/declared"))
    return _merged(player, _more(fields, f"{at}/more"))


def _board(fields: Fields) -> list[list[str]]:
    rows = [cards(_text(fields, f"board/{row}")) for row in range(_length(fields, "board"))]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _length(fields: Fields, head: str) -> int:
    """Return one more than the highest number that a field's name has after `head`."""
    numbers = (re.match(rf"{head}/(\d{{1,3}})(/|$)", name, re.ASCII) for name in fields)
    return max((int(match[1]) + 1 for match in numbers if match), default=0)


def _carried(text: str) -> object:
    if not text.lstrip().startswith("["):
        return number(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _tiebreaks(fields: Fields, rows: list[int]) -> list[Record]:
    rounds = []
    for place in range(_length(fields, "tiebreaks")):
        dealt = {
            _name(fields, row): cards(_text(fields, f"tiebreaks/{place}/{row}")) for row in rows
        }
        rounds.append({name: hand for name, hand in dealt.items() if hand})
    return [each for each in rounds if each]


def _name(fields: Fields, row: int) -> str:
    return _text(fields, f"players/{row}/name")


def _took(fields: Fields, rows: list[int], record: Record) -> Record:
    typed = {row: _text(fields, f"players/{row}/took") for row in rows}
    took = {_name(fields, row): number(text) for row, text in typed.items() if text.strip()}
    winner = number(_text(fields, "winner"))
    if took or record.get("depth") != "result" or winner not in rows:
        return took
    return {_name(fields, int(winner)): _pot(record)}


def _pot(record: Record) -> int:
    chips = [player.get("paid") for player in record["players"]] + [record.get("carried")]
    return sum(each for each in chips if type(each) is int)


def _more(fields: Fields, name: str) -> Record:
    text = _text(fields, name)
    return _object(name, text) if text.strip() else {}


def _object(name: str, text: str) -> Record:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise NotJson(name, _("This is not JSON: %(reason)s") % {"reason": error}) from error
    if not isinstance(value, dict):
        raise NotJson(name, _('This must be an object, as {"variant": "omaha-8"}.'))
    return value


def _no_number(name: str) -> None:
    raise ValueError(_("JSON has no %(name)s") % {"name": name})


def _merged(told: Record, more: Record) -> Record:
    """Return `told` with `more` laid over it, object by object."""
    both = {key: _laid(told.get(key), value) for key, value in more.items()}
    return {**told, **both}


def _laid(told: object, more: object) -> object:
    return _merged(told, more) if isinstance(told, dict) and isinstance(more, dict) else more


# Spelling


def _spelled(record: Record) -> Iterator[tuple[str, list[str]]]:
    yield "variant", [_plain(record.get("variant"))]
    yield "modifiers", [_plain(each) for each in _list(record.get("modifiers"))]
    for name, value in _dict(record.get("options")).items():
        yield f"options/{name}", [_plain(value)]
    yield "button", [_plain(record.get("button"))]
    yield "depth", [_plain(record.get("depth"))]
    for row, player in enumerate(_players(record)):
        yield from _spelled_player(f"players/{row}", player, _dict(record.get("took")))
    for place, dealt in enumerate(_list(record.get("board"))):
        yield f"board/{place}", [_hand(dealt)]
    yield "carried", [_spelled_carried(record.get("carried"))]
    yield from _spelled_tiebreaks(record)


def _spelled_player(at: str, player: Record, took: Record) -> Iterator[tuple[str, list[str]]]:
    name = _plain(player.get("name"))
    yield f"{at}/name", [name]
    yield f"{at}/state", [_state(player)]
    for key in ("paid", "dead", "declared"):
        yield f"{at}/{key}", [_plain(player.get(key))]
    for zone in ZONES:
        yield f"{at}/{zone}", [_hand(player.get(zone))]
    yield f"{at}/took", [_plain(took.get(name)) if name else ""]


def _spelled_carried(carried: object) -> str:
    return json.dumps(carried) if isinstance(carried, list) else _plain(carried)


def _spelled_tiebreaks(record: Record) -> Iterator[tuple[str, list[str]]]:
    names = [_plain(player.get("name")) for player in _players(record)]
    for place, dealt in enumerate(_list(record.get("tiebreaks"))):
        for row, name in enumerate(names):
            yield f"tiebreaks/{place}/{row}", [_hand(_dict(dealt).get(name)) if name else ""]


def _spell_rest(fields: dict[str, list[str]], name: str, wanted: Record, told: Record) -> None:
    if rest := _rest(wanted, told):
        fields[name] = [json.dumps(rest)]


def _rest(wanted: Record, told: Record) -> Record:
    """Return what must be laid over `told` to make it `wanted`."""
    rest: Record = {}
    for key, value in wanted.items():
        if key not in told or not _same(value, told[key]):
            nested = isinstance(value, dict) and isinstance(told.get(key), dict)
            rest[key] = _rest(value, told[key]) if nested else value
    return rest


def _same(one: object, other: object) -> bool:
    """Tell whether two JSON values are the same; 1, 1.0 and true are not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _state(player: Record) -> str:
    for state, keys in STATES.items():
        if keys and keys.items() <= {key: player[key] for key in keys if key in player}.items():
            return state
    return "in"


def _plain(value: object) -> str:
    """Return the text that stands for a word or number in a field; none for all else."""
    if isinstance(value, str):
        return value if value.isprintable() else ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value) if _small(value) else ""
    return ""


def _small(value: float) -> bool:
    return abs(value) < 10**100


def _hand(value: object) -> str:
    return " ".join(_plain(card) for card in _list(value))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> Record:
    return value if isinstance(value, dict) else {}


def _players(record: Record) -> list[Record]:
    """Return the players, if they are such that each can have a row of the form."""
    players = _list(record.get("players"))
    fit = len(players) <= MOST_ROWS and all(isinstance(player, dict) for player in players)
    return players if fit else []


# Places


def _split(path: str) -> tuple[str, str]:
    head, _slash, rest = path.partition("/")
    return head, rest


def _player_field(rest: str, reading: Reading) -> str:
    place, key = _split(rest)
    if not place.isdecimal() or int(place) >= len(reading.rows):
        return "players"
    row, key = reading.rows[int(place)], key.split("/")[0] or "name"
    if key in ("folded", "mucked", "all_in"):
        key = "state"
    known = key in (*ZONES, "name", "paid", "dead", "declared", "state")
    return f"players/{row}/{key if known else 'more'}"


def _tiebreak_field(rest: str, reading: Reading) -> str:
    place, name = _split(rest)
    row = _row_of_name(name, reading)
    if row is None:
        row = _row_of_name(name.rpartition("/")[0], reading)
    return "tiebreaks" if row is None else f"tiebreaks/{place}/{row}"


def _row_of_name(name: str, reading: Reading) -> int | None:
    named = zip(reading.rows, _list(reading.record.get("players")), strict=False)
    return next((row for row, player in named if _dict(player).get("name") == name), None)
