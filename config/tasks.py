"""Housekeeping tasks that do not belong to an app."""

import logging

from celery import shared_task
from django.conf import settings
from django.core.management import call_command

from api.http.idempotency import delete_idempotency_records
from config.data.backups.writing import back_up_daily
from league import tasks
from league.jobs.last_runs import CalendarJob, run_due
from league.sign_in import sessions

logger = logging.getLogger(__name__)


@shared_task
def clear_sessions() -> None:
    """Delete expired sessions."""
    call_command("clearsessions")
    sessions.delete_ended()


# Recalculations run at night, and e-mails are sent in the morning.
JOBS = (
    CalendarJob("clear-sessions", clear_sessions, hour=4),
    CalendarJob("delete-old-messages", tasks.delete_old_messages, hour=4),
    CalendarJob("check-stats", tasks.check_stats, hour=5),
    CalendarJob("remind-payers", tasks.remind_payers, hour=9),
    CalendarJob("plan-nights", tasks.plan_nights),
    CalendarJob("delete-idempotency-records", delete_idempotency_records),
)


@shared_task
def run_due_jobs() -> None:
    """Run the daily and hourly jobs that are due."""
    run_due(JOBS)


@shared_task
def back_up() -> None:
    """Take today's backup unless it exists. Omitted rows are logged."""
    if not settings.BACKUPS_KEPT:
        return
    try:
        outcome = back_up_daily(settings.BACKUP_DIR, settings.BACKUPS_KEPT)
    except OSError:
        logger.exception("No backup could be written to %s.", settings.BACKUP_DIR)
        return
    for each in outcome.skipped if outcome else ():
        logger.error("%s", each)
