"""Pages by cursor: what is added meanwhile neither repeats a row nor hides one."""

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from api.http.errors import BadQuery
from league.common.errors import problem


class Pages(CursorPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def decode_cursor(self, request: Request) -> Any:
        try:
            return super().decode_cursor(request)
        except NotFound:
            wrong = problem(self.cursor_query_param, "bad-cursor", "this is no cursor of ours")
            raise BadQuery([wrong]) from None

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """Say what a page is: drf's own words are of OpenAPI 3.0, in which its null is no null."""
        at = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": {**at, "description": "the page after this one, null at the end"},
                "previous": {**at, "description": "the page before this one"},
                "results": schema,
            },
        }

    def get_page_size(self, request: Request) -> int:
        size = request.query_params.get("page_size")
        if size is None:
            return self.page_size
        if not (size.isascii() and size.isdecimal() and int(size[:9]) > 0):
            raise BadQuery([problem("page_size", "wrong-type", "a whole number above zero")])
        return min(int(size[:9]), self.max_page_size)


class Hands(Pages):
    """The hands of a night in the order dealt."""

    ordering = ("place",)  # a cursor reads it from the row itself


class LeagueHands(Pages):
    """Hands of many nights, the latest first."""

    ordering = ("-dealt_at", "-pk")


class Nights(Pages):
    """Nights, the latest first."""

    ordering = ("-started_at", "id")


class PlannedNights(Pages):
    """Nights that are to come, the next one first."""

    ordering = ("starts_at", "id")


class Named(Pages):
    """By name, which is unique in a league."""

    ordering = ("name", "id")


class Transfers(Pages):
    """Transfers in the order in which they were posted."""

    ordering = ("id",)


class Made(Pages):
    """In the order in which they were made."""

    ordering = ("made_at", "id")


class Joined(Pages):
    """In the order in which people came."""

    ordering = ("joined_at", "id")


class Seasons(Pages):
    """Seasons, the latest first."""

    ordering = ("-starts_on", "name")


class Accounts(Pages):
    """Accounts by key, which is unique in a book."""

    ordering = ("key",)


class Slugged(Pages):
    """By name, and the slug where two are called alike."""

    ordering = ("name", "slug")


class Events(Pages):
    """By event, the latest first."""

    ordering = ("-event",)
