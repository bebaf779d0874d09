"""The OpenAPI document: requests, responses and errors for every URL, with examples.

The examples are recorded by the tests (api/examples/*.json).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from django.utils.http import http_date
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.serializers import Serializer

from api.http.fields import InputSerializer
from api.http.problems import KINDS
from api.models import LONGEST_KEY
from rules.presentation.form import game_schemas
from rules.presentation.schemas import record_schemas

# A deprecation is declared on a view or its method, and appears in responses and in the schema.
#
# `Deprecation` is RFC 9745 and `Sunset` is RFC 8594. Both link to a page about the replacement.


# Minimum time between deprecation and removal.
NOTICE = timedelta(days=180)
Declared = TypeVar("Declared", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """When a deprecation starts, its earliest removal, a page about it, and the replacement."""

    since: datetime
    sunset: datetime
    link: str
    successor: str = ""

    def __post_init__(self) -> None:
        if self.sunset - self.since < NOTICE:
            raise ValueError(f"what is deprecated goes on for {NOTICE.days} days")

    def headers(self) -> dict[str, str]:
        """Return the headers of every response."""
        links = [
            f'<{self.link}>; rel="{rel}"; type="text/html"' for rel in ("deprecation", "sunset")
        ]
        if self.successor:
            links.append(f'<{self.successor}>; rel="successor-version"')
        return {
            "Deprecation": f"@{int(self.since.timestamp())}",
            "Sunset": http_date(self.sunset.timestamp()),
            "Link": ", ".join(links),
        }

    def __str__(self) -> str:
        instead = f" Use {self.successor} instead." if self.successor else ""
        return f"Deprecated, and gone from {self.sunset:%Y-%m-%d} on: {self.link}.{instead}"


def deprecated(deprecation: Deprecation) -> Callable[[Declared], Declared]:
    """Mark a view or one of its methods as deprecated."""

    def declare(declared: Declared) -> Declared:
        declared.deprecation = deprecation  # type: ignore[attr-defined]
        return declared

    return declare


def deprecation_of(view: object, method: str) -> Deprecation | None:
    """Return the deprecation of a view's method or of the whole view."""
    handler = getattr(view, method.lower(), None)
    return getattr(handler, "deprecation", None) or getattr(view, "deprecation", None)


EXAMPLES = Path(__file__).parents[1] / "examples"
VERBS = ("get", "post", "put", "patch", "delete")
# operations that can return 422 because a request is too expensive to process
READS_GAMES = re.compile("settle|game|hand|check|import")
PROBLEM = "application/problem+json"
REFERENCES = "#/components/schemas/"

FIELD_NAMES = {"type": "string", "pattern": "^[a-z0-9_]+(,[a-z0-9_]+)*$"}
TAGS = {
    "conflicts": "Hands that two devices recorded differently.",
    "feeds": "The columns of the feeds.",
    "games": "The catalog of games, their rules and odds; checks of new games.",
    "hands": "Hands of all nights: list, correct, void, replay.",
    "invitations": "Accept an invitation.",
    "join": "Join a league by its code.",
    "leagues": "Leagues: members, devices, settings, ledger, feeds, imports, webhooks.",
    "mcp": "Tools for assistants (docs/mcp.md).",
    "night-series": "Series of planned nights.",
    "nights": "Nights: seats, hands, chips, charges, tournaments, closing.",
    "objections": "Objections of players to hands.",
    "payment-plans": "Who pays whom after a night or a season.",
    "payments": "Payments: promise, confirm, dispute, withdraw.",
    "planned-nights": "Planned nights and their answers.",
    "players": "Players and their figures.",
    "receipts": "Receipts of closed nights behind a link.",
    "seasons": "Seasons: standings, scoring, figures, files.",
    "settle": "Settle a hand without storing it.",
    "webhooks": "The events that are sent to webhooks (docs/webhooks.md).",
}
LIMITS = {
    "X-RateLimit-Limit": "Allowed requests per period.",
    "X-RateLimit-Remaining": "Remaining requests in this period.",
    "X-RateLimit-Reset": "Seconds until a used request is available again.",
}

OBJECT = OpenApiTypes.OBJECT
# A serializer, a schema, or None if there is no body.
Shape = type[Serializer[Any]] | OpenApiTypes | dict[str, Any] | None
Method = TypeVar("Method", bound=Callable[..., Any])


def operation(  # noqa: PLR0913 (everything that describes an operation)
    name: str,
    summary: str,
    response: Shape,
    *,
    body: Shape = None,
    status: int | tuple[int, ...] = 200,
    parameters: tuple[OpenApiParameter, ...] = (),
    other_responses: Mapping[int, type[Serializer[Any]]] = MappingProxyType({}),
) -> Callable[[Method], Method]:
    """Describe a view's method in the schema.

    `name` consists of a verb and a noun, like the name of a client function, e.g. `record_hand`.
    `response` is the body of responses with `status`. `other_responses` are the bodies of responses
    with other statuses.
    """
    statuses = status if isinstance(status, tuple) else (status,)
    return extend_schema(
        operation_id=name,
        summary=summary,
        request={"application/json": body} if isinstance(body, dict) else body,
        responses=dict.fromkeys(statuses, response) | dict(other_responses),
        parameters=list(parameters),
    )


class Schema(AutoSchema):
    """Generates the schema of each operation from its view."""

    def get_operation_id(self) -> str:
        """Return a list's operation id. Other operations get theirs from `operation`."""
        view: Any = self.view
        return str(view.operation_id)

    def get_summary(self) -> str | None:
        """Return the method's summary, or the first line of the view's docstring."""
        first, *_ = (type(self.view).__doc__ or "").strip().splitlines() or [""]
        return super().get_summary() or first.removesuffix(".") or None

    def is_deprecated(self) -> bool:
        return bool(super().is_deprecated() or deprecation_of(self.view, self.method))

    def get_description(self) -> str:  # type: ignore[override] # as the class between has it
        """Return the description, including the removal date if the operation is deprecated."""
        text, deprecation = (
            str(super().get_description() or ""),
            deprecation_of(self.view, self.method),
        )
        return f"{text}\n\n{deprecation}".strip() if deprecation else text

    def _get_serializer_name(self, serializer: Any, direction: Any, *args: Any) -> str:
        """Name request bodies after their class: `HandInput` rather than `HandInputRequest`."""
        name: str = super()._get_serializer_name(serializer, direction, *args)
        if not isinstance(serializer, InputSerializer):
            return name
        return name.removeprefix("Patched").removesuffix("Request")

    def get_paginated_name(self, serializer_name: str) -> str:
        """Name pages `HandPage` rather than `PaginatedHandList`."""
        return f"{serializer_name}Page"

    def get_override_parameters(self) -> list[Any]:
        return [*super().get_override_parameters(), *self._common_parameters()]

    def _common_parameters(self) -> Iterator[OpenApiParameter]:
        handler = getattr(self.view, self.method.lower(), None)
        if self.method == "GET" and getattr(self.view, "selects_fields", True):
            text = "The fields to return, separated by commas."
            yield OpenApiParameter("fields", FIELD_NAMES, description=text)
        if self.method == "GET" and getattr(self.view, "is_short_list", False):
            yield OpenApiParameter(
                "cursor", str, description=("The cursor in `next` of the previous page.")
            )
            text = "Rows of a page, at most 200; all rows by default."
            yield OpenApiParameter("page_size", int, description=text)
        if self.method == "GET":
            yield OpenApiParameter("If-None-Match", str, "header", description="An ETag.")
        if getattr(handler, "is_idempotent", False):
            yield OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "maxLength": LONGEST_KEY, "pattern": "^[!-~]([ -~]*[!-~])?$"},
                "header",
                description="Chosen by the client: a repeated request has no further effect.",
            )


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "api.http.authentication.TokenBearer"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        text = "A token from the league's page. It can only be used for that league."
        return {"type": "http", "scheme": "bearer", "description": text}


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "api.http.authentication.Session"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        text = "The session of the pages. Requests that change data require X-CSRFToken."
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": text}


class LinkScheme(OpenApiAuthenticationExtension):
    target_class = "api.http.authentication.LinkBearer"
    name = "link"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        text = "The key of a feed link, which is read-only."
        return {"type": "apiKey", "in": "query", "name": "key", "description": text}


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the path, verb and definition of each operation in a document."""
    for path, item in document["paths"].items():
        yield from ((path, verb, item[verb]) for verb in VERBS if verb in item)


def add_record(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the schemas of records, answers and games. Raises ValueError if a name exists."""
    schemas = result["components"].setdefault("schemas", {})
    ours = record_schemas() | game_schemas()
    if taken := sorted(schemas.keys() & ours.keys()):
        raise ValueError(f"a serializer has the name of a part of the rules: {', '.join(taken)}")
    schemas |= ours
    return result


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the possible errors of each operation."""
    schemas = result["components"].setdefault("schemas", {})
    schemas |= _problem_schemas()
    for path, verb, operation in operations(result):
        for status in _refusals(path, verb, operation):
            response = operation["responses"].setdefault(str(status), _refusal(status))
            # A status that is documented with a different body may also return a problem document.
            response["content"] = response.get("content", {}) | _refusal(status)["content"]
        if verb == "get":
            unchanged = {"description": "The client's copy is current (If-None-Match)."}
            operation["responses"].setdefault("304", unchanged)
    return result


def add_limits(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe the tags and the rate limit headers."""
    headers = {
        name: {"description": text, "schema": {"type": "integer"}} for name, text in LIMITS.items()
    }
    result["components"]["headers"] = headers
    for _path, _verb, operation in operations(result):
        for response in operation["responses"].values():
            known = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
            response["headers"] = response.get("headers", {}) | known
    result["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    return result


def add_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the recorded requests and responses as examples, except invalid requests."""
    for _path, _verb, operation in operations(result):
        for number, each in enumerate(_examples().get(operation["operationId"], ())):
            for holder, value in _shown(operation, each):
                holder.setdefault("examples", {})[f"example-{number + 1}"] = {"value": value}
    return result


def _shown(
    operation: dict[str, Any], exchange: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield the parts of an operation that have an example in this exchange, with the example."""
    if exchange["status"] < HTTPStatus.BAD_REQUEST:
        values = exchange.get("path", {}) | exchange.get("query", {})
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in values:
                value = values[parameter["name"]]
                yield (
                    parameter,
                    int(value) if parameter["schema"].get("type") == "integer" else value,
                )
        if "asked" in exchange:
            for content in operation.get("requestBody", {}).get("content", {}).values():
                yield content, exchange["asked"]
    if "answer" in exchange:
        answer = operation["responses"].get(str(exchange["status"]), {})
        for content in answer.get("content", {}).values():
            yield content, exchange["answer"]


@cache
def _examples() -> dict[str, list[dict[str, Any]]]:
    read = (json.loads(path.read_text("utf-8")) for path in sorted(EXAMPLES.glob("*.json")))
    return {each["operation"]: each["exchanges"] for each in read}


def _refusals(path: str, verb: str, operation: dict[str, Any]) -> Iterator[int]:
    yield from (400, 429)
    if {} not in operation.get("security", [{}]):
        yield from (401, 403)
    if "{" in path:
        yield 404
    if path.endswith((".csv", ".ndjson", ".parquet")) and "/feeds/" in path:
        yield 416
    if path.endswith(".parquet"):
        yield from (501, 503)
    if path.endswith("/stream"):
        yield 501
    if verb in {"post", "put", "patch"}:
        yield from (409, 413, 415)
    named = any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", ()))
    if named or (verb in {"post", "put"} and READS_GAMES.search(path)):
        yield 422


def _refusal(status: int) -> dict[str, Any]:
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _problem_schemas() -> dict[str, Any]:
    names, text = sorted(KINDS), {"type": "string"}
    problem = {
        "type": "object",
        "description": "A problem (RFC 9457) with all errors.",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {
                "enum": [KINDS[name].type for name in names],
                "x-enum-varnames": [name.upper().replace("-", "_") for name in names],
            },
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "errors": {"type": "array", "items": {"$ref": "#/components/schemas/ErrorDetail"}},
        },
    }
    error = {
        "type": "object",
        "description": "An error with its place.",
        "required": ["where", "code", "text"],
        "properties": {
            "where": text | {"description": "the path in the record, otherwise in the body"},
            "code": text,
            "text": text,
            "pointer": text | {"description": "the JSON pointer in the body"},
            "line": {"type": ["integer", "null"], "description": "of the text of a game"},
            "word": {"type": ["string", "null"]},
            "could_be": {"type": "array", "items": text},
        },
    }
    return {"Problem": problem, "ErrorDetail": error}


# Maps parameters to the component names of their choices.
CHOICES = {"kind": "AccountKind", "look": "ChartLook", "size": "ChartSize", "state": "NightState"}
# Component names of bodies without a serializer.
OBJECTS = {
    "ask_league": "ProtocolMessage",
    "get_game_schema": "GameSchema",
    "get_league_chart": "VegaLiteDocument",
    "get_player_chart": "VegaLiteDocument",
    "get_season_chart": "VegaLiteDocument",
}
BLANK, UNSAID = (
    "BlankEnum",
    "UnsaidUnit",
)  # components of an import's `amounts`; blank is allowed if the file specifies the unit


def name_parts(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Move unnamed schemas into named components if clients need them as types."""
    schemas = result["components"].setdefault("schemas", {})
    for _path, _verb, operation in operations(result):
        for parameter in operation.get("parameters", ()):
            if "enum" in parameter["schema"] and parameter["name"] in CHOICES:
                _name(parameter, schemas, CHOICES[parameter["name"]])
        if operation["operationId"] in OBJECTS:
            for body in (operation.get("requestBody", {}), *operation["responses"].values()):
                for content in body.get("content", {}).values():
                    schema = content.get("schema", {})
                    if schema.get("type") == "object" and "properties" not in schema:
                        _name(content, schemas, OBJECTS[operation["operationId"]])
    rows = schemas["ChartRowPage"]["properties"]["results"]
    schemas["ChartRow"], rows["items"] = rows["items"], {"$ref": f"{REFERENCES}ChartRow"}
    schemas[UNSAID] = schemas.pop(BLANK) | {"x-enum-varnames": ["UNSAID"]}
    _point(result["components"], f"{REFERENCES}{BLANK}", f"{REFERENCES}{UNSAID}")
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _name(holder: dict[str, Any], schemas: dict[str, Any], name: str) -> None:
    """Add the schema to the components if it is new, and replace it with a reference."""
    schemas.setdefault(name, holder["schema"])
    holder["schema"] = {"$ref": f"{REFERENCES}{name}"}


def _point(node: Any, old: str, new: str) -> None:
    """Rename a component in all references to it."""
    if isinstance(node, dict):
        if node.get("$ref") == old:
            node["$ref"] = new
        for child in node.values():
            _point(child, old, new)
    elif isinstance(node, list):
        for child in node:
            _point(child, old, new)
