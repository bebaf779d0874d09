"""Responses conform to the OpenAPI document (JSON Schema 2020-12).

OpenAPI 3.1 uses these schemas directly: `null` is a type, and `nullable` has no meaning.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.openapi.reference import document
from api.openapi.schema import EXAMPLES, operations
from league.models import Role, Scope
from rules.documents import catalog
from rules.documents.documents import game as game_of
from rules.presentation.form import form
from rules.presentation.rules_page import rules_page
from rules.settlement.odds import odds
from tests.helpers.api.routes import RULES, address, routes
from tests.helpers.api.sample_league import World, with_token
from tests.helpers.rules.schemas import validator

DOCUMENT = document()
COMPONENTS: dict[str, Any] = DOCUMENT["components"]["schemas"]


def misfits(schema: dict[str, Any], value: Any) -> list[str]:
    checks = Draft202012Validator({**schema, "components": DOCUMENT["components"]})
    return [f"{each.json_path}: {each.message[:300]}" for each in checks.iter_errors(value)]


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for key, child in node.items():
            if key not in {"example", "examples", "properties"}:
                yield from nodes(child)
        for child in node.get("properties", {}).values():
            yield from nodes(child)
    elif isinstance(node, list):
        for child in node:
            yield from nodes(child)


def test_schema_document_is_valid_openapi_3_1() -> None:
    assert not [item.message for item in OpenAPIV31SpecValidator(DOCUMENT).iter_errors()]
    assert DOCUMENT["servers"]
    assert "nullable" not in {key for item in nodes(DOCUMENT) for key in item}
    # everything except examples
    parts = [DOCUMENT[key] for key in ("info", "servers", "components")]
    assert "example.org" not in json.dumps(parts)


def test_every_operation_has_a_description() -> None:
    untold = [
        operation["operationId"]
        for _, _, operation in operations(DOCUMENT)
        if not operation.get("summary")
    ]
    assert untold == []


def test_every_parameter_has_a_schema_and_a_description() -> None:
    untold = [
        (path, parameter["name"])
        for path, _, operation in operations(DOCUMENT)
        for parameter in operation.get("parameters", ())
        if not parameter["schema"]
    ]
    assert untold == []


# A token can't join a league, and this process does not serve streams.
REFUSED = {"join": 403, "invited": 403, "league-stream": 501}


@pytest.mark.django_db
def test_every_response_matches_its_schema(world: World) -> None:
    client = with_token(world.league, Role.HOST, Scope.MANAGE)
    tried = 0
    for name, method in sorted(RULES):
        response = DOCUMENT["paths"].get(_path(name), {}).get(method)
        if method != "get" or response is None:
            continue
        answer = client.get(address(world, name))
        content = response["responses"][str(answer.status_code)].get("content", {})
        kind = answer["Content-Type"].partition(";")[0]
        assert answer.status_code == REFUSED.get(name, 200), name
        assert kind in content, (name, kind)
        if kind == "application/json":
            tried += 1
            assert misfits(content[kind]["schema"], answer.json()) == [], name
    assert tried > 60


def _path(name: str) -> str:
    [route] = [each for each in routes() if each.name == name]
    return "/api/v1/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(route.pattern))


def test_every_example_matches_its_schema() -> None:
    by_id = {item["operationId"]: item for _, _, item in operations(DOCUMENT)}
    for path in sorted(EXAMPLES.glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        operation = by_id[data["operation"]]
        for item in data["exchanges"]:
            for content in operation.get("requestBody", {}).get("content", {}).values():
                if item["status"] < 400:
                    assert misfits(content["schema"], item["asked"]) == [], path.name
            for content in operation["responses"][str(item["status"])].get("content", {}).values():
                if "answer" in item:
                    assert misfits(content["schema"], item["answer"]) == [], path.name


def test_every_catalog_game_matches_the_schema() -> None:
    for slug in catalog.slugs():
        for name, body in (("GameForm", form(slug)), ("GameRules", rules_page(slug))):
            assert not list(validator(name, COMPONENTS).iter_errors(body)), slug
    game_odds = odds(game_of(catalog.document("nightmare")), players=3, deals=64)
    assert not list(validator("GameOddsFound", COMPONENTS).iter_errors(game_odds))
