"""What part of a league's stats is asked for: a season or all time, verified hands or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from league.models import League, Season
from league.stats.facts import HandRow, ResultRow
from ledger.sql import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A league; one season or all, hands with cards (True), results alone (False) or both."""

    league: UUID
    season: UUID | None = None
    verified: bool | None = None

    def where(self, table: str = "t") -> str:
        """Return the condition on a table that has a season and a `verified`."""
        season = (
            f"{table}.season_id = %s"
            if self.season
            else f"{table}.season_id IN (SELECT id FROM league_season WHERE league_id = %s)"
        )
        return season if self.verified is None else f"{season} AND {table}.verified = %s"

    @property
    def values(self) -> list[Any]:
        """Return the values of the condition."""
        first = plain(self.season or self.league)
        return [first] if self.verified is None else [first, self.verified]


def of_season(season: Season, *, verified: bool | None = None) -> Scope:
    """Return the scope of one season."""
    return Scope(league=season.league_id, season=season.pk, verified=verified)


def of_all_time(league: League, *, verified: bool | None = None) -> Scope:
    """Return the scope of all seasons of a league."""
    return Scope(league=league.pk, verified=verified)


@dataclass(frozen=True, slots=True)
class Also:
    """A further condition: a column that has to have a value, where one is given."""

    column: str
    value: UUID | str | None


def narrowed(scope: Scope, *also: Also, table: str = "t") -> tuple[str, list[Any]]:
    """Return the scope's condition with further ones, and their values."""
    wanted = [each for each in also if each.value is not None]
    conditions = [scope.where(table), *(f"{table}.{each.column} = %s" for each in wanted)]
    values: Sequence[Any] = [
        plain(each.value) if isinstance(each.value, UUID) else each.value for each in wanted
    ]
    return " AND ".join(conditions), [*scope.values, *values]


def rate(part: int, whole: int) -> float | None:
    """Return a fraction; None of nothing."""
    return part / whole if whole else None


# What a player did in a hand or where it found them: what leaks are looked for in.
#
# A choice belongs to a game, or to none where the game makes no difference (a seat, an hour).


DECLARED, STAYED, DEALT, SEAT, HOUR = "declared", "stayed", "dealt", "seat", "hour"


Choice = tuple[str, str]  # the game, and what was chosen


def choices_of(hand: HandRow, each: ResultRow) -> tuple[Choice, ...]:
    """Return all that a player's part in a hand counts for."""
    stayed = each.showdown if each.stayed is None else each.stayed
    return _choices(hand.game, hand.hour, each.position, stayed, each.declared)


@lru_cache(maxsize=4096)
def _choices(
    game: str, hour: int, position: int, stayed: bool, declared: str
) -> tuple[Choice, ...]:
    """Return the same few for most hands of a rebuild."""
    found = [("", f"{SEAT}:{position}"), ("", f"{HOUR}:{hour}")]
    if position == 0:
        found.append((game, DEALT))
    if stayed:
        found.append((game, STAYED))
    if declared:
        found.append((game, f"{DECLARED}:{declared}"))
    return tuple(found)


# The same as SQL, of facts f and their results r: game, choice and condition of each.
AS_SQL = (
    ("''", f"'{SEAT}:' || r.position", "NOT f.voided"),
    ("''", f"'{HOUR}:' || f.hour", "NOT f.voided"),
    ("f.game", f"'{DEALT}'", "r.position = 0"),
    ("f.game", f"'{STAYED}'", "COALESCE(r.stayed, r.showdown)"),
    ("f.game", f"'{DECLARED}:' || r.declared", "r.declared <> ''"),
)


def told(choice: str) -> tuple[str, str]:
    """Return of which kind a choice is, and which of them."""
    kind, _, which = choice.partition(":")
    return kind, which
