"""Leases over rows: who is at which one, for how long, and what is due.

Whatever happens to a worker, its lease runs out and the row is taken again. Leases run by the
database's clock: there is one, whatever those of many machines say. When something is due is
said by whoever writes it, by the hour of people.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Min, QuerySet
from django.db.models.expressions import Combinable
from django.db.models.functions import Now
from django.utils import timezone

from league.models import Odds, RenderedChart
from league.models.jobs import Waiting

# It is taken when the work begins: longer than any piece of it, and what a dead worker costs.
LEASE: timedelta = settings.WORK_LEASE
MOST_AT_ONCE = 200

Row = TypeVar("Row", bound=Waiting | RenderedChart | Odds)
Job = TypeVar("Job", bound=Waiting)


def until() -> Combinable:
    """Return when a lease runs out that is taken, or held on, now."""
    return Now() + LEASE


def held(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return the rows that somebody is at."""
    return rows.filter(leased_until__gt=Now())


def free(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return the rows that nobody is at."""
    return rows.exclude(leased_until__gt=Now())


def due(rows: QuerySet[Job]) -> QuerySet[Job]:
    """Return the rows of which the hour has come, and that nobody is at."""
    return free(rows.filter(done_at=None, due_at__lte=timezone.now()))


def keys_of(rows: QuerySet[Row], key: str, since: str) -> list[Any]:
    """Return what these rows have as their key, whose oldest waits longest first."""
    found = rows.order_by().values_list(key).annotate(since=Min(since))
    return [each for each, *_ in found.order_by("since")]


@transaction.atomic
def take(
    rows: QuerySet[Row], *, order: Sequence[str], most: int = MOST_AT_ONCE, **marks: object
) -> list[Row]:
    """Lease the first rows that nobody is at; rows that another takes now are left to it."""
    skip = connection.features.has_select_for_update_skip_locked
    first = free(rows).order_by(*order, "pk")
    taken = list(first.select_for_update(of=("self",), skip_locked=skip)[:most])
    if taken:
        mine = rows.model._base_manager.filter(pk__in=[row.pk for row in taken])  # noqa: SLF001 (public)
        mine.update(leased_until=until(), tries=F("tries") + 1, **marks)
    for row in taken:
        row.tries += 1
    return taken


def take_due(
    rows: QuerySet[Job], *, order: Sequence[str] = ("due_at",), most: int = MOST_AT_ONCE
) -> list[Job]:
    """Lease the first rows that are due; each knows its lease, which is wanted to go on."""
    lease = uuid4()
    taken = take(due(rows), order=order, most=most, lease=lease)
    for row in taken:
        row.lease = lease
    return taken


def use_up(rows: QuerySet[Job], lease: str) -> UUID | None:
    """Put another lease in the place of this one, which none can use again; None if it is gone."""
    mine = uuid4()
    return mine if rows.filter(lease=lease, done_at=None).update(lease=mine) else None


def put_off(rows: QuerySet[Job], due_at: datetime, **also: object) -> int:
    """Give the rows back, to be taken when they are due again; return how many there were."""
    return rows.update(due_at=due_at, lease=None, leased_until=None, **also)


def finish(rows: QuerySet[Job], **also: object) -> int:
    """Give the rows back for good; return how many there were."""
    return rows.update(done_at=timezone.now(), lease=None, leased_until=None, **also)
