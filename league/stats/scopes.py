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
        """Return the condition on a table of sums."""
        nights = f"SELECT x.id FROM league_night x WHERE {self.seasons('x')}"
        return self._verified(f"{table}.night_id IN ({nights})", table)

    def where_facts(self, table: str = "f") -> str:
        """Return the condition on facts."""
        return self._verified(self.seasons(table), table)

    def seasons(self, table: str) -> str:
        """Return the condition on a table that has a season, whether verified or not."""
        if self.season:
            return f"{table}.season_id = %s"
        return f"{table}.season_id IN (SELECT id FROM league_season WHERE league_id = %s)"

    def _verified(self, condition: str, table: str) -> str:
        return condition if self.verified is None else f"{condition} AND {table}.verified = %s"

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
    wanted = [condition for condition in also if condition.value is not None]
    conditions = [scope.where(table), *(f"{table}.{condition.column} = %s" for condition in wanted)]
    values: Sequence[Any] = [
        plain(condition.value) if isinstance(condition.value, UUID) else condition.value
        for condition in wanted
    ]
    return " AND ".join(conditions), [*scope.values, *values]


def rate(part: int, whole: int) -> float | None:
    """Return a fraction; None of nothing."""
    return part / whole if whole else None


# What a player did in a hand or where it found them: what leaks are looked for in.
#
# A choice belongs to a game, or to none where the game makes no difference (a seat, an hour).


DECLARED, STAYED, DEALT, SEAT, HOUR = "declared", "stayed", "dealt", "seat", "hour"


def split_choice(choice: str) -> tuple[str, str]:
    """Return the kind of a choice and its value."""
    kind, _, which = choice.partition(":")
    return kind, which
