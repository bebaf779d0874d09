"""What part of a league's stats is asked for: a season or all time, verified hands or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.models import League, Season
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
