"""The fields that spell a record; read again, they give it as it was, whatever is in it."""

import json
from collections.abc import Iterable, Iterator, Mapping

from league.pages.parts.forms import word_in_field
from league.pages.record.read_form import (
    MOST_ROWS,
    STATES,
    ZONES,
    Record,
    a_dict,
    a_list,
    is_pile,
    json_object,
    read,
    read_player,
    row_named,
    whole_pot,
)


def spell(record: Record) -> dict[str, list[str]]:
    """Return the fields that spell the record; `read` returns it as it was, whatever is in it."""
    spelled = _spelled(record)
    fields = {name: texts for name, texts in spelled if any(texts) or row_named(name) is not None}
    for row, player in enumerate(_players(record)):
        told = read_player(fields, row)
        _spell_rest(fields, f"players/{row}/more", player, told)
    _spell_rest(fields, "more", record, read(fields).record)
    return fields


def pasted(text: str) -> dict[str, list[str]]:
    """Return the fields that spell a record given as JSON.

    Raises UnreadableFieldError for `paste`.
    """
    return spell(json_object("paste", text))


# Parts


def _spelled(record: Record) -> Iterator[tuple[str, list[str]]]:
    yield "variant", [_plain(record.get("variant"))]
    yield "modifiers", [_plain(each) for each in a_list(record.get("modifiers"))]
    for name, value in a_dict(record.get("options")).items():
        plain = _plain(value)
        yield f"options/{name}", [word_in_field(plain) if isinstance(value, str) else plain]
    yield "button", [_plain(record.get("button"))]
    yield "depth", [_plain(record.get("depth"))]
    winner = _took_all(record)
    yield "winner", ["" if winner is None else str(winner)]
    took = a_dict(record.get("took")) if winner is None else {}
    for row, player in enumerate(_players(record)):
        yield from _spelled_player(f"players/{row}", player, took)
    for place, dealt in enumerate(a_list(record.get("board"))):
        yield f"board/{place}", [_hand(dealt)]
    yield from _spelled_shared(record)
    yield "carried", [_spelled_carried(record.get("carried"))]
    match = record.get("match")
    yield "match", [json.dumps(match) if isinstance(match, dict) else ""]
    yield from _spelled_tiebreaks(record)


def _took_all(record: Record) -> int | None:
    """Return the row of the player who took the whole pot of a result, if one did."""
    took = record.get("took")
    if record.get("depth") != "result" or not isinstance(took, dict) or len(took) != 1:
        return None
    ((name, chips),) = took.items()
    is_all = type(chips) is int and chips == whole_pot(record)
    return _rows(record).get(name) if is_all else None


def _spelled_player(at: str, player: Record, took: Record) -> Iterator[tuple[str, list[str]]]:
    name = _plain(player.get("name"))
    yield f"{at}/name", [name]
    yield f"{at}/state", [_state(player)]
    for key in ("paid", "dead", "declared"):
        yield f"{at}/{key}", [_plain(player.get(key))]
    for zone in ZONES:
        yield f"{at}/{zone}", [_hand(player.get(zone))]
    for pile, held in a_dict(player.get("piles")).items():
        if is_pile(pile):
            yield f"{at}/piles/{pile}", [_hand(held)]
    yield f"{at}/took", [_plain(took.get(name)) if name else ""]


def _spelled_shared(record: Record) -> Iterator[tuple[str, list[str]]]:
    rows = _rows(record)
    for place, shared in enumerate(a_list(record.get("shared"))):
        holders = {_plain(name) for name in a_list(a_dict(shared).get("for"))}
        yield f"shared/{place}", [_plain(a_dict(shared).get("card"))]
        yield f"shared/{place}/for", [str(row) for row in sorted(_known(holders, rows))]


def _spelled_carried(carried: object) -> str:
    return json.dumps(carried) if isinstance(carried, list) else _plain(carried)


def _spelled_tiebreaks(record: Record) -> Iterator[tuple[str, list[str]]]:
    rows = _rows(record)
    for place, dealt in enumerate(a_list(record.get("tiebreaks"))):
        for name in a_dict(dealt).keys() & rows.keys():
            yield f"tiebreaks/{place}/{rows[name]}", [_hand(dealt[name])]


def _rows(record: Record) -> dict[str, int]:
    """Return the row of each name. Every list of names goes by it, never row by row: the product
    of both would be the sender's to choose."""
    names = (_plain(player.get("name")) for player in _players(record))
    return {name: row for row, name in enumerate(names) if name}


def _known(names: Iterable[str], rows: Mapping[str, int]) -> Iterator[int]:
    return (rows[name] for name in names if name in rows)


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
    return " ".join(_plain(card) for card in a_list(value))


def _players(record: Record) -> list[Record]:
    """Return the players, if they are such that each can have a row of the form."""
    players = a_list(record.get("players"))
    fit = len(players) <= MOST_ROWS and all(isinstance(player, dict) for player in players)
    return players if fit else []


# What has no field of its own


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
