"""The last runs of calendar jobs and background processes, with a row for each.

A job is due again at its next scheduled hour. Due times do not depend on when the process started,
because a service at home may run only one evening a week. The worker and the scheduler record once
a minute that they are running.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import DatabaseError, connections
from django.utils import timezone

from league.models import LastRun

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CalendarJob:
    """A job that is due daily at `hour` in the service's time zone, or hourly if `hour` is None.

    A job may run twice if two processes find it due, or if a process dies before it records the
    run.
    """

    name: str
    run: Callable[[], object]
    hour: int | None = None

    def due_since(self, now: datetime) -> datetime:
        """Return the most recent time at which the job became due."""
        local = timezone.localtime(now).replace(minute=0, second=0, microsecond=0)
        if self.hour is None:
            return local
        today = local.replace(hour=self.hour)
        return today if today <= local else today - timedelta(days=1)


def run_due(jobs: Iterable[CalendarJob]) -> None:
    """Run the jobs that have not run since they became due. A job that fails stays due."""
    now = timezone.now()
    last_runs = dict(LastRun.objects.values_list("name", "at"))
    for job in jobs:
        last = last_runs.get(job.name)
        # A run in the future was recorded while the clock was wrong, so it is ignored.
        if last is not None and job.due_since(now) <= last <= now:
            continue
        try:
            job.run()
        except Exception:
            logger.exception("The job %s failed, and will be tried again.", job.name)
        else:
            LastRun.objects.update_or_create(name=job.name, defaults={"at": now})


EVERY = timedelta(minutes=1)
SILENT_AFTER = 3 * EVERY


class Process(StrEnum):
    """The kinds of background processes."""

    WORKER = "worker"
    SCHEDULER = "scheduler"


def beat(process: Process) -> None:
    """Record a heartbeat for this kind of process, and close the database connection."""
    try:
        LastRun.objects.update_or_create(name=f"process-{process}", defaults={"at": timezone.now()})
    except DatabaseError as error:
        logger.warning("The %s could not record its heartbeat: %s", process, error)
    finally:
        connections.close_all()


def silent() -> list[Process]:
    """Return the kinds of processes without a recent heartbeat."""
    lately = LastRun.objects.filter(at__gt=timezone.now() - SILENT_AFTER)
    names = set(lately.values_list("name", flat=True))
    return [each for each in Process if f"process-{each}" not in names]
