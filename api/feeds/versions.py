"""How old what a feed reads is, found by one query: its ETag, without a row of it being read."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from league.models import League
from ledger.models import Posting
from ledger.rows import select

# It grows when the same rows are written otherwise than before.
FORMAT = 1
# What stands beside numbers and is not counted with them: people and seasons can be renamed.
NAMES = """
    UNION ALL SELECT CAST(id AS text), name FROM league_player WHERE league_id = %s
    UNION ALL SELECT CAST(id AS text), name FROM league_season WHERE league_id = %s"""
COUNTED = "SELECT 'counted', CAST(version AS text) FROM league_statsstate WHERE league_id = %s"
POSTED = "SELECT 'posted', CAST(max(id) AS text) FROM ledger_posting WHERE book_id = %s"


@dataclass(frozen=True, slots=True)
class Version:
    """`at` is when it last changed, where that is known."""

    text: str
    at: datetime | None = None

    def tag(self, *asked: str) -> str:
        """Return an ETag for what was asked of it."""
        told = "\n".join((str(FORMAT), self.text, *asked))
        return f'"{sha256(told.encode()).hexdigest()[:32]}"'


def counted(league: League) -> Version:
    """Return the version of what is counted of the league, with the names beside it."""
    return Version(repr(sorted(select(COUNTED + NAMES, league.pk, league.pk, league.pk))))


def posted_with_names(league: League) -> Version:
    """Return the version of the league's book, with the names beside it."""
    return Version(repr(sorted(select(POSTED + NAMES, league.book_id, league.pk, league.pk))))


def posted(league: League) -> Version:
    """Return the version of the league's book: postings stand in the order of their ids."""
    rows = Posting.objects.filter(book=league.book_id).order_by("-pk")
    found = rows.values_list("pk", "made_at").first()
    return Version(str(found[0]), found[1]) if found else Version("")
