"""Beside which field a problem at a path of the record belongs."""

from league.pages.record.field_names import ZONES, Reading, a_dict, a_list, is_pile


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
    place, name = _split(rest)
    row = _row_of_name(name, reading)
    if row is None:
        row = _row_of_name(name.rpartition("/")[0], reading)
    return "tiebreaks" if row is None else f"tiebreaks/{place}/{row}"


def _row_of_name(name: str, reading: Reading) -> int | None:
    named = zip(reading.rows, a_list(reading.record.get("players")), strict=False)
    return next((row for row, player in named if a_dict(player).get("name") == name), None)
