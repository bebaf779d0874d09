"""Scheduled jobs are due correctly, even on a service that runs only one evening a week."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.db import IntegrityError

from config.celery import app
from config.heartbeats import Scheduler
from config.tasks import JOBS
from league.jobs.last_runs import CalendarJob, run_due
from league.models import LastRun, OutgoingMail, Player
from tests.helpers.league.leagues import a_user, player
from tests.helpers.league.nights import a_table, closed, dealt

pytestmark = pytest.mark.django_db
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def eager() -> Iterator[None]:
    """Run tasks immediately in the caller."""
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


def runs(hour: int | None, *moments: str) -> list[str]:
    """Check a job at the given times ("1 19:30" is 19:30 on 1 March).

    Return the times at which it ran.
    """
    ran: list[str] = []
    for moment in moments:
        day, _, clock = moment.partition(" ")
        now = MONDAY.replace(day=int(day), hour=int(clock[:2]), minute=int(clock[3:]))
        with time_machine.travel(now, tick=False):
            run_due([CalendarJob("job", lambda moment=moment: ran.append(moment), hour)])
    return ran


@pytest.mark.parametrize(
    ("hour", "asked", "ran"),
    [
        (
            5,
            ("2 04:45", "2 05:00", "2 05:15", "3 04:45", "3 05:00"),
            ("2 04:45", "2 05:00", "3 05:00"),
        ),
        (5, ("2 19:00", "2 19:15", "2 23:45", "3 00:15"), ("2 19:00",)),
        (5, ("2 19:00", "9 19:00", "9 19:15"), ("2 19:00", "9 19:00")),
        (0, ("2 23:45", "3 00:00", "3 00:15"), ("2 23:45", "3 00:00")),
        (23, ("2 19:00", "2 22:45", "2 23:00", "3 19:00"), ("2 19:00", "2 23:00")),
        (None, ("2 19:00", "2 19:45", "2 20:00", "9 20:15"), ("2 19:00", "2 20:00", "9 20:15")),
        (5, ("9 19:00", "2 19:00", "2 19:15"), ("9 19:00", "2 19:00")),
    ],
    ids=["daily", "evening", "week off", "midnight", "late hour", "hourly", "clock was wrong"],
)
def test_job_runs_once_for_each_due_hour(
    hour: int | None, asked: tuple[str, ...], ran: tuple[str, ...]
) -> None:
    assert runs(hour, *asked) == list(ran)


def test_failed_job_is_retried_and_does_not_delay_others() -> None:
    ran: list[str] = []

    def fail() -> None:
        ran.append("failed")
        raise IntegrityError

    jobs = [CalendarJob("failing", fail, 5), CalendarJob("other", lambda: ran.append("other"), 5)]
    for minute in (0, 15):
        with time_machine.travel(MONDAY + timedelta(hours=19, minutes=minute), tick=False):
            run_due(jobs)
    assert ran == ["failed", "other", "failed"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("eager")
def test_service_used_one_evening_a_week_sends_reminders_and_cleans_up() -> None:
    """Jobs with 12 or 24 hour intervals never used to run on a service used for three hours."""
    evening(MONDAY + timedelta(hours=19))
    with time_machine.travel(MONDAY + timedelta(hours=22), tick=False):
        night, bob = a_table(), a_user("bob")
        bob.email = "bob@example.org"
        bob.save()
        Player.objects.filter(pk=player(night, "bob").pk).update(user=bob)
        dealt(night)
        closed(night)
        Session.objects.create(session_key="old", session_data="", expire_date=MONDAY)
    evening(MONDAY + timedelta(days=7, hours=19))
    assert not Session.objects.filter(session_key="old").exists()
    assert OutgoingMail.objects.filter(subject="Tuesday: 0.10 USD to ann").count() == 1
    last_runs = LastRun.objects.filter(name__in=[job.name for job in JOBS])
    assert last_runs.count() == len(JOBS)
    assert all(row.at > MONDAY + timedelta(days=7) for row in last_runs)


def evening(start: datetime) -> None:
    """Run a new process's scheduler for three hours. Tasks run in the caller."""
    with time_machine.travel(start, tick=False) as clock:
        scheduler = Scheduler(app, lazy=False)
        for _ in range(180):
            scheduler.tick()
            clock.shift(timedelta(minutes=1))
