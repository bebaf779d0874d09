"""The scope of statistics: a season or all time, with verified hands, other hands, or both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.models import League, Season
from ledger.sql import uuid_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A league or one season. `verified` selects hands with cards, without cards, or both."""

    league: UUID
    season: UUID | None = None
    verified: bool | None = None

    def where(self, table: str = "t") -> str:
        """Return the condition for a table of sums."""
        nights = f"SELECT x.id FROM league_night x WHERE {self.seasons('x')}"
        return self._verified(f"{table}.night_id IN ({nights})", table)

    def where_facts(self) -> str:
        return self._verified(self.seasons("f"), "f")

    def seasons(self, table: str) -> str:
        """Return the condition for a table with a season column, without the verified filter."""
        if self.season:
            return f"{table}.season_id = %s"
        return f"{table}.season_id IN (SELECT id FROM league_season WHERE league_id = %s)"

    def _verified(self, condition: str, table: str) -> str:
        return condition if self.verified is None else f"{condition} AND {table}.verified = %s"

    @property
    def values(self) -> list[Any]:
        """The parameters of the condition."""
        first = uuid_text(self.season or self.league)
        return [first] if self.verified is None else [first, self.verified]


def of_season(season: Season, *, verified: bool | None = None) -> Scope:
    return Scope(league=season.league_id, season=season.pk, verified=verified)


def of_all_time(league: League, *, verified: bool | None = None) -> Scope:
    """Return the scope that covers all of a league's seasons."""
    return Scope(league=league.pk, verified=verified)


@dataclass(frozen=True, slots=True)
class Also:
    """An additional condition. The column must equal `value`, unless `value` is None."""

    column: str
    value: UUID | str | None


def scope_condition(scope: Scope, *also: Also, table: str = "t") -> tuple[str, list[Any]]:
    """Return the scope's condition combined with additional conditions, and the parameters."""
    wanted = [condition for condition in also if condition.value is not None]
    conditions = [scope.where(table), *(f"{table}.{condition.column} = %s" for condition in wanted)]
    values: Sequence[Any] = [
        uuid_text(condition.value) if isinstance(condition.value, UUID) else condition.value
        for condition in wanted
    ]
    return " AND ".join(conditions), [*scope.values, *values]


def rate(part: int, whole: int) -> float | None:
    """Return the fraction, or None if `whole` is zero."""
    return part / whole if whole else None


# A player's choices and circumstances in a hand, which are checked for leaks.
#
# A choice is specific to a game, unless the game makes no difference (such as a seat or an hour).


DECLARED, STAYED, DEALT, SEAT, HOUR = "declared", "stayed", "dealt", "seat", "hour"


def split_choice(choice: str) -> tuple[str, str]:
    """Return the kind of a choice and its value."""
    kind, _, which = choice.partition(":")
    return kind, which
