"""Leases on rows.

A lease reserves a row for a worker. If the worker dies, its lease expires and another worker takes
the row. Leases use the database's clock, so the clocks of several machines don't matter. Due times
use the clock of the process that writes them.
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
from league.models.jobs import QueuedJob

# A lease starts when the work starts and is longer than any job. After a worker dies, its job waits
# until the lease expires.
LEASE: timedelta = settings.WORK_LEASE
MOST_AT_ONCE = 200

Row = TypeVar("Row", bound=QueuedJob | RenderedChart | Odds)
Job = TypeVar("Job", bound=QueuedJob)


def lease_end() -> Combinable:
    """Return when a lease that is taken or renewed now expires."""
    return Now() + LEASE


def leased(rows: QuerySet[Row]) -> QuerySet[Row]:
    return rows.filter(leased_until__gt=Now())


def free(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return the rows without a live lease."""
    return rows.exclude(leased_until__gt=Now())


def due(rows: QuerySet[Job]) -> QuerySet[Job]:
    """Return the rows that are due and have no live lease."""
    return free(rows.filter(done_at=None, due_at__lte=timezone.now()))


def keys_of(rows: QuerySet[Row], key: str, since: str) -> list[Any]:
    """Return the distinct values of `key`, starting with the key that has the oldest row."""
    keys = rows.order_by().values_list(key).annotate(since=Min(since))
    return [each for each, *_ in keys.order_by("since")]


@transaction.atomic
def lease(
    rows: QuerySet[Row], *, order: Sequence[str], most: int = MOST_AT_ONCE, **marks: object
) -> list[Row]:
    """Lease the first free rows, and set the columns in `marks` on them.

    Rows that are currently locked by another worker are skipped.
    """
    skip = connection.features.has_select_for_update_skip_locked
    first = free(rows).order_by(*order, "pk")
    taken = list(first.select_for_update(of=("self",), skip_locked=skip)[:most])
    if taken:
        mine = rows.model._base_manager.filter(pk__in=[row.pk for row in taken])  # noqa: SLF001 (public)
        mine.update(leased_until=lease_end(), tries=F("tries") + 1, **marks)
    for row in taken:
        row.tries += 1
    return taken


def lease_due(
    rows: QuerySet[Job], *, order: Sequence[str] = ("due_at",), most: int = MOST_AT_ONCE
) -> list[Job]:
    """Lease the first due rows and set `lease` on each row, which later calls require."""
    token = uuid4()
    rows_leased = lease(due(rows), order=order, most=most, lease=token)
    for row in rows_leased:
        row.lease = token
    return rows_leased


def renew_lease(rows: QuerySet[Job], lease: str) -> UUID | None:
    """Replace the lease by a new one. Return it, or None if another worker has leased the row.

    A lease can be renewed even after it has expired, but only once.
    """
    mine = uuid4()
    renewed = rows.filter(lease=lease, done_at=None).update(lease=mine, leased_until=lease_end())
    return mine if renewed else None


def postpone(rows: QuerySet[Job], due_at: datetime, **also: object) -> int:
    """Release the rows until they are due again. Return the number of rows."""
    return rows.update(due_at=due_at, lease=None, leased_until=None, **also)


def finish(rows: QuerySet[Job], **also: object) -> int:
    """Release the rows as done. Return the number of rows."""
    return rows.update(done_at=timezone.now(), lease=None, leased_until=None, **also)
