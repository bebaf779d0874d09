"""Limits on the number of rows in a league. docs/threats.md lists all limits.

The limits for numbers and strings are in league/models/shared.py.

Pages render all rows of a list, so an unlimited list would result in a page of unlimited size. A
writer checks the limit in its transaction, after locking the row that the counted rows belong to,
so that two concurrent requests can't both take the last place.
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
        """Yield a problem if adding `adding` rows to `rows` would exceed the limit.

        `rows` can also be the current number of rows.
        """
        known = rows if isinstance(rows, int) else rows.count()
        if known + adding > self.most:
            yield problem(where, "too-many", str(self))

    def __str__(self) -> str:
        return self.text.format(most=f"{self.most:,}")


# People
LEAGUES = RowLimit(100, "you are already in {most} leagues: leave one first")
MEMBERS = RowLimit(500, "a league has at most {most} members")
PLAYERS = RowLimit(500, "a league has at most {most} players")
INVITATIONS = RowLimit(50, "there are already {most}: revoke one first")
JOIN_REQUESTS = RowLimit(
    20, "too many players are waiting to join: a host must approve or decline them first"
)
API_TOKENS = RowLimit(50, "there are already {most}: revoke one first")
LEAGUE_TOKENS = RowLimit(500, "the league already has {most} API keys: revoke one first")
FEED_LINKS = RowLimit(50, "there are already {most}: revoke one first")
SESSIONS = RowLimit(50, "you are signed in on {most} devices")
PASSKEYS = RowLimit(10, "you already have {most} passkeys: remove one first")
PUSH_PHONES = RowLimit(10, "you already get notifications on {most} devices: turn one off first")
PAYMENT_METHODS = RowLimit(10, "you can have at most {most} payment methods: remove one first")

# Planned nights
PLANNED_NIGHTS = RowLimit(60, "the league already has {most} planned nights")
NIGHT_SERIES = RowLimit(8, "the league already has {most} series: end one first")
ANSWERS = RowLimit(200, "the night already has {most} answers of guests")

# Nights
SEASONS = RowLimit(200, "a league has at most {most} seasons")
NIGHTS = RowLimit(1_000, "a season has at most {most} nights")
OPEN_NIGHTS = RowLimit(500, "{most} nights are already open: close one first")
SEATS = RowLimit(100, "a night has at most {most} seats")
FORMER_NAMES = RowLimit(20, "a player has at most {most} earlier names")
BUY_INS = RowLimit(500, "a night has at most {most} buy-ins")
CASH_OUTS = RowLimit(500, "a night has at most {most} cash-outs")
COUNTS = RowLimit(2_000, "a night has at most {most} counts")
CHIP_REQUESTS = RowLimit(500, "a night has at most {most} requests for chips")
HANDS = RowLimit(2_000, "a night has at most {most} hands")
REVISIONS = RowLimit(100, "a hand has at most {most} revisions")
CONFLICTS = RowLimit(500, "a night has at most {most} conflicting records")
OBJECTIONS = RowLimit(500, "a night has at most {most} objections")
OWN_OBJECTIONS = RowLimit(50, "a player has at most {most} objections in a night")
CHARGES = RowLimit(60, "a night has at most {most} charges")
CLOSINGS = RowLimit(50, "a night has at most {most} closings")
SEASON_PLANS = RowLimit(200, "a season has at most {most} payment plans")
PAYMENTS = RowLimit(100, "a planned payment has at most {most} payments")
TOURNAMENTS = RowLimit(20, "a night has at most {most} tournaments")
TOURNAMENT_EVENTS = RowLimit(2_000, "a tournament has at most {most} events")

# Games, and other services
IMPORTS = RowLimit(
    5, "{most} large files of the league are already being imported: try again later"
)
HOUSE_GAMES = RowLimit(500, "a league has at most {most} house games")
HOUSE_RULES = RowLimit(500, "the house rules have at most {most} versions")
HOUSE_GAME_VERSIONS = RowLimit(500, "a game has at most {most} versions")
CHATS = RowLimit(5, "a league has at most {most} chats: remove one first")
WEBHOOKS = RowLimit(10, "a league has at most {most} webhooks: remove one first")
