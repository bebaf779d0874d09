"""`Record` and `Answer` are components of the OpenAPI document that operations refer to."""

import json
from typing import Any

import pytest

from api.openapi.reference import document
from api.openapi.schema import operations
from rules import settle_many
from rules.presentation.schemas import record_schemas
from tests.helpers.rules.schemas import validator
from tests.helpers.rules.vectors import SETTLED, lines_of
from tests.helpers.stages import sample

COMPONENTS: dict[str, Any] = document()["components"]["schemas"]
RECORDS = ("HandInput", "BatchHandInput", "RevisionInput", "HandCheckInput")
BOTH = ("Hand", "HandDetail", "Revision", "Conflict")
ANSWERS = ("HandCheck", "WhatIf")


def reference(schema: dict[str, Any]) -> str:
    [found] = schema.get("allOf", [schema])
    return str(found["$ref"]).rpartition("/")[2]


def test_components_match_the_schemas_of_the_rules() -> None:
    shapes = record_schemas()
    assert {name: COMPONENTS[name] for name in shapes} == shapes


@pytest.mark.parametrize("name", [*RECORDS, *BOTH])
def test_every_record_uses_the_record_component(name: str) -> None:
    assert reference(COMPONENTS[name]["properties"]["record"]) == "Record"


@pytest.mark.parametrize("name", [*BOTH, *ANSWERS])
def test_every_answer_uses_the_answer_component(name: str) -> None:
    assert reference(COMPONENTS[name]["properties"]["answer"]) == "Answer"


def test_no_other_schema_defines_a_record_or_an_answer() -> None:
    for key, names in (("record", {*RECORDS, *BOTH}), ("answer", {*BOTH, *ANSWERS})):
        having = {name for name, each in COMPONENTS.items() if key in each.get("properties", ())}
        assert having - {"Objection"} == names  # only hosts can answer an objection


def test_settle_takes_a_record_and_returns_an_answer() -> None:
    [settle] = [
        each for _, _, each in operations(document()) if each["operationId"] == "settle_hand"
    ]
    body = settle["requestBody"]["content"]["application/json"]["schema"]
    response = settle["responses"]["200"]["content"]["application/json"]["schema"]
    assert (reference(body), reference(response)) == ("Record", "Answer")


@pytest.mark.parametrize(
    "path", sample(SETTLED, 60, lambda path: path.stem), ids=lambda path: path.stem
)
def test_every_golden_hand_matches_its_components(path: Any) -> None:
    record, answer = validator("Record", COMPONENTS), validator("Answer", COMPONENTS)
    error = validator("ErrorDetail", COMPONENTS)
    records = [line["record"] for line in lines_of(path)]
    for sent, settled in zip(records, settle_many(records), strict=True):
        if "errors" in settled:
            assert all(error.is_valid(problem) for problem in settled["errors"]), settled
        else:
            assert [problem.message for problem in record.iter_errors(sent)] == [], json.dumps(sent)
            assert [problem.message for problem in answer.iter_errors(settled)] == [], json.dumps(
                settled
            )


def test_component_names_do_not_reveal_the_implementation() -> None:
    """Generators name classes after components, so no name describes the implementation."""
    for name in COMPONENTS:
        assert name.isidentifier(), name
        assert name[0].isupper(), name
        assert not name.endswith(("Told", "Asked", "Whole", "Request", "Serializer")) or name in {
            "ChipRequest",
            "JoinRequest",
        }, name
