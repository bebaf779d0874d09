"""Rename players in records and answers."""

from collections.abc import Callable, Mapping
from typing import Any

Names = Mapping[str, str]  # maps old names to new ones; other names do not change

# keys of objects that are keyed by player name, and keys whose value is a name or a list of names
KEYED_BY_PLAYER = frozenset(
    (
        *("took", "tiebreaks", "paid", "returned", "won", "net", "hands", "winners"),
        *("legs", "lives", "over", "wild"),
    )
)
NAMING_PLAYERS = frozenset(
    ("name", "player", "players", "for", "winners", "earned", "lost", "dealer")
)


def rename_players(document: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Return a record or an answer with renamed players. Sentences do not change."""
    return {
        key: RENAMED[key](value, names) if key in RENAMED else value
        for key, value in document.items()
    }


def _keys(value: Any, called: Names) -> Any:
    if not isinstance(value, dict):
        return value
    return {called.get(key, key): each for key, each in value.items()}


def _name(value: Any, called: Names) -> Any:
    return called.get(value, value) if isinstance(value, str) else value


def _list_of(rename: Callable[[Any, Names], Any]) -> Callable[[Any, Names], Any]:
    def all_of(value: Any, called: Names) -> Any:
        return [rename(each, called) for each in value] if isinstance(value, list) else value

    return all_of


def _fields(
    renamed: Mapping[str, Callable[[Any, Names], Any]],
) -> Callable[[Any, Names], Any]:
    def of_object(value: Any, called: Names) -> Any:
        if not isinstance(value, dict):
            return value
        new = {key: rename(value[key], called) for key, rename in renamed.items() if key in value}
        return value | new

    return of_object


def _reason(value: Any, called: Names) -> Any:
    """Return the facts of a reason with renamed players, at any depth."""
    if not isinstance(value, dict):
        return value
    return {key: OF_REASON.get(key, _facts)(each, called) for key, each in value.items()}


def _facts(value: Any, called: Names) -> Any:
    if isinstance(value, list):
        return [_facts(each, called) for each in value]
    return _reason(value, called)


OF_REASON: dict[str, Callable[[Any, Names], Any]] = {
    **dict.fromkeys(("winners", "over", "wild", "returned"), _keys),
    **dict.fromkeys(("player", "dealer"), _name),
    **dict.fromkeys(("players", "for"), _list_of(_name)),
}
FOR = {"for": _list_of(_name)}
COUNTED = {"legs": _keys, "lives": _keys}
NEXT = {"carried": _list_of(_fields(FOR)), "match": _fields(COUNTED)}
MATCH = COUNTED | dict.fromkeys(("earned", "lost", "winners"), _list_of(_name))


def _run(value: Any, called: Names) -> Any:
    """Return a run with renamed players. A run is part of a record or of an answer."""
    return rename_players(value, called) if isinstance(value, dict) else value


RENAMED: dict[str, Callable[[Any, Names], Any]] = {
    # keys in a record
    "players": _list_of(_fields({"name": _name})),
    "took": _keys,
    "tiebreaks": _list_of(_keys),
    "shared": _list_of(_fields(FOR)),
    "carried": _list_of(_fields(FOR)),
    # keys in both records and answers
    "runs": _list_of(_run),
    "match": _fields(MATCH | {"next": _fields(NEXT)}),
    # keys in an answer
    **dict.fromkeys(("paid", "returned", "won", "net", "hands"), _keys),
    "carries": _list_of(_fields(FOR)),
    "pots": _list_of(_fields(FOR | {"shares": _list_of(_fields({"winners": _keys}))})),
    "findings": _list_of(_fields({"player": _name})),
    "reasons": _list_of(_reason),
}
