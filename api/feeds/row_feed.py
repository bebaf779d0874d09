"""What all feeds have alike: their rows lie in an order that only grows, and are read in pages.

A page is a few short queries whoever reads it: no snapshot is held while a slow client reads, so
nobody who writes waits and nothing old is kept alive. Rows that belong together, those of a hand
or of a posting, come on one page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar

from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateTimeField,
    Field,
    QuerySet,
    UUIDField,
)

from api.feeds.columns import Column, Row
from api.feeds.versions import Columns
from api.http.filters import narrowed
from league.common.statements import MOST, Given, Statement
from league.models import League

SINCE = "since"
CURSOR = "cursor"
# Of a whole export: so many hands or postings are in memory at once.
AT_ONCE = 500
# Of each feed: by which columns and which filters were asked for.
MOST_STATEMENTS = 64
GIVEN: dict[str, type["Field[Any, Any]"]] = {
    "UUIDFilter": UUIDField,
    "CharFilter": CharField,
    "BooleanFilter": BooleanField,
    "DateTimeFilter": DateTimeField,
}


@dataclass(frozen=True, slots=True)
class Page:
    """Rows; `last` is the cursor that they reach, None where nothing was found.

    Their first columns, so many as are `shared`, may stand in `heads`, once for all the rows that
    have them alike, as the results of a hand do; `places` says where those of each row stand.
    """

    rows: Sequence[Row]
    last: int | None
    more: bool
    shared: int = 0
    heads: Sequence[Row] = ((),)
    places: Iterable[int] = repeat(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedQuery:
    """Rows of a league with these columns, narrowed by the values of filters."""

    league: League
    values: Mapping[str, Any]
    columns: tuple[Column, ...]

    @property
    def filters(self) -> frozenset[str]:
        """Return the names of the filters that narrow it."""
        return frozenset(self.values)


class Feed:
    """Rows of a league.

    `goes_on` is the parameter that a client goes on with: `since` where rows are only ever added
    at the end, so that it can be kept for later; `cursor` where it leads through the pages of now;
    none where there is but one page. `version` is what changes whenever a row of the league does.
    """

    name: ClassVar[str]
    row: ClassVar[str]
    summary: ClassVar[str]
    columns: ClassVar[tuple[Column, ...]]
    filters: ClassVar[Any]  # a FilterSet: the class, whose filters it does not tell mypy of
    version: ClassVar[Columns]
    goes_on: ClassVar[str | None] = SINCE

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        """Return the rows after a cursor, of at most so many hands or postings."""
        raise NotImplementedError


def walk(feed: Feed, query: FeedQuery, after: int) -> Iterator[Page]:
    """Yield page after page until nothing is left."""
    while True:
        page = feed.page(query, after, AT_ONCE)
        yield page
        if not page.more or page.last is None:
            return
        after = page.last


def rows_after(rows: QuerySet[Any], filters: Any, named: Iterable[str]) -> QuerySet[Any]:
    """Return the rows after a cursor in their order, narrowed; the values of all are given later.

    `filters` is a FilterSet, the class, and those of its filters that narrow are named.
    """
    rows = rows.filter(pk__gt=Given(SINCE, BigIntegerField()))
    return narrowed(filters, rows, given_filters(filters, named)).order_by("pk")


def given_filters(filters: Any, named: Iterable[str]) -> dict[str, Given]:
    """Return by the names of filters what stands for their values, which are given later."""
    kinds = {name: type(filters.base_filters[name]).__name__ for name in named}
    return {name: Given(name, GIVEN[kind]()) for name, kind in kinds.items()}


def first_rows(
    statement: Statement, query: FeedQuery, after: int, most: int, **owner: Any
) -> tuple[list[tuple[Any, ...]], bool]:
    """Return at most so many rows after this one, and whether there are more."""
    given = {**query.values, **owner, SINCE: after, MOST: most + 1}
    found = statement.rows(**given)
    return found[:most], len(found) > most


def page_of(rows: list[tuple[Any, ...]], more: bool) -> Page:
    """Return the page of rows that end with their ids, which are cursors."""
    return Page(rows, rows[-1][-1] if rows else None, more)
