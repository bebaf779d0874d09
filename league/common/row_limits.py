"""Limits on how many rows a league may have. docs/threats.md lists all of them.

The sizes of numbers and texts are in league/models/field_limits.py.

Pages render all rows of a list, so an unlimited list would make a page of unlimited size. A writer
checks the limit in its transaction, after locking the row that the counted rows belong to, so that
two concurrent requests can't both take the last place.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from league.common.errors import Problem, problem


class Rows(Protocol):
    """A query set or a related manager."""

    def count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class RowLimit:
    """A limit of `most` rows. `text` is the error message, with {most} in place of the limit."""

    most: int
    text: str

    def exceeded(
        self, rows: "Rows | int", *, adding: int = 1, where: str = ""
    ) -> Iterator[Problem]:
        """Yield a problem if adding `adding` rows to `rows` exceeds the limit.

        `rows` can also be the current number of rows.
        """
        known = rows if isinstance(rows, int) else rows.count()
        if known + adding > self.most:
            yield problem(where, "too-many", str(self))

    def __str__(self) -> str:
        return self.text.format(most=f"{self.most:,}")


# People
LEAGUES = RowLimit(100, "you are in {most} leagues already: leave one first")
MEMBERS = RowLimit(500, "a league has at most {most} members")
PLAYERS = RowLimit(500, "a league has at most {most} players")
INVITATIONS = RowLimit(50, "there are {most} already: end one first")
JOIN_REQUESTS = RowLimit(20, "many phones wait already: a host lets them in, or not")
API_TOKENS = RowLimit(50, "there are {most} already: end one first")
LEAGUE_TOKENS = RowLimit(500, "the league has {most} tokens already: end one first")
FEED_LINKS = RowLimit(50, "there are {most} already: end one first")
SESSIONS = RowLimit(50, "you are signed in on {most} devices")
PASSKEYS = RowLimit(10, "you have {most} passkeys already: remove one first")
PUSH_PHONES = RowLimit(10, "you get notices on {most} phones")
PAYMENT_METHODS = RowLimit(10, "{most} payment methods are the most")

# Planned nights
PLANNED_NIGHTS = RowLimit(60, "the league has {most} planned nights already")
NIGHT_SERIES = RowLimit(8, "the league has {most} series already")
ANSWERS = RowLimit(200, "the night has {most} answers of guests already")

# Nights
SEASONS = RowLimit(200, "a league has at most {most} seasons")
NIGHTS = RowLimit(1_000, "a season has at most {most} nights")
OPEN_NIGHTS = RowLimit(500, "{most} nights are open: close one first")
SEATS = RowLimit(100, "a night has at most {most} seats")
BUY_INS = RowLimit(500, "a night has at most {most} buy-ins")
CASH_OUTS = RowLimit(500, "a night has at most {most} cash-outs")
COUNTS = RowLimit(2_000, "a night has at most {most} counts")
CHIP_REQUESTS = RowLimit(500, "a night has at most {most} requests for chips")
HANDS = RowLimit(2_000, "a night has at most {most} hands")
REVISIONS = RowLimit(100, "a hand has at most {most} revisions")
CONFLICTS = RowLimit(500, "a night has at most {most} conflicting records")
CHARGES = RowLimit(60, "a night has at most {most} charges")
CLOSINGS = RowLimit(50, "a night has at most {most} closings")
SEASON_PLANS = RowLimit(50, "a season has at most {most} payment plans")
PAYMENTS = RowLimit(100, "a planned payment has at most {most} payments")
TOURNAMENTS = RowLimit(20, "a night has at most {most} tournaments")
TOURNAMENT_EVENTS = RowLimit(2_000, "a tournament has at most {most} events")

# Games and other services
IMPORTS = RowLimit(
    5, "{most} large files of the league are being imported already: try again later"
)
HOUSE_GAMES = RowLimit(500, "a league keeps at most {most} games")
HOUSE_GAME_VERSIONS = RowLimit(500, "a game keeps at most {most} versions")
CHATS = RowLimit(5, "a league has at most {most} chats")
WEBHOOKS = RowLimit(10, "a league has at most {most} webhooks")
