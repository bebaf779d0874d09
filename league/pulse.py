"""Whether a night or a league has moved on: numbers that every writer raises in its transaction.

Phones ask for them every two seconds, so asking costs one indexed query for everything: the number,
whether the visitor is in the league, and whether the session is still theirs. A league's number is
the sum of its own, those of its nights and that of its stats: it grows with any of them, and no
hand has to wait for a row that all nights share.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from league.models import League, Night, StatsState, User
from ledger.rows import select


@dataclass(frozen=True, slots=True)
class Pulse:
    """The version of a night or a league, for a member of the league."""

    version: int
    password: str  # the hash that the session was opened under


def move_on(night_id: UUID) -> str | None:
    """Raise the night's number, and make its other writers wait; return its state, if it is one."""
    raised = "UPDATE league_night SET version = version + 1 WHERE id = %s RETURNING state"
    rows = select(raised, night_id)
    return rows[0][0] if rows else None


def move_league_on(league_id: UUID) -> None:
    """Raise the league's own number: its people, its choices, what a season owes."""
    League.objects.filter(pk=league_id).update(version=F("version") + 1)


def move_all_on(league: League) -> None:
    """Raise the league's number, and those of its open nights, whose pages say what it chose."""
    move_league_on(league.pk)
    rows = Night.objects.filter(season__league=league, state=Night.State.OPEN)
    rows.update(version=F("version") + 1)


def pulse(user_id: int, night_id: UUID) -> Pulse | None:
    """Return the night's pulse; None for whoever is not in its league. One query."""
    rows = User.objects.filter(
        pk=user_id, is_active=True, memberships__league__seasons__nights=night_id
    )
    found = rows.values_list("memberships__league__seasons__nights__version", "password").first()
    return Pulse(*found) if found else None


def league_pulse(user_id: int, league_id: UUID) -> Pulse | None:
    """Return the league's pulse; None for whoever is not in it. One query."""
    rows = User.objects.filter(pk=user_id, is_active=True, memberships__league=league_id)
    number = F("memberships__league__version") + _beside("memberships__league")
    found = rows.annotate(number=number).values_list("number", "password").first()
    return Pulse(int(found[0]), found[1]) if found else None


def league_version(league: League) -> int:
    """Return the league's number, for a page that begins to read."""
    rows: QuerySet[League] = League.objects.filter(pk=league.pk)
    return int(rows.annotate(number=F("version") + _beside("pk")).values_list("number")[0][0])


def _beside(league: str) -> CombinedExpression:
    """Return what the nights and the stats of a league add to its number."""
    nights = Night.objects.filter(season__league=OuterRef(league)).order_by()
    sums = nights.values("season__league").annotate(number=Sum(F("version") + 1))
    stats = StatsState.objects.filter(pk=OuterRef(league)).values("version")
    zero = Value(0)
    return Coalesce(Subquery(sums.values("number")), zero) + Coalesce(Subquery(stats), zero)
