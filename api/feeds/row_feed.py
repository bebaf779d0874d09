"""The base of all feeds. Rows have an append-only order and are read in pages.

A page takes a few short queries. No database snapshot is held while a slow client reads, so writers
do not wait and old row versions can be removed. All rows of a hand or posting are on the same page.
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
from api.http.filters import filtered
from league.common.statements import MOST, Given, Statement
from league.models import League

CURSOR = "cursor"
# Maximum number of an export's hands or postings in memory at the same time.
AT_ONCE = 500
# Number of cached statements per feed. Each combination of columns and filters needs its own.
MOST_STATEMENTS = 64
GIVEN: dict[str, type["Field[Any, Any]"]] = {
    "UUIDFilter": UUIDField,
    "CharFilter": CharField,
    "BooleanFilter": BooleanField,
    "DateTimeFilter": DateTimeField,
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page of rows. `last` is the cursor of the last row, or None if there are no rows.

    The first `shared` columns can be stored in `heads`, once for all rows with the same values,
    e.g. the results of one hand. `places` is the index in `heads` for each row.
    """

    rows: Sequence[Row]
    last: int | None
    more: bool
    shared: int = 0
    heads: Sequence[Row] = ((),)
    places: Iterable[int] = repeat(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedQuery:
    """The columns, filters and league of the rows to read."""

    league: League
    values: Mapping[str, Any]
    columns: tuple[Column, ...]

    @property
    def filters(self) -> frozenset[str]:
        """Return the names of the filters in use."""
        return frozenset(self.values)


class Feed:
    """The rows of a league.

    A feed is `incremental` if rows are only added at the end, so clients can store a cursor for
    later. Otherwise cursors are valid only for the current pages. `version` changes whenever a row
    of the league changes.
    """

    name: ClassVar[str]
    row: ClassVar[str]
    summary: ClassVar[str]
    columns: ClassVar[tuple[Column, ...]]
    filters: ClassVar[Any]  # a FilterSet class; mypy can't see its filters
    version: ClassVar[Columns]
    incremental: ClassVar[bool] = True
    # whether all rows fit on one page unless page_size is given
    is_single_page: ClassVar[bool] = False
    counts: ClassVar[str] = "Rows"  # the unit of page_size

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        """Return the rows after a cursor, limited to `most` hands, postings or other `counts`."""
        raise NotImplementedError


def walk(feed: Feed, query: FeedQuery, after: int) -> Iterator[Page]:
    """Yield all pages after a cursor."""
    while True:
        page = feed.page(query, after, AT_ONCE)
        yield page
        if not page.more or page.last is None:
            return
        after = page.last


def rows_after(rows: QuerySet[Any], filters: Any, named: Iterable[str]) -> QuerySet[Any]:
    """Return the filtered rows after a cursor, in order.

    The cursor and all filter values are parameters that are bound later. `filters` is a FilterSet
    class. `named` lists the names of the filters that apply.
    """
    rows = rows.filter(pk__gt=Given(CURSOR, BigIntegerField()))
    return filtered(filters, rows, filter_placeholders(filters, named)).order_by("pk")


def filter_placeholders(filters: Any, named: Iterable[str]) -> dict[str, Given]:
    """Return placeholders for the filter values, by filter name."""
    kinds = {name: type(filters.base_filters[name]).__name__ for name in named}
    return {name: Given(name, GIVEN[kind]()) for name, kind in kinds.items()}


def first_rows(
    statement: Statement, query: FeedQuery, after: int, most: int, **owner: Any
) -> tuple[list[tuple[Any, ...]], bool]:
    """Return at most `most` rows after this cursor, and whether there are more."""
    given = {**query.values, **owner, CURSOR: after, MOST: most + 1}
    rows = statement.rows(**given)
    return rows[:most], len(rows) > most


def page_of(rows: list[tuple[Any, ...]], more: bool) -> Page:
    """Return a page of rows. The last column is the row's id, which is the cursor."""
    return Page(rows, rows[-1][-1] if rows else None, more)
