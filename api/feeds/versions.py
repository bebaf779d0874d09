"""Versions of the data behind a feed, from which ETags are computed.

A version consists of columns that are read together with the league. It does not depend on the rows
of the feed and needs no additional query.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db.models import F, Model, OuterRef, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from league.access import Action, Finder, Visitor
from league.models import Closing, StatsState
from league.people.members import names_of
from ledger.models import Posting

# Increase this when the output format changes for the same rows.
FORMAT = 1
Columns = Mapping[str, Combinable]
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Version:
    """A string that changes whenever the feed's data changes."""

    text: str

    def tag(self, *asked: str) -> str:
        """Return the ETag for this version and request."""
        text = "\n".join((str(FORMAT), self.text, *asked))
        return f'"{sha256(text.encode()).hexdigest()[:32]}"'


class VersionedFinder(Generic[Row]):
    """Finds rows by id, like `access.Finder`, with the version of the data behind them."""

    def __init__(self, rows: QuerySet[Row], at: str, columns: Columns) -> None:
        self.columns = sorted(columns)
        annotated: Any = rows.annotate(**columns)
        self.finder: Finder[Row] = Finder(annotated, at)

    def find(self, visitor: Visitor, key: UUID) -> tuple[Row, Version]:
        """Return a row that the visitor may read, with its version. Raises like `require`."""
        row = self.finder.find(visitor, Action.VIEW, key)
        seen = vars(row)
        text = repr([seen[name] for name in self.columns])
        return row, Version(text)


def counted(at: str) -> Columns:
    """Return columns for the versions of the statistics and of player and season names.

    `at` is the path to the league.
    """
    state = StatsState.objects.filter(pk=OuterRef(at)).values("version")
    return {"seen_version": Subquery(state), "seen_names": names_of(at)}


def counted_and_closed(at: str) -> Columns:
    """Return columns for the versions of the statistics, of names and of closed nights.

    `at` is the path to the league.
    """
    undone = Posting.objects.filter(reverses=OuterRef("posting")).values("pk")
    closings = Closing.objects.filter(league=OuterRef(at))
    last = closings.annotate(cursor=Coalesce(Subquery(undone), F("posting"))).order_by("-cursor")
    return {**counted(at), "seen_closing": Subquery(last.values("cursor")[:1])}


def posted(at: str) -> Columns:
    """Return the version of the league's book: its last posting. `at` is the path to the league."""
    book = "book" if at == "pk" else f"{at}__book"
    postings = Posting.objects.filter(book=OuterRef(book)).order_by("-pk").values("pk")
    return {"seen_posting": Subquery(postings[:1])}


def posted_with_names() -> Columns:
    """Return columns for the versions of the league's book and of player and season names."""
    return {**posted("pk"), "seen_names": names_of("pk")}
