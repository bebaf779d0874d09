"""Feed views. They check access and the ETag, then return a page or all rows.

An ETag is computed from the version of the data and the parameters of the request. If the client
has the current version, no rows are computed.
"""

import logging
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404, HttpResponse
from django.utils.cache import get_conditional_response
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.feeds import replica
from api.feeds.columns import Column
from api.feeds.formats import JSON, as_page
from api.feeds.row_feed import CURSOR, Feed, FeedQuery
from api.feeds.versions import Version, VersionedFinder
from api.http.errors import BadQueryError
from api.http.filters import read_filters, require_existing
from api.http.resource import FIELDS, Resource
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
    """A resource with a version, which is read first."""

    allows_feed_link = True
    finder: ClassVar[VersionedFinder[Any]]  # finds leagues unless `find` is overridden

    def find(self, **which: Any) -> tuple[League, Version]:
        """Return the league in the URL and its version, using one query."""
        league, version = self.finder.find(self.visitor, which["league_id"])
        return league, version

    def answer(self, league: League) -> Any:
        raise NotImplementedError

    def get(self, request: Request, **which: Any) -> Any:
        league, version = self.find(**which)
        self.read_query(league)
        self.tag = self.tag_of(version)
        answer: Any = get_conditional_response(request, etag=self.tag)
        answer = answer or self.answer(league)
        answer.headers["ETag"] = self.tag
        return answer

    def tag_of(self, version: Version) -> str:
        """Return the ETag for this request and a version."""
        return version.tag(type(self).__name__, self.request.build_absolute_uri())

    def read_query(self, league: League) -> None:
        """Read the query parameters. Raises BadQueryError with all errors."""


class Rows(FeedResource):
    """Rows of a feed, in pages."""

    feed: ClassVar[Feed]
    is_paged: ClassVar[bool] = True
    query: FeedQuery

    def get(self, request: Request, **which: Any) -> Any:
        """Check access using the source, then read from the replica, if there is one."""
        if replica.is_there():
            find_league(self.visitor, Action.VIEW, which["league_id"])
            try:
                with replica.reading():
                    return super().get(request, **which)
            except (Http404, PermissionDenied):
                pass  # the membership may not have reached the replica yet
            except DatabaseError as error:
                logger.warning("The replica can't be read: %s", error)
        return super().get(request, **which)

    def known_parameters(self) -> set[str]:
        names = super().known_parameters() | set(self.feed.filters.base_filters)
        return names | {CURSOR, PAGE_SIZE} if self.is_paged else names | {CURSOR}

    def read_query(self, league: League) -> None:
        values = read_filters(self.feed.filters, self.request.query_params)
        if values:
            # a new object may not have reached the replica yet
            with replica.reading(replica=False):
                require_existing(values, League.objects.filter(pk=league.pk))
        self.query = FeedQuery(league=league, values=values, columns=self._columns())
        self.after = self._integer(CURSOR, 0, 0)
        self.size = LARGEST_CURSOR
        if not self.feed.is_single_page or PAGE_SIZE in self.request.query_params:
            self.size = min(self._integer(PAGE_SIZE, USUAL_SIZE, 1), LARGEST_SIZE)

    def answer(self, league: League) -> Any:
        page = self.feed.page(self.query, self.after, self.size)
        address = self.request.build_absolute_uri()
        following = replace_query_param(address, CURSOR, page.last) if page.more else None
        body = as_page(self.query.columns, page, next=following, previous=None)
        return HttpResponse(body, content_type=JSON)

    def _columns(self) -> tuple[Column, ...]:
        wanted = self.request.query_params.get(FIELDS)
        if wanted is None:
            return self.feed.columns
        names = wanted.split(",")
        known = {column.name for column in self.feed.columns}
        if unknown := sorted(set(names) - known):
            names_known = ", ".join(column.name for column in self.feed.columns)
            text = f"there is no field {shown(unknown[0])}: {names_known}"
            raise BadQueryError([problem(FIELDS, "unknown-field", text)])
        return tuple(column for column in self.feed.columns if column.name in names)

    def _integer(self, name: str, usual: int, least: int) -> int:
        text = self.request.query_params.get(name)
        if text is None:
            return usual
        right = text.isascii() and text.isdecimal() and len(text) < 20
        if not right or not least <= int(text) <= LARGEST_CURSOR:
            wanted = "a cursor" if name != PAGE_SIZE else "a whole number above zero"
            raise BadQueryError([problem(name, "wrong-type", wanted)])
        return int(text)
