"""The addresses of the feeds: who asks, whether it has it already, a page or all of it.

What an answer would say is not computed to find out that the client has it: its ETag is made of
the version of what the feed reads and of what was asked.
"""

import logging
from collections.abc import Iterator
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.feeds import replica
from api.feeds.columns import Column, row_of
from api.feeds.formats import FORMS, JSON, Form, as_page
from api.feeds.row_feed import Feed, FeedQuery, Page, walk
from api.feeds.versions import Version, VersionedFinder
from api.http.errors import BadQuery
from api.http.fields import OutputSerializer
from api.http.filters import read_filters
from api.http.resource import FIELDS, Resource, last_modified
from league.access import Action, find_league
from league.common.errors import problem
from league.common.text import shown
from league.models import League

USUAL_SIZE = 100
LARGEST_SIZE = 500
LARGEST_CURSOR = 2**63 - 1
PAGE_SIZE = "page_size"

logger = logging.getLogger(__name__)


class FeedResource(Resource):
    """An address of something that is fed: the version of it is asked for first."""

    allows_feed_link = True
    finder: ClassVar[VersionedFinder[Any]]  # of leagues, unless `find` is another

    def find(self, **which: Any) -> tuple[League, Version]:
        """Return the league of what the address names, with its version; one query."""
        league, version = self.finder.find(self.visitor, which["league_id"])
        return league, version

    def answer(self, league: League) -> Any:
        """Return the answer."""
        raise NotImplementedError

    def get(self, request: Request, **which: Any) -> Any:
        league, version = self.find(**which)
        self.read_query(league)
        tag = version.tag(type(self).__name__, request.build_absolute_uri())
        # A replica may still bring more of the second that the header would name.
        at = None if replica.is_read() else last_modified(version.at)
        answer: Any = get_conditional_response(request, etag=tag, last_modified=at)
        answer = answer or self.answer(league)
        answer.headers["ETag"] = tag
        if at is not None:
            answer.headers["Last-Modified"] = http_date(at)
        return answer

    def read_query(self, league: League) -> None:
        """Read what is asked. Raises BadQuery with all that is wrong."""


class Rows(FeedResource):
    """Rows of a feed; `form` says how all of them are written, else they come in pages."""

    feed: ClassVar[Feed]
    form: ClassVar[Form | None] = None
    query: FeedQuery

    def get(self, request: Request, **which: Any) -> Any:
        """Answer from the replica, if there is one; who may see it is asked of the source."""
        if replica.is_there():
            find_league(self.visitor, Action.LOOK, which["league_id"])
            try:
                with replica.reading():
                    return super().get(request, **which)
            except (Http404, PermissionDenied):
                pass  # what lets them in has not come there yet
            except DatabaseError as error:
                logger.warning("The replica can't be read: %s", error)
        return super().get(request, **which)

    def known_parameters(self) -> set[str]:
        goes_on = {self.feed.goes_on} if self.feed.goes_on else set()
        sized = {PAGE_SIZE} if self.feed.goes_on and self.form is None else set()
        return super().known_parameters() | set(self.feed.filters.base_filters) | goes_on | sized

    def read_query(self, league: League) -> None:
        values = read_filters(self.feed.filters, self.request.query_params)
        self.query = FeedQuery(league=league, values=values, columns=self._columns())
        self.after = self._integer(self.feed.goes_on or "", 0, 0, LARGEST_CURSOR)
        self.size = min(self._integer(PAGE_SIZE, USUAL_SIZE, 1, LARGEST_CURSOR), LARGEST_SIZE)

    def answer(self, league: League) -> Any:
        return self._export(self.form) if self.form else self._page()

    def _page(self) -> HttpResponse:
        page = self.feed.page(self.query, self.after, self.size)
        beside: dict[str, Any] = {"next": None}
        if self.feed.goes_on:
            last = self.after if page.last is None else page.last
            at = self.request.build_absolute_uri()
            beside["next"] = replace_query_param(at, self.feed.goes_on, last) if page.more else None
            beside["cursor"] = last
        body = as_page(self.query.columns, page, **beside)
        return HttpResponse(body, content_type=JSON)

    def _export(self, form: Form) -> StreamingHttpResponse:
        pages = self._pages() if self.request.method == "GET" else iter(())
        texts = form.write(self.query.columns, pages)
        answer = StreamingHttpResponse(texts, content_type=f"{form.media_type}; charset=utf-8")
        name = f"{self.feed.name}.{form.ending}"
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def _pages(self) -> Iterator[Page]:
        return replica.staying(walk(self.feed, self.query, self.after))

    def _columns(self) -> tuple[Column, ...]:
        wanted = self.request.query_params.get(FIELDS)
        if wanted is None:
            return self.feed.columns
        names = wanted.split(",")
        known = {each.name for each in self.feed.columns}
        if unknown := sorted(set(names) - known):
            names_known = ", ".join(each.name for each in self.feed.columns)
            text = f"there is no field {shown(unknown[0])}: {names_known}"
            raise BadQuery([problem(FIELDS, "unknown-field", text)])
        return tuple(each for each in self.feed.columns if each.name in names)

    def _integer(self, name: str, usual: int, least: int, most: int) -> int:
        text = self.request.query_params.get(name)
        if text is None:
            return usual
        right = text.isascii() and text.isdecimal() and len(text) < 20 and int(text) <= most
        if not right or int(text) < least:
            wanted = "a cursor" if name != PAGE_SIZE else "a whole number above zero"
            raise BadQuery([problem(name, "wrong-type", wanted)])
        return int(text)


def views_of(feed: Feed) -> Iterator[tuple[str, type[Rows]]]:
    """Yield the view of each form of a feed, with the ending of its name."""
    page = _page_serializer(feed)
    yield "", _view(feed, None, {200: page})
    for form in FORMS:
        yield form.ending, _view(feed, form, {(200, form.media_type): OpenApiTypes.STR})


def _view(feed: Feed, form: Form | None, responses: Any) -> type[Rows]:
    name = f"{type(feed).__name__}{form.ending.title() if form else ''}Feed"
    finder = VersionedFinder(League.objects.all(), "pk", feed.version)
    own = {"feed": feed, "form": form, "finder": finder, "__doc__": type(feed).__doc__}
    view = type(name, (Rows,), own)
    described = extend_schema(
        summary=feed.summary, responses=responses, parameters=list(_parameters(feed, form))
    )
    return extend_schema_view(get=described)(view)


def _page_serializer(feed: Feed) -> type[OutputSerializer]:
    fields: dict[str, Any] = {
        "results": row_of(feed.row, feed.columns)(many=True),
        "next": serializers.URLField(allow_null=True, help_text="the page after this one"),
    }
    if feed.goes_on:
        text = f"what comes after this page is asked for with `{feed.goes_on}`"
        fields["cursor"] = serializers.IntegerField(help_text=text)
    return type(f"{feed.row}s", (OutputSerializer,), fields)


TYPES = {"UUIDFilter": OpenApiTypes.UUID, "DateTimeFilter": OpenApiTypes.DATETIME}
TYPES |= {"BooleanFilter": OpenApiTypes.BOOL, "CharFilter": OpenApiTypes.STR}


def _parameters(feed: Feed, form: Form | None) -> Iterator[OpenApiParameter]:
    for name, each in feed.filters.base_filters.items():
        yield OpenApiParameter(name, TYPES[type(each).__name__])
    if feed.goes_on:
        whole = {"type": "integer", "minimum": 0, "maximum": LARGEST_CURSOR}
        yield OpenApiParameter(feed.goes_on, whole, description="Rows after this cursor.")
        if form is None:
            text = f"Hands or postings of a page: {USUAL_SIZE}, at most {LARGEST_SIZE}."
            yield OpenApiParameter(PAGE_SIZE, {"type": "integer", "minimum": 1}, description=text)
