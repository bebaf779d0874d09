"""How old what a feed reads is: columns that are read with its league, from which its ETag is made.

Nothing of the feed itself is read for it, and no query more than who asks takes anyway.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.expressions import Combinable

from league.models import StatsState
from league.people.names import names_of
from ledger.models import Posting

# It grows when the same rows are written otherwise than before.
FORMAT = 1
MADE_AT = "seen_at"
Columns = Mapping[str, Combinable]


@dataclass(frozen=True, slots=True)
class Version:
    """`at` is when it last changed, where that is known."""

    text: str
    at: datetime | None = None

    def tag(self, *asked: str) -> str:
        """Return an ETag for what was asked of it."""
        text = "\n".join((str(FORMAT), self.text, *asked))
        return f'"{sha256(text.encode()).hexdigest()[:32]}"'


def version_of(row: Any, columns: Columns) -> Version:
    """Return the version that a row was read with."""
    text = repr([getattr(row, name) for name in sorted(columns)])
    return Version(text, getattr(row, MADE_AT, None))


def counted(at: str) -> Columns:
    """Return the version of what is counted of the league that is `at`, with the names."""
    state = StatsState.objects.filter(pk=OuterRef(at)).values("version")
    return {"seen_version": Subquery(state), "seen_names": names_of(at)}


def posted(at: str) -> Columns:
    """Return the version of the league's book: postings stand in the order of their ids."""
    return {"seen_posting": Subquery(_last(at).values("pk")[:1])}


def posted_at(at: str) -> Columns:
    """Return the same, with when the last posting was made."""
    return {**posted(at), MADE_AT: Subquery(_last(at).values("made_at")[:1])}


def posted_with_names(at: str) -> Columns:
    """Return the version of the league's book, with the names beside it."""
    return {**posted(at), "seen_names": names_of(at)}


def _last(at: str) -> QuerySet[Posting]:
    book = "book" if at == "pk" else f"{at}__book"
    return Posting.objects.filter(book=OuterRef(book)).order_by("-pk")
