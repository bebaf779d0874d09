"""The schemas for records and answers match the reader and its answers."""

import copy
import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rules import settle, settle_many
from rules.cards import CARDS
from rules.documents import catalog
from rules.game.hand import (
    CARRIED_KEYS,
    PLAYER_KEYS,
    RECORD_KEYS,
    RUN_KEYS,
    RUN_PLAYER_KEYS,
    SHARED_KEYS,
)
from rules.history.table import KEYS
from tests.helpers.laws.records import record as drawn
from tests.helpers.rules.schemas import SCHEMAS, validator
from tests.helpers.rules.vectors import FOLDER, HISTORIES, SETTLED, lines_of
from tests.helpers.stages import sample

TABLES = {
    "Record": RECORD_KEYS,
    "RecordPlayer": PLAYER_KEYS,
    "CarriedChips": CARRIED_KEYS,
    "SharedCard": SHARED_KEYS,
    "Stakes": KEYS,
    "Run": RUN_KEYS,
    "RunPlayer": RUN_PLAYER_KEYS,
}
HISTORY = frozenset(("actions", "stacks", "stakes", "about"))
VALUES = (None, True, 1, -1, 1.5, 10**13, "x", "", [], {}, [None], [[None]], ["x"], {"x": None})

Place = tuple[str | int, ...]

RECORD, ANSWER = validator("Record"), validator("Answer")


@pytest.fixture(scope="module")
def settled() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return golden and generated records that settle, with their answers."""
    hands = [line["record"] for path in SETTLED for line in lines_of(path)]
    hands += lines_of(HISTORIES)
    hands += [drawn(Random(f"{slug} {at}"), slug) for slug in catalog.slugs() for at in range(3)]
    pairs = zip(hands, settle_many(hands), strict=True)
    return [(record, answer) for record, answer in pairs if "errors" not in answer]


@pytest.fixture(scope="module")
def good(settled: list[tuple[dict[str, Any], dict[str, Any]]]) -> list[dict[str, Any]]:
    return [record for record, _ in settled]


@pytest.mark.parametrize("name", TABLES)
def test_schema_has_the_same_keys_as_the_reader(name: str) -> None:
    assert set(SCHEMAS[name]["properties"]) == set(TABLES[name])


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_do_not_allow_additional_keys(name: str) -> None:
    """Exceptions are objects keyed by name, and a record's source, which programs define."""
    Draft202012Validator.check_schema(SCHEMAS[name])
    by_name = "properties" not in SCHEMAS[name]
    assert by_name or name == "RecordSource" or SCHEMAS[name]["additionalProperties"] is False
    assert SCHEMAS[name]["description"]


# Every run checks a third of the records, and the nightly run checks all of them.
@pytest.mark.parametrize("part", sample(range(3), 1))
def test_every_golden_record_and_answer_matches_its_schema(
    part: int, settled: list[tuple[dict[str, Any], dict[str, Any]]]
) -> None:
    assert len(settled) > 200
    for record, answer in settled[part::3]:
        assert [each.message for each in RECORD.iter_errors(record)] == [], record
        assert [each.message for each in ANSWER.iter_errors(answer)] == [], answer


def test_brief_answer_matches_the_schema(good: list[dict[str, Any]]) -> None:
    for answer in settle_many(good, brief=True):
        assert not {"hands", "story", "reasons"} & answer.keys()
        assert ANSWER.is_valid(answer), answer


def test_schema_and_reader_accept_the_same_cards() -> None:
    card = Draft202012Validator(SCHEMAS["SharedCard"]["properties"]["card"])
    letters = sorted(set("".join(CARDS)) | set("1x5Z "))
    texts = (
        "".join(each) for size in (1, 2, 3) for each in itertools.product(letters, repeat=size)
    )
    assert {text for text in texts if card.is_valid(text)} == set(CARDS)


# --- invalid values are refused -----------------------------------------------------------------


def objects_of(record: dict[str, Any]) -> Iterator[tuple[str, Place]]:
    """Yield the schema name and path of each object in a record that has fixed keys."""
    yield "Record", ()
    yield from (("RecordPlayer", ("players", at)) for at in range(len(record["players"])))
    carried = record.get("carried")
    yield from (
        ("CarriedChips", ("carried", at))
        for at in range(len(carried or ()) if isinstance(carried, list) else 0)
    )
    yield from (("SharedCard", ("shared", at)) for at in range(len(record.get("shared", ()))))
    if record.get("stakes") is not None:
        yield "Stakes", ("stakes",)
    for number, run in enumerate(record.get("runs", ())):
        yield "Run", ("runs", number)
        players = range(len(run.get("players", ())))
        yield from (("RunPlayer", ("runs", number, "players", at)) for at in players)


def with_value(record: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(record)
    inside: Any = changed
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    return changed


def read_of(record: dict[str, Any]) -> set[str]:
    """Return the top-level keys that the reader uses, which differ for a record with actions."""
    if "actions" not in record:
        return set(RECORD_KEYS - HISTORY)
    return {*HISTORY, "variant", "modifiers", "options", "button", "players", "carried", "runs"}


def first_with_each_key(
    records: list[dict[str, Any]],
) -> Iterator[tuple[dict[str, Any], Place]]:
    """Yield a golden record and a path for each key.

    If no record has the key, the first one that may have it is used.
    """
    examples: dict[tuple[str, str], tuple[dict[str, Any], Place]] = {}
    could: dict[tuple[str, str], tuple[dict[str, Any], Place]] = {}
    for record in records:
        for name, place in objects_of(record):
            there: Any = record
            for step in place:
                there = there[step]
            for key in TABLES[name]:
                if place or key in read_of(record):
                    chosen = examples if key in there else could
                    chosen.setdefault((name, key), (record, (*place, key)))
    assert {(name, key) for name in TABLES for key in TABLES[name]} <= {**could, **examples}.keys()
    return iter({**could, **examples}.values())


def test_reader_refuses_a_record_that_violates_the_schema(
    good: list[dict[str, Any]],
) -> None:
    """The reverse is not true: a record that fits the schema may not be a hand of its game."""
    refused = 0
    for record, place in first_with_each_key(good):
        for value in VALUES:
            changed = with_value(record, place, value)
            if not RECORD.is_valid(changed):
                refused += 1
                assert "errors" in settle(changed), (place, value)
    assert refused > 300


def test_schema_and_reader_refuse_an_unknown_key(good: list[dict[str, Any]]) -> None:
    seen = set()
    for record in [*good[::7], *(one for one in good if "runs" in one)]:
        for name, place in objects_of(record):
            changed = with_value(record, (*place, "nonsense"), 1)
            assert not RECORD.is_valid(changed)
            where = "/".join(str(step) for step in (*place, "nonsense"))
            errors = settle(changed)["errors"]
            assert (where, "unknown-key") in {(each["where"], each["code"]) for each in errors}
            seen.add(name)
    assert seen == set(TABLES)


def test_record_reported_as_malformed_violates_the_schema() -> None:
    """Examples of errors with these codes violate the schema."""
    shape = {"missing", "wrong-type", "unknown-key"}
    lines = [line for line in lines_of(FOLDER / "errors.jsonl") if "record" in line]
    for line in lines:
        if line["code"] not in shape:
            continue
        assert not RECORD.is_valid(line["record"]), line
