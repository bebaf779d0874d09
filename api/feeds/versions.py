"""How old what a feed reads is: columns that are read with its league, from which its ETag is made.

Nothing of the feed itself is read for it, and no query more than who asks takes anyway.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.db.models.expressions import Combinable

from league.access import Action, Finder, Visitor
from league.models import StatsState
from league.people.members import names_of
from ledger.models import Posting

# It grows when the same rows are written otherwise than before.
FORMAT = 1
Columns = Mapping[str, Combinable]
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Version:
    """What changes whenever what is fed does."""

    text: str

    def tag(self, *asked: str) -> str:
        """Return an ETag for what was asked of it."""
        text = "\n".join((str(FORMAT), self.text, *asked))
        return f'"{sha256(text.encode()).hexdigest()[:32]}"'


class VersionedFinder(Generic[Row]):
    """Finds rows by their ids, as `access.Finder` does, with the version of what they feed."""

    def __init__(self, rows: QuerySet[Row], at: str, columns: Columns) -> None:
        self.columns = sorted(columns)
        annotated: Any = rows.annotate(**columns)
        self.finder: Finder[Row] = Finder(annotated, at)

    def find(self, visitor: Visitor, key: UUID) -> tuple[Row, Version]:
        """Return the row if the visitor may look at it, with its version; raises as `require`."""
        row = self.finder.find(visitor, Action.LOOK, key)
        seen = vars(row)
        text = repr([seen[name] for name in self.columns])
        return row, Version(text)


def counted(at: str) -> Columns:
    """Return the version of what is counted of the league that is `at`, with the names."""
    state = StatsState.objects.filter(pk=OuterRef(at)).values("version")
    return {"seen_version": Subquery(state), "seen_names": names_of(at)}


def posted(at: str) -> Columns:
    """Return the version of the league's book: ids of postings increase."""
    return {"seen_posting": Subquery(_last(at).values("pk")[:1])}


def posted_with_names(at: str) -> Columns:
    """Return the version of the league's book and of its names."""
    return {**posted(at), "seen_names": names_of(at)}


def _last(at: str) -> QuerySet[Posting]:
    book = "book" if at == "pk" else f"{at}__book"
    return Posting.objects.filter(book=OuterRef(book)).order_by("-pk")
