"""Pages of a list, always in the form `{next, previous, results}`.

Long lists are read by cursor, so rows added between two requests do not cause repeated or missing
rows. Short lists are one page unless the request has a `page_size`.
"""

import json
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.http.errors import BadQueryError
from api.http.fields import OutputSerializer
from league.common.errors import problem

CURSOR, PAGE_SIZE = "cursor", "page_size"
PAGE_PARAMETERS = frozenset({CURSOR, PAGE_SIZE})
MOST_ROWS = 10**6  # maximum number of rows in an in-memory list
NEXT = "the URL of the next page; null at the end"
PREVIOUS = "the URL of the previous page; null if the list can only be read forward"


@cache  # the schema requires one class per name
def page_of(kind: type[serializers.Serializer[Any]]) -> type[OutputSerializer]:
    """Return the serializer for a page of these rows, e.g. `HandPage` for `HandSerializer`."""
    name = kind.__name__.removesuffix("Serializer")
    return page_serializer(f"{name}PageSerializer", kind(many=True))


def page_serializer(name: str, results: Any) -> type[OutputSerializer]:
    """Return the serializer for a page with these `results`."""
    fields = {
        "next": serializers.URLField(allow_null=True, help_text=NEXT),
        "previous": serializers.URLField(allow_null=True, help_text=PREVIOUS),
        "results": results,
    }
    return type(name, (OutputSerializer,), fields)


def single_page(rows: Any) -> dict[str, Any]:
    return {"next": None, "previous": None, "results": rows}


class Cursor(NamedTuple):
    """The start of a page: the row at `position`, or an end of the list if it is empty.

    A position has a value for each field of the ordering. The last field is unique, so it
    distinguishes rows whose other fields are equal.
    """

    backwards: bool
    position: list[Any] | None


class Pages(CursorPagination):
    """Pages of rows after a position, sorted by `ordering`. The last field is unique."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
    ordering: tuple[str, ...]

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        size = self.get_page_size(request)
        self._address = request.build_absolute_uri()
        backwards, position = self._read_cursor(request, queryset) or Cursor(False, None)
        order = list(self.ordering)
        if backwards:
            order = [name[1:] if name.startswith("-") else f"-{name}" for name in order]
        if position is not None:
            queryset = queryset.filter(_after(order, position))
        rows = list(queryset.order_by(*order)[: size + 1])
        more, rows = len(rows) > size, rows[:size]
        if backwards:
            rows.reverse()
        self.page = rows
        self.has_next = position is not None if backwards else more
        self.has_previous = more if backwards else position is not None
        return rows

    def get_next_link(self) -> str | None:
        return self._link(backwards=False, at=-1) if self.has_next else None

    def get_previous_link(self) -> str | None:
        return self._link(backwards=True, at=0) if self.has_previous else None

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a page.

        DRF's own schema is OpenAPI 3.0, which represents nulls differently.
        """
        at = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": {**at, "description": NEXT},
                "previous": {**at, "description": PREVIOUS},
                "results": schema,
            },
        }

    def get_page_size(self, request: Request) -> int:
        size = request.query_params.get("page_size")
        if size is None:
            return self.page_size
        if not (size.isascii() and size.isdecimal() and int(size[:9]) > 0):
            raise BadQueryError([problem("page_size", "wrong-type", "a whole number above zero")])
        return min(int(size[:9]), self.max_page_size)

    def _link(self, *, backwards: bool, at: int) -> str:
        """Return the URL of the next page. An empty page links to the first or last one."""
        position = None
        if self.page:
            row = self.page[at]
            values = [getattr(row, name.lstrip("-")) for name in self.ordering]
            position = [value if isinstance(value, int) else str(value) for value in values]
        cursor = encode_cursor([int(backwards), position])
        return str(replace_query_param(self._address, self.cursor_query_param, cursor))

    def _read_cursor(self, request: Request, rows: QuerySet[Any]) -> Cursor | None:
        """Return the request's cursor, with a value for each field of the ordering.

        Raises BadQueryError for an invalid cursor.
        """
        text = request.query_params.get(self.cursor_query_param)
        if text is None:
            return None
        try:
            backwards, position = decode_cursor(text)
            if position is not None:
                fields = [
                    rows.query.resolve_ref(name.lstrip("-")).output_field for name in self.ordering
                ]
                pairs = zip(fields, position, strict=True)
                position = [_value(field, value) for field, value in pairs]
        except (ValueError, TypeError, OverflowError, RecursionError, ValidationError):
            raise BadCursorError from None
        return Cursor(bool(backwards), position)


def short_page(rows: Iterable[Any], request: Request) -> tuple[list[Any], dict[str, str | None]]:
    """Return the requested rows of a list in memory, with the links `next` and `previous`.

    A cursor is the number of rows before the page. Without `page_size` and `cursor`, the page has
    all rows. Raises BadQueryError.
    """
    all_rows = list(rows)
    parameters = request.query_params
    if not PAGE_PARAMETERS & parameters.keys():
        return all_rows, {"next": None, "previous": None}
    size, start = Pages().get_page_size(request), skipped_by(parameters.get(CURSOR))
    address = request.build_absolute_uri()

    def link(at: int) -> str:
        return str(replace_query_param(address, CURSOR, encode_cursor([at])))

    end = start + size
    return all_rows[start:end], {
        "next": link(end) if end < len(all_rows) else None,
        "previous": link(max(0, start - size)) if start else None,
    }


def skipped_by(cursor: str | None) -> int:
    """Return the number of rows before this cursor's page. Raises BadCursorError."""
    if cursor is None:
        return 0
    try:
        [skipped] = decode_cursor(cursor)
    except (ValueError, TypeError, RecursionError):
        raise BadCursorError from None
    if isinstance(skipped, bool) or not isinstance(skipped, int) or not 0 <= skipped <= MOST_ROWS:
        raise BadCursorError
    return skipped


class BadCursorError(BadQueryError):
    """The cursor does not belong to this list."""

    def __init__(self) -> None:
        text = "this is not a cursor from a list of this API"
        super().__init__([problem(CursorPagination.cursor_query_param, "bad-cursor", text)])


def encode_cursor(value: list[Any]) -> str:
    return urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode()


def decode_cursor(text: str) -> Any:
    """Return the value of a cursor. Raises ValueError or RecursionError if the text is invalid."""
    return json.loads(b64decode(text, b"-_", validate=True))


def _after(order: Sequence[str], position: Sequence[Any]) -> Q:
    """Return the condition that a row comes after the position in this order."""
    after, equal = Q(), dict[str, Any]()
    for name, value in zip(order, position, strict=True):
        field = name.lstrip("-")
        after |= Q(**equal, **{f"{field}__{'lt' if name.startswith('-') else 'gt'}": value})
        equal[field] = value
    first, value = order[0].lstrip("-"), position[0]
    # a range condition that can use an index
    bound = "lte" if order[0].startswith("-") else "gte"
    return Q(**{f"{first}__{bound}": value}) & after


def _value(field: Any, value: object) -> Any:
    """Return the value of a model field. Raises ValueError or ValidationError."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError(value)
    if isinstance(value, str):
        value.encode()  # rejects lone surrogates
        if "\0" in value:
            raise ValueError(value)
    elif not -(2**63) <= value < 2**63:
        raise ValueError(value)
    read = field.to_python(value)
    if isinstance(read, datetime):
        if read.tzinfo is None:
            raise ValueError(value)
        return read.astimezone(UTC)
    return read


class Hands(Pages):
    """The hands of a night in the order dealt."""

    ordering = ("place",)  # the only field in the cursor


class LeagueHands(Pages):
    """Hands of many nights, latest first. If times are equal, the highest number comes first."""

    ordering = ("-dealt_at", "-place", "-pk")


class Nights(Pages):
    """Nights, latest first."""

    ordering = ("-started_at", "id")


class PlannedNights(Pages):
    """Planned nights, next one first."""

    ordering = ("starts_at", "id")


class ByName(Pages):
    """Rows sorted by name. Names are unique in a league."""

    ordering = ("name", "id")


class Transfers(Pages):
    """Transfers in posting order."""

    ordering = ("id",)


class ByCreation(Pages):
    """Rows in the order of creation."""

    ordering = ("made_at", "id")


class NewestFirst(Pages):
    """Rows in the order of creation, latest first."""

    ordering = ("-made_at", "id")


class ByLastSeen(Pages):
    """Devices, most recently seen first."""

    ordering = ("-seen_at", "id")


class ByJoining(Pages):
    """Members in the order in which they joined."""

    ordering = ("joined_at", "id")


class Seasons(Pages):
    """Seasons, latest first."""

    ordering = ("-starts_on", "name")


class Accounts(Pages):
    """Accounts sorted by key. Keys are unique in a book."""

    ordering = ("key",)


class ByNameAndSlug(Pages):
    """Rows sorted by name, then by slug."""

    ordering = ("name", "slug")


class Events(Pages):
    """Rows sorted by event, latest first. An event's key is its sequence number."""

    ordering = ("-event_id",)
