"""The fields that stand for a hand's record: their names, and the words typed into them.

A field's name is its path in the record: `players/1/down`, `players/1/piles/front`, `board/0`,
`options/low`. Some fields stand for more than one place: `players/1/state` (folded, mucked, all
in, or away: not dealt in), `all_paid` (what everyone paid who has no number of their own), `pot`
(of a result: what was in it, paid evenly by those in who have no number of their own), `winner`
(who took the whole pot), `showed` and `late` (the rows of who showed and, of all others, of who
folded after the last card), `shared/0` with `shared/0/for` (a card that some hold together, and the
rows of those who do), `match` (JSON: what the deal found of its match) and `more` (JSON: whatever
of a record has no field of its own, merged into what the fields say).
`read_form` makes a record of fields, `fill_form` fields of a record, `error_fields`
finds the field of a place in the record; all pure, and nothing typed is ever lost.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.errors import path_part

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
FOLDED = frozenset({"folded", "late"})
ZONES = ("down", "up", "out")
MOST_ROWS = 1000
LONGEST_PLACE = 3  # digits: rows and places are counted from 0

_PILE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}\Z")
_CARD = re.compile(r"(?:10|[2-9tjqka])[cdhs]|\*\d|\?\?|[^\s,]+", re.IGNORECASE)


class UnreadableFieldError(ValueError):
    """What a field holds can't be read, or says something else than another; `field` names it."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Reading:
    """The record that the fields spell, and which row of the form each of its players has."""

    record: Record
    rows: tuple[int, ...]


def rows_of(fields: Fields) -> list[int]:
    """Return the numbers of the rows that players have in the form, in order."""
    found = {row_named(name) for name in fields if name.endswith("/name")}
    return sorted(row for row in found if row is not None)


def row_named(name: str) -> int | None:
    place = name.removeprefix("players/").removesuffix("/name")
    return int(place) if is_place(place) and name == f"players/{place}/name" else None


def is_place(text: str) -> bool:
    """Tell whether a part of a field's name is the number of a row or a place in one."""
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_PLACE


def cards(text: str) -> list[str]:
    """Split typed cards ("AsKd 10h, ??"); what is no card stays whole."""
    return _CARD.findall(text.strip())


def a_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def a_dict(value: object) -> Record:
    return value if isinstance(value, dict) else {}


def is_pile(name: object) -> bool:
    """Tell whether cards that are laid into a pile of this name have a field of their own."""
    return isinstance(name, str) and bool(_PILE.match(name))


def text_of(fields: Fields, name: str) -> str:
    values = fields.get(name) or ("",)
    return values[-1]


# Beside which field a problem at a path of the record belongs.


def field_of(where: str, reading: Reading) -> str:
    """Return the name of the field beside which a problem at this path of the record belongs."""
    head, rest = _split(where)
    match head:
        case "players":
            return _player_field(rest, reading)
        case "board" | "options":
            return f"{head}/{rest.split('/')[0]}" if rest else head
        case "shared":
            place, key = _split(rest)
            return f"shared/{place}/for" if key.startswith("for") else f"shared/{place}"
        case "tiebreaks":
            return _tiebreak_field(rest, reading)
        case "took":
            row = _row_of_name(rest, reading)
            return "took" if row is None else f"players/{row}/took"
        case "variant" | "modifiers" | "button" | "depth" | "carried" | "match":
            return head
    return "more"


def place_of(where: str) -> str:
    """Return the place of a card among those of its field; nothing for what is no card."""
    *before, last = where.split("/")
    return last if last.isdecimal() and before and before[0] != "modifiers" else ""


def _split(path: str) -> tuple[str, str]:
    head, _slash, rest = path.partition("/")
    return head, rest


def _player_field(rest: str, reading: Reading) -> str:
    place, key = _split(rest)
    if not place.isdecimal() or int(place) >= len(reading.rows):
        return "players"
    row, (key, below) = reading.rows[int(place)], _split(key or "name")
    if key == "piles" and is_pile(pile := below.split("/")[0]):
        return f"players/{row}/piles/{pile}"
    if key in ("folded", "mucked", "all_in"):
        key = "state"
    if key == "piles" and "piles" not in a_dict(a_list(reading.record["players"])[int(place)]):
        return f"players/{row}/piles"  # none is laid
    known = key in (*ZONES, "name", "paid", "dead", "declared", "state")
    return f"players/{row}/{key if known else 'more'}"


def _tiebreak_field(rest: str, reading: Reading) -> str:
    place, rest = _split(rest)
    row = _row_of_name(_split(rest)[0], reading)
    return "tiebreaks" if row is None else f"tiebreaks/{place}/{row}"


def _row_of_name(part: str, reading: Reading) -> int | None:
    """Return the row of the player whose name is this part of a JSON pointer."""
    named = zip(reading.rows, a_list(reading.record.get("players")), strict=False)
    return next((row for row, each in named if path_part(a_dict(each).get("name")) == part), None)
