"""The OpenAPI document: what every address takes and answers, refusals included, with examples.

The examples are exchanges that the tests had with the service (api/examples/*.json).
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.serializers import Serializer

from api.models import LONGEST_KEY

EXAMPLES = Path(__file__).parent / "examples"
VERBS = ("get", "post", "put", "patch", "delete")
PROBLEM = "application/problem+json"

OBJECT = OpenApiTypes.OBJECT
Method = TypeVar("Method", bound=Callable[..., Any])


def operation(
    summary: str,
    answer: type[Serializer[Any]] | OpenApiTypes | None,
    *,
    asks: type[Serializer[Any]] | OpenApiTypes | None = None,
    status: int | tuple[int, ...] = 200,
    parameters: tuple[OpenApiParameter, ...] = (),
) -> Callable[[Method], Method]:
    """Say of a view's method what it does, takes and answers with which status."""
    statuses = status if isinstance(status, tuple) else (status,)
    return extend_schema(
        summary=summary,
        request=asks,
        responses=dict.fromkeys(statuses, answer),
        parameters=list(parameters),
    )


class Schema(AutoSchema):
    """Reads of a view what each method can be asked."""

    def get_operation_id(self) -> str:
        path = re.sub(r"[{}/.:]+", "-", self.path.removeprefix("/api/v1"))
        return f"{self.method.lower()}{path.rstrip('-')}"

    def get_override_parameters(self) -> list[Any]:
        return [*self._told(), *self._of_method()]

    def _told(self) -> list[Any]:
        return list(super().get_override_parameters())

    def _of_method(self) -> Iterator[OpenApiParameter]:
        handler = getattr(self.view, self.method.lower(), None)
        if self.method == "GET" and getattr(self.view, "picks", True):
            text = "The fields wanted, with commas between them."
            yield OpenApiParameter("fields", str, description=text)
        if self.method == "GET":
            yield OpenApiParameter("If-None-Match", str, "header", description="An ETag.")
        if getattr(handler, "answers_once", False):
            yield OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "maxLength": LONGEST_KEY},
                "header",
                description="Made by the client: sent again with it, nothing is done again.",
            )


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "api.authentication.TokenBearer"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        text = "A token made on the page of the league; it is for that league alone."
        return {"type": "http", "scheme": "bearer", "description": text}


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "api.authentication.Session"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        text = "The session of the pages; what changes something wants X-CSRFToken along."
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": text}


class LinkScheme(OpenApiAuthenticationExtension):
    target_class = "api.authentication.LinkBearer"
    name = "link"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        text = "The key of a feed link: reads, and nothing else."
        return {"type": "apiKey", "in": "query", "name": "key", "description": text}


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, verb and operation of a document."""
    for path, item in document["paths"].items():
        yield from ((path, verb, item[verb]) for verb in VERBS if verb in item)


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say which refusals each operation knows."""
    schemas = result["components"].setdefault("schemas", {})
    schemas |= {"Problem": _problem(), "Fault": _fault()}
    for path, verb, told in operations(result):
        for status in _refusals(path, verb, told):
            told["responses"].setdefault(str(status), _refusal(status))
        if verb == "get":
            unchanged = {"description": "It is as If-None-Match says the client has it."}
            told["responses"].setdefault("304", unchanged)
    return result


def add_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put the exchanges that the tests had beside the operations."""
    for _path, _verb, told in operations(result):
        for number, each in enumerate(_examples().get(told["operationId"], ())):
            name = each.get("name", f"example-{number + 1}")
            body = told.get("requestBody", {}).get("content", {}).get("application/json")
            if body is not None and "asked" in each:
                body.setdefault("examples", {})[name] = {"value": each["asked"]}
            answer = told["responses"].get(str(each["status"]), {}).get("content", {})
            for content in answer.values():
                content.setdefault("examples", {})[name] = {"value": each["answer"]}
    return result


@cache
def _examples() -> dict[str, list[dict[str, Any]]]:
    read = (json.loads(path.read_text("utf-8")) for path in sorted(EXAMPLES.glob("*.json")))
    return {each["operation"]: each["exchanges"] for each in read}


def _refusals(path: str, verb: str, told: dict[str, Any]) -> Iterator[int]:
    yield from (400, 429)
    if {} not in told.get("security", [{}]):
        yield from (401, 403)
    if "{" in path:
        yield 404
    if verb in {"post", "put", "patch"}:
        yield from (409, 413, 415)
    if any(each["name"] == "Idempotency-Key" for each in told.get("parameters", ())):
        yield 422


def _refusal(status: int) -> dict[str, Any]:
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _problem() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "A refusal (RFC 9457), with everything that is wrong.",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {"const": "about:blank"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
            "errors": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
        },
    }


def _fault() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "description": "One thing that is wrong, with its place.",
        "required": ["where", "code", "text"],
        "properties": {
            "where": text | {"description": "the path into the record, else into the body"},
            "code": text,
            "text": text,
            "pointer": text | {"description": "the JSON pointer into the body"},
            "line": {"type": ["integer", "null"], "description": "of the text of a game"},
            "word": {"type": ["string", "null"]},
            "could_be": {"type": "array", "items": text},
        },
    }
