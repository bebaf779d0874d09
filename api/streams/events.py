"""Rows of a feed as events: all that has one cursor is one event, which comes whole or not at all.

A line of data is the row as it stands in the NDJSON of the feed. Whoever loses the connection
within an event has not had it, and its `id` neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from api.feeds.formats import as_ndjson
from api.feeds.row_feed import Feed, FeedQuery
from league.models import League


class Event(NamedTuple):
    """`body` is all of it but its `id`, which says how far its reader is with the other feeds."""

    cursor: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """Events in the order of their cursors; `last` is the one that they reach, None for none."""

    events: Sequence[Event]
    last: int | None
    more: bool


def read_batch(feed: Feed, league: League, after: int, most: int) -> Batch:
    """Return the events after a cursor, of at most so many hands or postings."""
    page = feed.page(FeedQuery(league=league, values={}, columns=feed.columns), after, most)
    lines = "".join(as_ndjson(feed.columns, [page])).splitlines()
    # the first column of each feed that goes on is its cursor
    rows = zip((int(row[0]) for row in page.rows), lines, strict=True)
    events = [
        Event(cursor, _body(feed.name, [line for _, line in group]))
        for cursor, group in groupby(rows, key=lambda row: row[0])
    ]
    return Batch(events, page.last, page.more)


def _body(name: str, lines: Sequence[str]) -> bytes:
    data = "".join(f"data: {line}\n" for line in lines)
    return f"event: {name}\n{data}\n".encode("ascii")
