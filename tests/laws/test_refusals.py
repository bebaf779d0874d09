"""Any input returns either a settlement or errors with a path (docs/record.md)."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rules import problems, settle, settle_many
from tests.helpers.laws.balance import assert_balanced
from tests.helpers.laws.mutations import ANYTHING, CODES, FINDINGS, KEYS, resolves, spoilt_records
from tests.helpers.laws.records import Record, records
from tests.helpers.rules.schemas import validator

RECORD, ANSWER = validator("Record"), validator("Answer")


def assert_answered(record: Any) -> None:
    """Check for a settlement that loses no chips, or for errors with known codes and valid paths.

    Both must be plain JSON.
    """
    answer = settle(record)
    json.dumps(answer, allow_nan=False).encode("ascii")
    if "errors" not in answer:
        assert_balanced(record, answer)
        assert {finding["code"] for finding in answer["findings"]} <= FINDINGS
        return
    assert answer.keys() == {"errors"}
    assert answer["errors"]
    for error in answer["errors"]:
        assert error.keys() == {"where", "code", "text"}
        assert error["code"] in CODES
        assert error["text"]
        assert error["text"].isprintable()
        assert error["where"].isprintable()
        assert resolves(record, error["where"]), error
    assert [problem.as_dict() for problem in problems(record)] == answer["errors"]


@given(spoilt_records())
def test_corrupted_record_is_settled_or_refused(record: Record) -> None:
    assert_answered(record)


@given(spoilt_records())
def test_record_that_violates_the_schema_is_refused(record: Record) -> None:
    answer = settle(record)
    assert "errors" in answer or RECORD.is_valid(record)
    assert "errors" in answer or ANSWER.is_valid(answer)


@given(ANYTHING)
def test_any_json_value_is_refused_without_an_exception(value: Any) -> None:
    assert_answered(value)


@given(st.dictionaries(KEYS, ANYTHING))
def test_object_with_record_keys_never_raises_an_exception(value: Any) -> None:
    assert_answered(value)


@given(st.dictionaries(KEYS, ANYTHING))
def test_any_game_document_is_either_refused_or_playable(document: Any) -> None:
    assert_answered({"variant": {"name": "x", "shares": ["high"]} | document, "button": 0})


@given(records(), st.sampled_from(["players", "variant", "button"]))
def test_record_with_a_missing_key_is_refused(record: Record, key: str) -> None:
    del record[key]
    errors = settle(record)["errors"]
    assert {"where": key, "code": "missing"}.items() <= errors[0].items()


@given(st.lists(spoilt_records() | records(), max_size=6))
def test_invalid_records_do_not_affect_valid_ones(some: list[Record]) -> None:
    assert settle_many(some) == [settle(record) for record in some]
