"""Deprecation headers according to RFC 9745 and RFC 8594, and deprecation in the schema.

No operation is deprecated today, so this test defines its own views.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.resource import PublicResource
from api.openapi.reference import document
from api.openapi.schema import NOTICE, Deprecation, deprecated, operation, operations
from tests.helpers.config.commands import ROOT

SINCE = datetime(2026, 3, 1, tzinfo=UTC)
TOLD = Deprecation(
    since=SINCE,
    sunset=datetime(2026, 10, 1, tzinfo=UTC),
    link="https://example.org/changes",
    successor="/api/v1/new",
)
WHOLE = Deprecation(since=SINCE, sunset=SINCE + NOTICE, link="https://example.org/gone")


class Old(PublicResource):
    @operation("get_old_thing", "An old thing", None)
    @deprecated(TOLD)
    def get(self, request: Request) -> Response:
        return Response({})

    @operation("record_old_thing", "Record one", None)
    def post(self, request: Request) -> Response:
        return Response({})


@deprecated(WHOLE)
class Gone(PublicResource):
    @operation("get_gone_thing", "A thing", None)
    def get(self, request: Request) -> Response:
        return Response({}, headers={"Link": '</next>; rel="next"'})


def call_view(view: Any, method: str = "get", query: str = "") -> HttpResponse:
    answer: HttpResponse = view.as_view()(getattr(RequestFactory(), method)(f"/old{query}"))
    return answer


def test_deprecated_operation_announces_its_sunset_and_successor() -> None:
    answer = call_view(Old)
    assert answer["Deprecation"] == "@1772323200"  # RFC 9745, 2.1: a structured-field date
    assert answer["Sunset"] == "Thu, 01 Oct 2026 00:00:00 GMT"  # RFC 8594, 3
    assert answer["Link"].split(", ") == [
        '<https://example.org/changes>; rel="deprecation"; type="text/html"',
        '<https://example.org/changes>; rel="sunset"; type="text/html"',
        '</api/v1/new>; rel="successor-version"',
    ]


def test_errors_have_deprecation_headers_only_for_the_deprecated_operation() -> None:
    refused = call_view(Old, query="?no=1")
    assert (refused.status_code, refused["Deprecation"]) == (400, "@1772323200")
    for header in ("Deprecation", "Sunset", "Link"):
        assert header not in call_view(Old, "post")


def test_deprecating_a_url_covers_all_methods_and_keeps_other_links() -> None:
    assert call_view(Gone, "post")["Sunset"] == call_view(Gone)["Sunset"]
    assert call_view(Gone)["Link"].startswith(
        '</next>; rel="next", <https://example.org/gone>; rel="d'
    )


def test_schema_marks_deprecated_operations() -> None:
    patterns = [path("old", Old.as_view()), path("gone", Gone.as_view())]
    generator = SchemaGenerator(patterns=patterns)
    generator._initialise_endpoints()
    paths = generator.parse(None, public=True)
    assert paths["/old"]["get"]["deprecated"] is True
    assert "gone from 2026-10-01 on" in paths["/old"]["get"]["description"]
    assert "Use /api/v1/new instead." in paths["/old"]["get"]["description"]
    assert "deprecated" not in paths["/old"]["post"]
    assert paths["/gone"]["get"]["deprecated"] is True


def test_sunset_within_the_notice_period_is_refused() -> None:
    with pytest.raises(ValueError, match="180 days"):
        Deprecation(since=SINCE, sunset=SINCE + NOTICE - timedelta(days=1), link="https://a.org")


def test_documentation_states_the_notice_period_and_lists_deprecations() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    section = re.search(r"^## Changes\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    assert section
    assert f"{NOTICE.days} days" in section[1]
    for at, _verb, each in operations(document()):
        assert not each.get("deprecated") or f"`{each['operationId']}`" in section[1], at
