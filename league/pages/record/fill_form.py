"""Fill the fields of a form from a record. `read_form` does the reverse."""

import json
from collections.abc import Iterator

from league.pages.parts.forms import word_in_field
from league.pages.record.read_form import (
    MOST_ROWS,
    STATES,
    ZONES,
    Record,
    dict_or_empty,
    is_pile,
    json_object,
    list_or_empty,
    piles_of,
    read,
    read_player,
    row_named,
    whole_pot,
)
from league.pages.record.runs import join


def spell(record: Record) -> dict[str, list[str]]:
    """Return the fields of any record. `read` converts them back into the same record."""
    several = join(record)
    first = several[0] if several else record
    fields = {
        name: texts for name, texts in _fields(first) if any(texts) or row_named(name) is not None
    }
    if several:  # the fields of the runs after the first
        _first, added, facts = several
        fields["runs"] = [str(len(added) + 1)]
        for number, (by_place, options) in enumerate(zip(added, facts, strict=True), start=1):
            fields |= {f"runs/{number}/{place}": [_hand([*by_place[place]])] for place in by_place}
            for name, value in options.items():
                plain = _plain(value)
                text = word_in_field(plain) if isinstance(value, str) else plain
                fields[f"runs/{number}/options/{name}"] = [text]
    piles = piles_of(fields)
    for row, player in enumerate(_players(first)):
        if rest := _rest(player, read_player(fields, row, piles.get(str(row), ()))):
            fields[f"players/{row}/more"] = [json.dumps(rest)]
    if rest := _rest(record, read(fields).record):
        fields["more"] = [json.dumps(rest)]
    return fields


def pasted(text: str) -> dict[str, list[str]]:
    """Return a JSON record's fields. Raises UnreadableFieldError for the field `paste`."""
    return spell(json_object("paste", text))


def _fields(record: Record) -> Iterator[tuple[str, list[str]]]:
    yield "variant", [_plain(record.get("variant"))]
    yield "modifiers", [_plain(name) for name in list_or_empty(record.get("modifiers"))]
    for name, value in dict_or_empty(record.get("options")).items():
        plain = _plain(value)
        yield f"options/{name}", [word_in_field(plain) if isinstance(value, str) else plain]
    yield "button", [_plain(record.get("button"))]
    yield "depth", [_plain(record.get("depth"))]
    # searching all rows for every name would take quadratic time
    named = (_plain(player.get("name")) for player in _players(record))
    rows = {name: row for row, name in enumerate(named) if name}
    took, winner = dict_or_empty(record.get("took")), None
    if record.get("depth") == "result" and len(took) == 1:
        ((name, chips),) = took.items()
        if type(chips) is int and chips == whole_pot(record):
            winner = rows.get(name)
    # If one player took a result's whole pot, the field `winner` is enough.
    yield "winner", ["" if winner is None else str(winner)]
    took = took if winner is None else {}
    for row, player in enumerate(_players(record)):
        yield from _player_fields(f"players/{row}", player, took)
    for place, cards in enumerate(list_or_empty(record.get("board"))):
        yield f"board/{place}", [_hand(cards)]
    for place, shared in enumerate(list_or_empty(record.get("shared"))):
        names = {_plain(name) for name in list_or_empty(dict_or_empty(shared).get("for"))}
        yield f"shared/{place}", [_plain(dict_or_empty(shared).get("card"))]
        holders = sorted(rows[name] for name in names & rows.keys())
        yield f"shared/{place}/for", [str(row) for row in holders]
    carried, match = record.get("carried"), record.get("match")
    yield "carried", [json.dumps(carried) if isinstance(carried, list) else _plain(carried)]
    yield "match", [json.dumps(match) if isinstance(match, dict) else ""]
    for place, dealt in enumerate(list_or_empty(record.get("tiebreaks"))):
        for name in dict_or_empty(dealt).keys() & rows.keys():
            yield f"tiebreaks/{place}/{rows[name]}", [_hand(dealt[name])]


def _player_fields(at: str, player: Record, took: Record) -> Iterator[tuple[str, list[str]]]:
    name = _plain(player.get("name"))
    yield f"{at}/name", [name]
    states = (
        state
        for state, keys in STATES.items()
        if keys and keys.items() <= {key: player[key] for key in keys if key in player}.items()
    )
    yield f"{at}/state", [next(states, "in")]
    for key in ("paid", "dead", "declared"):
        yield f"{at}/{key}", [_plain(player.get(key))]
    for zone in ZONES:
        yield f"{at}/{zone}", [_hand(player.get(zone))]
    for pile, cards in dict_or_empty(player.get("piles")).items():
        if is_pile(pile):
            yield f"{at}/piles/{pile}", [_hand(cards)]
    yield f"{at}/took", [_plain(took.get(name)) if name else ""]


def _plain(value: object) -> str:
    """Return a word or number as the text of a field, and "" for anything else."""
    if isinstance(value, str):
        return value if value.isprintable() else ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value) if abs(value) < 10**100 else ""
    return ""


def _hand(value: object) -> str:
    return " ".join(_plain(card) for card in list_or_empty(value))


def _players(record: Record) -> list[Record]:
    """Return the players, or [] if they do not fit into the form's rows."""
    players = list_or_empty(record.get("players"))
    fit = len(players) <= MOST_ROWS and all(isinstance(player, dict) for player in players)
    return players if fit else []


def _rest(record: Record, read: Record) -> Record:
    """Return the values that must be merged into the `read` record to get the whole record."""
    rest: Record = {}
    for key, value in record.items():
        # compare as JSON, because 1, 1.0 and True are equal in Python
        same = json.dumps(value, sort_keys=True) == json.dumps(read.get(key), sort_keys=True)
        if key not in read or not same:
            is_nested = isinstance(value, dict) and isinstance(read.get(key), dict)
            rest[key] = _rest(value, read[key]) if is_nested else value
    return rest
