"""Heartbeats: the worker and the scheduler record once a minute that they are running."""

import logging
from datetime import timedelta
from enum import StrEnum

from django.db import DatabaseError, connections
from django.utils import timezone

from league.models import LastRun

EVERY = timedelta(minutes=1)
SILENT_AFTER = 3 * EVERY
logger = logging.getLogger(__name__)


class Process(StrEnum):
    """The kinds of background processes."""

    WORKER = "worker"
    SCHEDULER = "scheduler"


def beat(process: Process) -> None:
    """Record a heartbeat for this kind of process, and close the database connection."""
    try:
        LastRun.objects.update_or_create(name=f"process-{process}", defaults={"at": timezone.now()})
    except DatabaseError as error:
        logger.warning("The %s could not report that it runs: %s", process, error)
    finally:
        connections.close_all()


def silent() -> list[Process]:
    """Return the kinds of processes without a recent heartbeat."""
    lately = LastRun.objects.filter(at__gt=timezone.now() - SILENT_AFTER)
    names = set(lately.values_list("name", flat=True))
    return [each for each in Process if f"process-{each}" not in names]
