"""How long people have played: the time of each night, shared out by the hands they were in.

A night lasts from its start to its last hand. Whoever sat out half of the hands played for half
of the time; when somebody joined or left is not known any better than that.
"""

from collections import defaultdict
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, Subquery

from league.models import Hand, HandFact, Night
from league.stats.scopes import Also, Scope, narrowed
from league.stats.statements import query
from ledger.rows import as_uuid

HOUR = 3600


def hours(scope: Scope, *, player: UUID | None = None) -> dict[UUID, float]:
    """Return the hours of each player; two queries."""
    lasted = night_lengths(scope)
    where, values = narrowed(scope, Also("player_id", player))
    rows = query(
        f"SELECT t.night_id, t.player_id, t.hands FROM league_nighttally t WHERE {where}", values
    )
    length = {night: lasted[as_uuid(night)] for night in {row[0] for row in rows}}
    spent: dict[UUID | str, float] = defaultdict(float)
    for night, who, hands in rows:
        seconds, dealt = length[night]
        spent[who] += seconds * min(1.0, hands / dealt) / HOUR
    return {as_uuid(who): found for who, found in spent.items()}


def night_lengths(scope: Scope) -> dict[UUID, tuple[float, int]]:
    """Return the seconds and the number of hands dealt of each night that has any."""
    nights = Night.objects.filter(season__league=scope.league)
    if scope.season:
        nights = nights.filter(season=scope.season)
    facts = HandFact.objects.filter(night=OuterRef("pk")).order_by("played_at")
    dealt = Hand.objects.filter(night=OuterRef("pk")).order_by("-number")
    rows = nights.annotate(
        first=Subquery(facts.values("played_at")[:1]),
        last=Subquery(facts.reverse().values("played_at")[:1]),
        dealt=Subquery(dealt.values("number")[:1]),
    ).exclude(first=None)
    return {
        night: (_seconds(min(started, first), last), dealt)
        for night, started, first, last, dealt in rows.values_list(
            "pk", "started_at", "first", "last", "dealt"
        )
    }


def _seconds(first: datetime, last: datetime) -> float:
    return (last - first).total_seconds()
