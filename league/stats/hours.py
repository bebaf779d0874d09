"""How long people have played: the time of each night, shared out by the hands they were in.

A night lasts from its start to its last hand. Whoever sat out half of the hands played for half
of the time; when somebody joined or left is not known any better than that.
"""

from datetime import datetime
from uuid import UUID

from django.core.cache import cache
from django.db.models import OuterRef, QuerySet, Subquery

from league.models import Hand, HandFact, Night
from league.stats.evenings import Attended, Evenings, evenings
from league.stats.rows import plain
from league.stats.scopes import Scope

HOUR = 3600
KEPT_SECONDS = 86400
Lengths = dict[str, tuple[float, int]]


def hours(scope: Scope, *, player: UUID | None = None) -> dict[UUID, float]:
    """Return the hours of each player; four queries at most."""
    return hours_of(evenings(scope, player=player), scope)


def hours_of(read: Evenings, scope: Scope) -> dict[UUID, float]:
    """Return the same from the nights as they were read; two queries at most."""
    lengths = night_lengths(scope.league)
    lasted = [lengths.get(night.key, (0.0, 1)) for night in read.nights]
    return {each.player: _spent(each, lasted) for each in read.players}


def _spent(mine: Attended, lasted: list[tuple[float, int]]) -> float:
    spent = 0.0
    for at, hands in zip(mine.at, mine.hands, strict=True):
        seconds, dealt = lasted[at]
        spent += seconds * min(1.0, hands / dealt)
    return spent / HOUR


def night_lengths(league: UUID) -> Lengths:
    """Return the seconds and the number of hands dealt of each night that has any, by its id.

    Facts are read on from the last that was seen: a night of which there is none since then lasted
    as long as it did. To look at a thousand nights took PostgreSQL 30 ms.
    """
    key = f"night-lengths:{league}"
    facts = HandFact.objects.filter(league=league).order_by("-pk")
    last = facts.values_list("pk", flat=True).first() or 0
    known: tuple[int, Lengths] = cache.get(key) or (0, {})
    seen, lengths = known
    if last != seen:
        nights = Night.objects.filter(season__league=league)
        if seen:
            nights = nights.filter(pk__in=facts.filter(pk__gt=seen).order_by().values("night"))
        lengths |= _lengths(nights)
        cache.set(key, (last, lengths), KEPT_SECONDS)
    return lengths


def _lengths(nights: QuerySet[Night]) -> Lengths:
    facts = HandFact.objects.filter(night=OuterRef("pk")).order_by("played_at")
    dealt = Hand.objects.filter(night=OuterRef("pk")).order_by("-number")
    rows = nights.annotate(
        first=Subquery(facts.values("played_at")[:1]),
        last=Subquery(facts.reverse().values("played_at")[:1]),
        dealt=Subquery(dealt.values("number")[:1]),
    ).exclude(first=None)
    return {
        plain(night): (_seconds(min(started, first), last), dealt)
        for night, started, first, last, dealt in rows.values_list(
            "pk", "started_at", "first", "last", "dealt"
        )
    }


def _seconds(first: datetime, last: datetime) -> float:
    return (last - first).total_seconds()
