"""How old what a feed reads is: columns that are read with its league, from which its ETag is made.

Nothing of the feed itself is read for it, and no query more than who asks takes anyway.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db.models import F, Func, OuterRef, QuerySet, Subquery, TextField
from django.db.models.expressions import Combinable

from league.models import StatsState
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
        told = "\n".join((str(FORMAT), self.text, *asked))
        return f'"{sha256(told.encode()).hexdigest()[:32]}"'


def version_of(row: Any, columns: Columns) -> Version:
    """Return the version that a row was read with."""
    told = repr([getattr(row, name) for name in sorted(columns)])
    return Version(told, getattr(row, MADE_AT, None))


class Names(Func):
    """The names of a league's people and seasons, which stand beside numbers and can change."""

    output_field = TextField()
    template = """(SELECT %(function)s(each.told, ',') FROM (
        SELECT CAST(id AS text) || name AS told FROM league_player WHERE league_id = %(at)s
        UNION ALL SELECT CAST(id AS text) || name FROM league_season WHERE league_id = %(at)s
        ORDER BY 1) each)"""

    def as_sqlite(self, compiler: Any, connection: Any, **_: Any) -> Any:
        return self._sql(compiler, "group_concat")

    def as_postgresql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:
        return self._sql(compiler, "string_agg")

    def _sql(self, compiler: Any, function: str) -> tuple[str, list[Any]]:
        [at] = self.get_source_expressions()
        return self.template % {"function": function, "at": compiler.compile(at)[0]}, []


def counted(at: str) -> Columns:
    """Return the version of what is counted of the league that is `at`, with the names."""
    state = StatsState.objects.filter(pk=OuterRef(at)).values("version")
    return {"seen_version": Subquery(state), "seen_names": Names(F(at))}


def posted(at: str) -> Columns:
    """Return the version of the league's book: postings stand in the order of their ids."""
    return {"seen_posting": Subquery(_last(at).values("pk")[:1])}


def posted_at(at: str) -> Columns:
    """Return the same, with when the last posting was made."""
    return {**posted(at), MADE_AT: Subquery(_last(at).values("made_at")[:1])}


def posted_with_names(at: str) -> Columns:
    """Return the version of the league's book, with the names beside it."""
    return {**posted(at), "seen_names": Names(F(at))}


def _last(at: str) -> QuerySet[Posting]:
    book = "book" if at == "pk" else f"{at}__book"
    return Posting.objects.filter(book=OuterRef(book)).order_by("-pk")
