"""What all feeds have alike: their rows lie in an order that only grows, and are read in pages.

A page is a few short queries whoever reads it: no snapshot is held while a slow client reads, so
nobody who writes waits and nothing old is kept alive. Rows that belong together, those of a hand
or of a posting, come on one page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import QuerySet
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import Column, Row
from api.feeds.versions import Columns
from league.models import League

SINCE = "since"
CURSOR = "cursor"
# Of a whole export: so many hands or postings are in memory at once.
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Page:
    """Rows; `last` is the cursor that they reach, None where nothing was found."""

    rows: Sequence[Row]
    last: int | None
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedQuery:
    """Rows of a league, as the filters (valid) say, with these columns."""

    league: League
    filters: FilterSet
    columns: Sequence[Column]


class Feed:
    """Rows of a league.

    `goes_on` is the parameter that a client goes on with: `since` where rows are only ever added
    at the end, so that it can be kept for later; `cursor` where it leads through the pages of now;
    none where there is but one page.
    """

    name: ClassVar[str]
    row: ClassVar[str]
    summary: ClassVar[str]
    columns: ClassVar[tuple[Column, ...]]
    filters: ClassVar[Any]  # a FilterSet: the class, whose filters it does not tell mypy of
    goes_on: ClassVar[str | None] = SINCE

    def version(self, at: str) -> Columns:
        """Return what changes whenever a row of the league that is `at` does."""
        raise NotImplementedError

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


def first_ids(rows: QuerySet[Any], after: int, most: int) -> tuple[list[int], bool]:
    """Return the ids of the first rows after this one, and whether there are more."""
    found = list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[: most + 1])
    return found[:most], len(found) > most
