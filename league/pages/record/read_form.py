"""Read the record that a form's fields contain.

A field's name is its path in the record: `players/1/down`, `players/1/piles/front`, `board/0`,
`options/low`. Some fields fill several places in the record:

* `players/1/state`: folded, mucked, all in, or away (not dealt in)
* `all_paid`: the payment of each player who has no amount of their own
* `showed_paid`: likewise, for the players who showed or mucked, if any showed
* `pot`: the pot of a result, split equally among remaining players without their own amount
* `winner`: the player who took the whole pot
* `showed`, `late`: the rows of the players who showed, and of those who folded after the last card
* `shared/0`, `shared/0/for`: a card that several players share, and their rows
* `runs`: how many times the deal was run; the cards of the second run are in
  `runs/1/board/0` and `runs/1/players/1/up` (see `runs`)
* `match`: JSON, the state of the match before the deal
* `more`: JSON, merged into the record, for everything that has no field of its own

`fill_form` does the reverse. Text that is not a number or a card is stored in the record as typed,
and the rules report it as an error.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league.pages.parts.forms import number, option_in
from league.pages.record.runs import MOST_RUNS, divide
from league.pages.record.runs import ZONES as RUN_ZONES
from rules.json_text import describe_error, read_json

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
STAYED = frozenset({"mucked", "all-in"})  # at the showdown, even if they did not show
ZONES = ("down", "up", "out")
MOST_ROWS = 1000
LONGEST_PLACE = 3  # maximum digits of a row or place number; numbers start at 0

_PILE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}\Z")
_CARD = re.compile(r"(?:10|[2-9tjqka])[cdhs]|\*\d|\?\?|[^\s,]+", re.IGNORECASE)


class UnreadableFieldError(ValueError):
    """A field can't be read or contradicts another field. `field` is its name."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Reading:
    """The record that a form contains, the form row of each of its players, and its runs.

    A record with runs in `more` has no fields for them, so its `runs` is 1.
    """

    record: Record
    rows: tuple[int, ...]
    runs: int = 1


def rows_of(fields: Fields) -> list[int]:
    """Return the row numbers of the form's players, in order."""
    rows = {row_named(name) for name in fields if name.endswith("/name")}
    return sorted(row for row in rows if row is not None)


def row_named(name: str) -> int | None:
    place = name.removeprefix("players/").removesuffix("/name")
    return int(place) if is_place(place) and name == f"players/{place}/name" else None


def is_place(text: str) -> bool:
    """Return whether part of a field name is a row or place number."""
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_PLACE


def cards(text: str) -> list[str]:
    """Split typed cards ("AsKd 10h, ??"). Words that are not cards stay unchanged."""
    return _CARD.findall(text.strip())


def list_or_empty(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def dict_or_empty(value: object) -> Record:
    return value if isinstance(value, dict) else {}


def is_pile(name: object) -> bool:
    """Return whether a pile with this name has its own field."""
    return isinstance(name, str) and bool(_PILE.match(name))


def text_of(fields: Fields, name: str) -> str:
    values = fields.get(name) or ("",)
    return values[-1]


# --- the record ---------------------------------------------------------------------------------


def read(fields: Fields) -> Reading:
    """Return the record that the form contains.

    Raises UnreadableFieldError if `more` is invalid, or if one player took the whole pot and others
    took part of it.
    """
    fields = after_showdown(fields)
    rows = [row for row in rows_of(fields) if text_of(fields, f"players/{row}/state") != AWAY]
    options = {
        name.removeprefix("options/"): option_in(text_of(fields, name))
        for name in fields
        if name.startswith("options/") and text_of(fields, name)
    }
    button: object = number(text_of(fields, "button"))
    if isinstance(button, int) and button in rows_of(fields):
        # A player who is not dealt in can't deal, so the next player does.
        after = [place for place, row in enumerate(rows) if row >= button]
        button = next(iter(after), 0) if rows else None
    paid = _paid(fields, rows)
    board = [cards(text_of(fields, f"board/{row}")) for row in range(_length(fields, "board"))]
    while board and not board[-1]:
        board.pop()
    record: Record = {}
    _put(record, "variant", text_of(fields, "variant"))
    _put(record, "modifiers", [name for name in fields.get("modifiers", ()) if name])
    _put(record, "options", options)
    _put(record, "button", button)
    _put(record, "depth", text_of(fields, "depth"))
    piles = piles_of(fields)
    _put(
        record,
        "players",
        [read_player(fields, row, piles.get(str(row), ()), paid.get(row, "")) for row in rows],
    )
    _put(record, "board", board)
    _put(record, "shared", _shared(fields, rows))
    _put(record, "carried", read_carried(text_of(fields, "carried")))
    _put(record, "match", _match(fields))
    _put(record, "tiebreaks", _tiebreaks(fields, rows))
    _put(record, "took", _took(fields, rows, record))
    record = _with_runs(fields, rows, record)
    return Reading(_merged(record, _more(fields, "more")), tuple(rows), runs_of(fields))


def after_showdown(fields: Fields) -> Fields:
    """Return the fields with the player states implied by `showed`: other players folded."""
    showed = set(fields.get("showed", ())) - {""}
    if not showed:
        return fields
    late = set(fields.get("late", ()))
    states = {}
    for row in rows_of(fields):
        state, is_out = text_of(fields, f"players/{row}/state") or "in", str(row) not in showed
        if is_out and (state == "in" or state in FOLDED):
            state = "late" if str(row) in late else "folded"
        elif not is_out and state in FOLDED:
            state = "in"
        states[f"players/{row}/state"] = [state]
    return {**fields, **states}


def piles_of(fields: Fields) -> dict[str, list[str]]:
    """Return the names of each row's piles, iterating over the fields once."""
    piles: dict[str, list[str]] = {}
    for name in fields:
        match name.split("/", 3):
            case ["players", row, "piles", pile] if is_pile(pile):
                piles.setdefault(row, []).append(pile)
    return piles


def read_player(fields: Fields, row: int, piles: Iterable[str], paid: str = "") -> Record:
    """Return a player's part of the record.

    `piles` are the names of the row's piles. `paid` is used if the row has no amount of its own.
    """
    at = f"players/{row}"
    player: Record = {}
    _put(player, "name", text_of(fields, f"{at}/name"))
    _put(player, "paid", number(text_of(fields, f"{at}/paid") or paid))
    _put(player, "dead", number(text_of(fields, f"{at}/dead")))
    player |= STATES.get(text_of(fields, f"{at}/state"), {})
    for zone in ZONES:
        _put(player, zone, cards(text_of(fields, f"{at}/{zone}")))
    dealt = {pile: cards(text_of(fields, f"{at}/piles/{pile}")) for pile in piles}
    _put(player, "piles", {pile: held for pile, held in dealt.items() if held})
    _put(player, "declared", text_of(fields, f"{at}/declared"))
    return _merged(player, _more(fields, f"{at}/more"))


def _put(record: Record, key: str, value: Any) -> None:
    if value not in ("", [], {}, None):
        record[key] = value


def _paid(fields: Fields, rows: list[int]) -> dict[int, str]:
    """Return the payment for each row that has no amount of its own.

    The payment is `all_paid`, `showed_paid` for players at the showdown, or an equal part of a
    result's pot.
    """
    empty = [row for row in rows if not text_of(fields, f"players/{row}/paid")]
    pot = number(text_of(fields, "pot")) if text_of(fields, "depth") == "result" else ""
    if not isinstance(pot, int):
        return {row: text_of(fields, common_payment(fields, row)) or str(pot) for row in empty}
    payers = [row for row in empty if text_of(fields, f"players/{row}/state") not in FOLDED]
    amounts = [number(text) for row in rows if (text := text_of(fields, f"players/{row}/paid"))]
    amounts.append(carried_chips(read_carried(text_of(fields, "carried"))))
    left = max(0, pot - sum(chips for chips in amounts if isinstance(chips, int)))
    return {
        row: str(left // len(payers) + (place < left % len(payers)))
        for place, row in enumerate(payers)
    }


def common_payment(fields: Fields, row: int) -> str:
    """Return the name of the payment field for a row that has no amount of its own."""
    showed = set(fields.get("showed", ())) - {""}
    stayed = str(row) in showed or text_of(fields, f"players/{row}/state") in STAYED
    return "showed_paid" if showed and stayed and text_of(fields, "showed_paid") else "all_paid"


def _shared(fields: Fields, rows: list[int]) -> list[Record]:
    """Return the cards that several players share, with those players' names."""
    shared = []
    for place in range(_length(fields, "shared")):
        if typed := text_of(fields, f"shared/{place}").strip():
            ticked = {number(row) for row in fields.get(f"shared/{place}/for", ())}
            names = [_name(fields, row) for row in rows if row in ticked]
            shared.append({"card": " ".join(cards(typed)), "for": names})
    return shared


def runs_of(fields: Fields) -> int:
    """Return how many times the deal was run. A result has no cards, so it has one run."""
    runs = number(text_of(fields, "runs"))
    if not isinstance(runs, int) or text_of(fields, "depth") == "result":
        return 1
    return runs if 1 < runs <= MOST_RUNS else 1


def _with_runs(fields: Fields, rows: list[int], record: Record) -> Record:
    """Return the record with the cards of its runs, if there are several."""
    added: list[dict[str, list[str]]] = []
    facts: list[Record] = []
    for run in range(1, runs_of(fields)):
        head = f"runs/{run}/"
        boards = range(_length(fields, f"runs/{run}/board"))
        typed = {f"board/{row}": text_of(fields, f"{head}board/{row}") for row in boards}
        typed |= {
            f"players/{place}/{zone}": text_of(fields, f"{head}players/{row}/{zone}")
            for place, row in enumerate(rows)
            for zone in RUN_ZONES
        }
        added.append({place: dealt for place, text in typed.items() if (dealt := cards(text))})
        options = [name for name in fields if name.startswith(f"{head}options/")]
        values = {name.split("/", 3)[3]: text_of(fields, name) for name in options}
        facts.append({name: option_in(text) for name, text in values.items() if text})
    return divide(record, added, facts) if added else record


def _length(fields: Fields, head: str) -> int:
    """Return the highest number that follows `head` in any field name, plus one."""
    below = (name.removeprefix(f"{head}/") for name in fields if name.startswith(f"{head}/"))
    places = (name.partition("/")[0] for name in below)
    return max((int(place) + 1 for place in places if is_place(place)), default=0)


def read_carried(text: str) -> object:
    """Return carried chips: a number, a list of pots, or the text if it is neither."""
    if not text.lstrip().startswith("["):
        return number(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _match(fields: Fields) -> object:
    """Return the match state before the deal, without players who are away."""
    text = text_of(fields, "match")
    try:
        match = read_json(text) if text.strip() else None
    except (ValueError, RecursionError):
        return text
    away = {
        _name(fields, row)
        for row in rows_of(fields)
        if text_of(fields, f"players/{row}/state") == AWAY
    }
    if not isinstance(match, dict) or not away:
        return match
    counts = {key: match[key] for key in ("legs", "lives") if isinstance(match.get(key), dict)}
    here = {
        key: {name: number for name, number in by_name.items() if name not in away}
        for key, by_name in counts.items()
    }
    return match | here


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
        raise UnreadableFieldError(
            "took", _("Choose one winner or enter what each player took, not both.")
        )
    return whole


def whole_pot(record: Record) -> int:
    """Return the total of all payments and carried chips that are numbers."""
    paid = [dict_or_empty(player).get("paid") for player in list_or_empty(record.get("players"))]
    carried = carried_chips(record.get("carried"))
    return sum(chips for chips in (*paid, carried) if type(chips) is int)


def carried_chips(carried: object) -> int:
    """Return the carried chips: a number or the amounts of several pots."""
    pots = [dict_or_empty(pot).get("amount") for pot in list_or_empty(carried)]
    return sum(chips for chips in (*pots, carried) if type(chips) is int)


# --- JSON in a field ----------------------------------------------------------------------------


def _more(fields: Fields, name: str) -> Record:
    text = text_of(fields, name)
    return json_object(name, text) if text.strip() else {}


def json_object(name: str, text: str) -> Record:
    """Return the JSON object in `text`. Raises UnreadableFieldError for the field `name`."""
    try:
        value = read_json(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFieldError(
            name, _("This isn't valid JSON: %(reason)s") % {"reason": describe_error(error)}
        ) from error
    if not isinstance(value, dict):
        raise UnreadableFieldError(name, _('Enter a JSON object such as {"variant": "omaha-8"}.'))
    return value


def _merged(record: Record, more: Record) -> Record:
    """Return the record with `more` merged into it recursively."""
    merged = dict(record)
    for key, value in more.items():
        part = record.get(key)
        is_nested = isinstance(part, dict) and isinstance(value, dict)
        merged[key] = _merged(dict_or_empty(part), value) if is_nested else value
    return merged
