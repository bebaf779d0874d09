"""What waits to be done: rows that are marked together with what makes them necessary.

A sweep takes a lease on what is due and sends word to a worker. Whatever happens to the word or to
the worker, the lease runs out and the next sweep takes the row again.
"""

from datetime import datetime, timedelta
from typing import TypeVar
from uuid import uuid4

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.hours import next_closing
from league.models import ClosingJob, League, Night
from league.models.work import Waiting

LEASE = timedelta(minutes=5)
MOST_AT_ONCE = 200

Row = TypeVar("Row", bound=Waiting)


@transaction.atomic
def take(rows: QuerySet[Row], *, most: int = MOST_AT_ONCE) -> list[Row]:
    """Lease the rows that are due and that nobody holds; rows that another takes are left to it."""
    now = timezone.now()
    free = rows.filter(done_at=None, due_at__lte=now).exclude(leased_until__gt=now)
    skip = connection.features.has_select_for_update_skip_locked
    taken = list(free.order_by("due_at", "pk").select_for_update(skip_locked=skip)[:most])
    for row in taken:
        row.lease, row.leased_until, row.tries = uuid4(), now + LEASE, row.tries + 1
    rows.bulk_update(taken, ["lease", "leased_until", "tries"])
    return taken


def mark_closing(night: Night, *, after: datetime) -> ClosingJob:
    """Leave word that the night is to be closed, at the first closing hour after the moment."""
    due = next_closing(night.league, after)
    job, _ = ClosingJob.objects.update_or_create(
        night=night, defaults={"due_at": due, "done_at": None, "lease": None, "leased_until": None}
    )
    return job


def mark_missing() -> None:
    """Leave word of open nights of which nobody has: those that were opened by an older version."""
    nights = Night.objects.filter(state=Night.State.OPEN, closing_job=None)
    for night in nights.select_related("season__league"):
        mark_closing(night, after=timezone.now())


def mark_again(league: League) -> None:
    """Move what waits to the league's hour, when the hour or the zone has changed."""
    jobs = ClosingJob.objects.filter(night__season__league=league, done_at=None)
    for job in jobs.select_related("night"):
        after = max(job.night.started_at, timezone.now())
        ClosingJob.objects.filter(pk=job.pk).update(due_at=next_closing(league, after))


def done_closing(night: Night) -> None:
    """Strike out that the night is to be closed."""
    jobs = ClosingJob.objects.filter(night=night)
    jobs.update(done_at=timezone.now(), asks="", asked=0, lease=None, leased_until=None)


def later(job: ClosingJob, due_at: datetime) -> None:
    """Put the job off."""
    ClosingJob.objects.filter(pk=job.pk).update(due_at=due_at, lease=None, leased_until=None)
