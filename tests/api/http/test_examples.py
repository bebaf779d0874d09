"""The examples in the OpenAPI document are recorded exchanges: api/examples/*.json.

Each request is repeated and must get the recorded response. `make examples` records them again.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from pytest_django import DjangoDbBlocker

from api.openapi.schema import EXAMPLES
from tests.helpers.api.recorded_examples import (
    Operation,
    answered,
    at_the_moment,
    by_name,
    exchange_of,
    play,
    prepare,
    same_chance,
    the_league,
    written,
)
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import holdem

OPERATIONS = by_name()
WRITES = "WRITE_EXAMPLES" in os.environ
_WRONG = holdem(players=[{"name": "ann", "paid": -1}])
WRONG: dict[str, Any] = {
    "record_hand": {"id": "7d0c4a5e-0000-4000-8000-00000000abcd", "record": _WRONG},
    "settle_hand": _WRONG,
}


@pytest.fixture(scope="module")
def shown(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The league that the examples show."""
    with django_db_blocker.unblock(), transaction.atomic():
        with at_the_moment():
            world = the_league()
        yield world
        transaction.set_rollback(True)


def exchanges(operation: Operation, world: World) -> list[dict[str, Any]]:
    """Return the recorded exchanges, or new ones if WRITE_EXAMPLES is set."""
    if not WRITES:
        file = EXAMPLES / f"{operation.name}.json"
        assert file.exists(), "it has no example: make examples"
        kept: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))["exchanges"]
        return kept
    with same_chance(f"{operation.name} asked"):
        exchange = exchange_of(operation, world)
    wrong = [exchange | {"asked": WRONG[each]} for each in WRONG if each == operation.name]
    return [exchange, *wrong]


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_example_matches_the_recorded_response(name: str, shown: World) -> None:
    cache.clear()
    operation, played = OPERATIONS[name], []
    with at_the_moment(), transaction.atomic(), same_chance(name):
        client, world = prepare(name, shown)
        for number, exchange in enumerate(exchanges(operation, world)):
            with same_chance(f"{name} answered {number}"):
                answer = answered(play(client, operation, exchange))
            request = {key: exchange[key] for key in ("path", "query", "asked") if key in exchange}
            played.append(request | answer)
        transaction.set_rollback(True)
    assert played[0]["status"] < 300, played[0]
    assert all(str(each["status"]) in operation.told["responses"] for each in played)
    file = EXAMPLES / f"{name}.json"
    if WRITES:
        file.write_text(written(name, played), "utf-8")
    assert file.read_text("utf-8") == written(name, played), "make examples"


def test_every_operation_in_the_document_has_examples() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(OPERATIONS)
    for name, operation in OPERATIONS.items():
        exchange = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))["exchanges"][0]
        parameters = {each["name"]: each for each in operation.told.get("parameters", ())}
        for key, value in {**exchange.get("path", {}), **exchange.get("query", {})}.items():
            number = parameters[key]["schema"].get("type") == "integer"
            shown = int(value) if number else value  # typed by its schema
            assert parameters[key]["examples"]["example-1"]["value"] == shown, name
        if "asked" in exchange:
            content = operation.told["requestBody"]["content"][operation.media_type]
            assert content["examples"]["example-1"]["value"] == exchange["asked"], name
        if "answer" in exchange:
            [content] = operation.told["responses"][str(exchange["status"])]["content"].values()
            assert content["examples"]["example-1"]["value"] == exchange["answer"], name
        assert exchange.keys() > {"status"}, name
