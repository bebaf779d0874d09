"""The OpenAPI document, and a page that shows it."""

from functools import cache
from threading import RLock
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from drf_spectacular.generators import SchemaGenerator
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.resource import PublicResource, Resource
from api.openapi.operations import Section, sections, shapes

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
