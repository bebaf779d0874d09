"""Randomly corrupted records, and paths into them."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tests.helpers.laws.records import Record, records

Json = Any
Path = tuple[str | int, ...]

CODES = frozenset(
    """not-json missing wrong-type unknown-key unknown-game bad-game unknown-modifier
    modifier-does-not-fit unknown-option bad-option bad-button no-players name-twice bad-chips
    bad-card card-not-in-deck card-twice card-count unknown-card not-declared bad-declaration
    unknown-player tiebreak-lacks-player took-missing took-does-not-add-up bad-match
    bad-runs""".split()
)
FINDINGS = frozenset(
    """took-differs put-differs stake-short too-many-players declare-ignored out-again did-not-beat
    order-unknown tie-not-broken not-thrown bet-above-pot""".split()
)

KEYS = st.sampled_from(
    """variant modifiers options button depth players board shared carried tiebreaks took name paid
    dead folded mucked all_in down up out declared piles amount for card colour match deal legs
    lives runs""".split()
)
WORDS = st.sampled_from(
    [
        *("As", "10h", "td", "??", "*1", "*5", "", "Zd", "A", "ann", "bob", "zoe", "late", "both"),
        *("high", "low", "row 1", "result", "showdown", "omaha-8", "two-row", "miami", "seat"),
        *("\x00", "\ud800", "ann/bob", "x" * 300, "é", "deal", "{low}", "1-3"),
    ]
)
NUMBERS = st.sampled_from([0, 1, -1, 2, 5, 10**12, 10**12 + 1, 10**30, 2.5, 1e308, -0.0])
MAY_BE_ABSENT = {"piles", "options"}  # objects in which keys may be missing
LEAVES = st.none() | st.booleans() | NUMBERS | st.integers() | WORDS | st.text(max_size=5)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | WORDS, inner, max_size=4),
    max_leaves=12,
)


def paths(value: Json, path: Path = ()) -> Iterator[Path]:
    """Return the path of every part of a JSON value, starting with the value itself."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths(item, (*path, index))


def at(value: Json, path: Path) -> Json:
    for step in path:
        value = value[step]
    return value


@st.composite
def spoilt_records(draw: st.DrawFn) -> Record:
    """Draw a valid record and apply one to three random changes."""
    record: Record = json.loads(json.dumps(draw(records())))
    for _ in range(draw(st.integers(1, 3))):
        spots = [path for path in paths(record) if path]
        if spots:
            _spoil(draw, record, draw(st.sampled_from(spots)))
    return record


def _spoil(draw: st.DrawFn, record: Record, path: Path) -> None:
    whole, last = at(record, path[:-1]), path[-1]
    match draw(st.sampled_from(["replace", "delete", "copy", "add", "swap"])):
        case "replace":
            whole[last] = draw(ANYTHING)
        case "delete":
            del whole[last]
        case "copy":
            # replace this part with another part of the record
            whole[last] = json.loads(
                json.dumps(at(record, draw(st.sampled_from([*paths(record)]))))
            )
        case "add" if isinstance(whole, dict):
            whole[draw(KEYS | WORDS)] = draw(ANYTHING)
        case "add":
            whole.insert(draw(st.integers(0, len(whole))), draw(ANYTHING))
        case "swap" if isinstance(whole, list):
            other = draw(st.integers(0, len(whole) - 1))
            whole[last], whole[other] = whole[other], whole[last]


def resolves(value: Json, where: str) -> bool:
    """Return whether a path leads to a value or to a missing key of an existing object."""
    if where == "":
        return True
    first, _, rest = where.partition("/")
    if isinstance(value, list):
        return first.isdigit() and int(first) < len(value) and resolves(value[int(first)], rest)
    if not isinstance(value, dict):
        return False
    for key, item in value.items():
        for name in (key, as_shown(key)):
            if where == name or (
                where.startswith(f"{name}/") and resolves(item, where[len(name) + 1 :])
            ):
                return True
    return first not in value and (not rest or first in MAY_BE_ABSENT)


def as_shown(key: str) -> str:
    """Return a key as error paths show it, printable and shortened."""
    cut = key[:60]
    return cut if cut.isprintable() else cut.encode("unicode_escape").decode()
