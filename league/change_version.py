"""Version numbers that show whether a night or a league has changed.

Every writer increases these numbers. Phones request them every two seconds, so a single indexed
query reads the version, the visitor's membership and the validity of the session. A league's
version is the sum of its own version, its nights' versions and its stats' version. A change to any
part increases the league's version, but hands at different nights do not lock the same row.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, OuterRef, Subquery, Sum, UUIDField, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from league.common.statements import Given, Statement
from league.models import League, Night, StatsState, User
from ledger.sql import query_by_keys


@dataclass(frozen=True, slots=True)
class MemberVersion:
    """The version of a night or a league, with data that identifies the member's session."""

    version: int
    password: str  # the password hash, used to check the session


_BUMP_NIGHT = "UPDATE league_night SET version = version + 1 WHERE id = %s RETURNING state"


def bump_night(night_id: UUID) -> str | None:
    """Increase the night's version and lock its row.

    Return its state, or None if there is no night.
    """
    rows = query_by_keys(_BUMP_NIGHT, night_id)
    return rows[0][0] if rows else None


def bump_league(league_id: UUID) -> None:
    """Increase the league's own version after a change to people, settings or debts."""
    League.objects.filter(pk=league_id).update(version=F("version") + 1)


def bump_league_and_nights(league: League) -> None:
    """Increase the versions of the league and its open nights, whose pages show its options.

    The function locks their rows in the order that all writers use, so call it first in a
    transaction.
    """
    bump_nights(lock_open_nights(league))
    bump_league(league.pk)


def lock_open_nights(league: League) -> list[UUID]:
    """Lock the league's open nights and return their ids. Call it before locking the league."""
    nights = Night.objects.filter(season__league=league, state=Night.State.OPEN).order_by("pk")
    return [night.pk for night in nights.select_for_update(no_key=True, of=("self",))]


def bump_nights(night_ids: list[UUID]) -> None:
    """Increase the versions of nights that are already locked.

    Nights that were opened after locking are left out, because waiting for their locks could cause
    a deadlock.
    """
    Night.objects.filter(pk__in=night_ids).update(version=F("version") + 1)


def night_version(user_id: int, night_id: UUID) -> MemberVersion | None:
    """Return the night's version in one query, or None if the user is not in its league."""
    rows = User.objects.filter(
        pk=user_id, is_active=True, memberships__league__seasons__nights=night_id
    )
    row = rows.values_list("memberships__league__seasons__nights__version", "password").first()
    return MemberVersion(*row) if row else None


def league_version(user_id: int, league_id: UUID) -> MemberVersion | None:
    """Return the league's version in one query, or None if the user is not a member."""
    rows = User.objects.filter(pk=user_id, is_active=True, memberships__league=league_id)
    number = F("memberships__league__version") + _sum_of_versions("memberships__league")
    row = rows.annotate(number=number).values_list("number", "password").first()
    return MemberVersion(int(row[0]), row[1]) if row else None


def current_league_version(league: League) -> int:
    """Return the league's current version, for inclusion in a page."""
    [(number,)] = _CURRENT.rows(league=league.pk)
    return int(number)


def _sum_of_versions(league: str) -> CombinedExpression:
    """Return an expression for the sum of the versions of a league's nights and stats."""
    nights = Night.objects.filter(season__league=OuterRef(league)).order_by()
    sums = nights.values("season__league").annotate(number=Sum(F("version") + 1))
    stats = StatsState.objects.filter(pk=OuterRef(league)).values("version")
    zero = Value(0)
    return Coalesce(Subquery(sums.values("number")), zero) + Coalesce(Subquery(stats), zero)


_CURRENT = Statement(
    League.objects.filter(pk=Given("league", UUIDField())).annotate(
        number=F("version") + _sum_of_versions("pk")
    ),
    "number",
)
