"""The OpenAPI document, and a page that shows its operations and shapes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from threading import RLock
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.resource import PublicResource, Resource

PREFIX = "#/components/schemas/"
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a key of a shape. `place` is the part of the request, such as `query`."""

    name: str
    kind: SafeString
    text: str
    required: bool
    place: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """A request or response body. `status` and `text` are empty for a request."""

    kind: SafeString
    example: str
    status: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    name: str
    method: str
    path: str
    summary: str
    text: str
    deprecated: bool
    parameters: list[Field]
    requests: list[Body]
    responses: list[Body]


@dataclass(frozen=True, slots=True)
class Section:
    """The operations with one tag."""

    name: str
    text: str
    operations: list[Operation]


@dataclass(frozen=True, slots=True)
class ShapeEntry:
    """A named schema: an object with its keys, or another kind of value."""

    name: str
    text: str
    kind: SafeString
    fields: list[Field]


def sections(document: Mapping[str, Any]) -> list[Section]:
    """Return the operations grouped by tag, in the order of the document."""
    operations = [
        (declared["tags"][0], _operation(method, path, declared))
        for path, methods in document["paths"].items()
        for method, declared in methods.items()
        if method in METHODS
    ]
    return [
        Section(
            tag["name"],
            tag["description"],
            [each for name, each in operations if name == tag["name"]],
        )
        for tag in document["tags"]
        if any(name == tag["name"] for name, _each in operations)
    ]


def shapes(document: Mapping[str, Any]) -> list[ShapeEntry]:
    """Return the named schemas, sorted by name."""
    entries = []
    for name, schema in sorted(document["components"]["schemas"].items()):
        required = schema.get("required", ())
        fields = [
            Field(key, kind_of(value), value.get("description", ""), key in required)
            for key, value in schema.get("properties", {}).items()
        ]
        text = schema.get("description", "")
        entries.append(ShapeEntry(name, text, kind_of(schema), fields))
    return entries


def kind_of(schema: Mapping[str, Any]) -> SafeString:
    """Return the kind of a value in words, with a link to each named schema."""
    if name := schema.get("$ref", "").removeprefix(PREFIX):
        return format_html('<a href="#{}">{}</a>', name, name)
    parts = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if parts:
        return format_html_join(" or ", "{}", ((kind_of(part),) for part in parts))
    if "enum" in schema:
        values = (each if isinstance(each, str) else json.dumps(each) for each in schema["enum"])
        return format_html_join(", ", "<code>{}</code>", ((value,) for value in values))
    kinds = schema.get("type", "any value")
    if isinstance(kinds, list):
        each = (kind_of({**schema, "type": kind}) for kind in kinds)
        return format_html_join(" or ", "{}", ((kind,) for kind in each))
    if kinds == "array":
        return format_html("list of {}", kind_of(schema.get("items", {})))
    return format_html("{}{}", kinds, f" ({schema['format']})" if "format" in schema else "")


def _operation(method: str, path: str, declared: Mapping[str, Any]) -> Operation:
    request = declared.get("requestBody", {}).get("content", {})
    return Operation(
        name=declared["operationId"],
        method=method.upper(),
        path=path,
        summary=declared.get("summary", ""),
        text=declared.get("description", ""),
        deprecated=declared.get("deprecated", False),
        parameters=[
            Field(
                each["name"],
                kind_of(each.get("schema", {})),
                each.get("description", ""),
                each.get("required", False),
                each["in"],
            )
            for each in declared.get("parameters", ())
        ],
        requests=[_body(content) for content in request.values()],
        responses=[
            _body(content, status, response.get("description", ""))
            for status, response in declared["responses"].items()
            for content in list(response.get("content", {}).values()) or [{}]
        ],
    )


def _body(content: Mapping[str, Any], status: str = "", text: str = "") -> Body:
    examples = list(content.get("examples", {}).values())
    example = json.dumps(examples[0]["value"], indent=2, ensure_ascii=False) if examples else ""
    kind = kind_of(content["schema"]) if "schema" in content else SafeString("")
    return Body(kind, example, status, text)


# drf-spectacular loads its extensions on first use, which is not safe in two threads at once.
_GENERATING = RLock()


class Schema(PublicResource):
    schema = None

    def get(self, request: Request) -> Response:
        return Response(document())


class Reference(Resource):
    """The document as a page. Signed-in visitors see their account in its header."""

    schema = None
    permission_classes = (AllowAny,)
    selects_fields = False

    def get(self, request: Request) -> HttpResponse:
        with _GENERATING:
            page_sections, operations = _page()
        context = {"sections": page_sections, "operations": operations}
        return render(request, "api/reference.html", context)


def document() -> dict[str, Any]:
    """Return the OpenAPI document, which is the same for all callers."""
    with _GENERATING:
        return _document()


@cache
def _document() -> dict[str, Any]:
    generator = SchemaGenerator()
    made: dict[str, Any] = generator.get_schema(request=None, public=True)
    return made


@cache
def _page() -> tuple[list[Section], str]:
    """Return the operations grouped by tag, and their HTML, which takes a second to render."""
    page_sections = sections(document())
    context = {"sections": page_sections, "shapes": shapes(document())}
    return page_sections, render_to_string("api/operations.html", context)
