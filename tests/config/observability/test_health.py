"""Liveness and readiness, for programs that start, stop and monitor the service."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from config.observability.monitoring import clear_checks
from league.jobs import last_runs
from league.jobs.last_runs import Process
from league.jobs.queues import queue_depths
from league.models import ClosingJob, LastRun, OutgoingMail, StaleMark
from tests.helpers.league.nights import a_table, dealt

pytestmark = pytest.mark.django_db

TOKEN = "who-watches-over-the-service"


@pytest.fixture(autouse=True)
def _nothing_was_found_before(db: None) -> Iterator[None]:
    for process in Process:
        LastRun.objects.create(name=f"process-{process}", at=timezone.now())
    clear_checks()
    yield
    clear_checks()


@contextmanager
def database_away() -> Iterator[None]:
    """Make every query fail with a message that contains the server address."""

    def refuse(*_: object) -> None:
        raise OperationalError("connection to server at db.example.org, user league, failed")

    with connection.execute_wrapper(refuse):
        yield


def readiness(client: Client) -> tuple[int, dict[str, object]]:
    answer = client.get("/readyz")
    return answer.status_code, json.loads(answer.content)


@pytest.mark.parametrize("path", ["/healthz", "/health"])
def test_liveness_does_not_depend_on_the_database(client: Client, path: str) -> None:
    with database_away(), CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert (answer.status_code, answer.content) == (200, b"ok")
    assert len(queries) == 0
    assert "no-store" in answer.headers["Cache-Control"]


def test_service_is_ready_if_all_parts_are_ready(client: Client) -> None:
    ready = {"ready": True, "database": "ok", "migrations": "ok", "work": "ok"}
    assert readiness(client) == (200, {**ready, "processes": "ok"})


@pytest.mark.parametrize("missing", Process)
def test_service_is_not_ready_without_a_worker_or_a_scheduler(
    client: Client, missing: Process
) -> None:
    """The queues are empty and look healthy, but reminders and closings would never run."""
    LastRun.objects.filter(name=f"process-{missing}").update(
        at=timezone.now() - last_runs.SILENT_AFTER
    )
    status, body = readiness(client)
    assert (status, body["processes"]) == (503, f"no {missing} has reported for 3 minutes")
    LastRun.objects.all().delete()
    clear_checks()
    assert readiness(client)[0] == 503


def test_unavailable_database_is_reported_without_its_address(client: Client) -> None:
    with database_away():
        status, body = readiness(client)
    assert (status, body) == (503, {"ready": False, "database": "the database does not answer"})


def test_pending_migrations_are_counted(client: Client) -> None:
    rows = MigrationRecorder.Migration.objects.filter(app="league").order_by("-name")
    last = rows.first()
    assert last
    last.delete()
    status, body = readiness(client)
    assert (status, body) == (
        503,
        {"ready": False, "database": "ok", "migrations": "1 to be applied"},
    )


def test_database_without_migrations_is_reported(client: Client) -> None:
    """The state of the queues is unknown, because their tables are missing."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_migrations RENAME TO elsewhere")
    status, report = readiness(client)
    assert (status, report["ready"], report["database"]) == (503, False, "ok")
    assert str(report["migrations"]).endswith(" to be applied")
    assert "work" not in report


def test_unknown_clients_see_only_readiness(settings: Settings) -> None:
    stranger = Client(REMOTE_ADDR="203.0.113.7")
    assert readiness(stranger) == (200, {"ready": True})
    MigrationRecorder.Migration.objects.filter(app="league").delete()
    clear_checks()
    assert readiness(stranger) == (503, {"ready": False})
    settings.METRICS_TOKEN = TOKEN
    assert readiness(stranger) == (503, {"ready": False})
    known = Client(REMOTE_ADDR="203.0.113.7", headers={"Authorization": f"Bearer {TOKEN}"})
    assert "migrations" in readiness(known)[1]


def test_client_behind_a_local_proxy_sees_no_details(settings: Settings) -> None:
    passed_on = Client(headers={"X-Forwarded-For": "203.0.113.7"})
    assert readiness(passed_on) == (200, {"ready": True})
    settings.BEHIND_HTTPS = True
    assert readiness(passed_on) == (200, {"ready": True})
    assert "migrations" in readiness(Client())[1]


def test_repeated_readiness_requests_run_no_database_queries(client: Client) -> None:
    readiness(client)
    with CaptureQueriesContext(connection) as queries:
        for _ in range(20):
            readiness(client)
    assert len(queries) == 0


def test_overdue_work_makes_the_service_unready_and_is_reported(client: Client) -> None:
    dealt(a_table())
    assert readiness(client)[0] == 200
    clear_checks()
    StaleMark.objects.update(made_at=timezone.now() - timedelta(minutes=11))
    status, report = readiness(client)
    assert status == 503
    assert str(report["work"]).startswith("stats wait for 66")


def test_each_queue_reports_the_number_and_age_of_its_due_items() -> None:
    night = a_table()
    dealt(night)
    due = timezone.now() - timedelta(minutes=3)
    ClosingJob.objects.filter(night=night).update(due_at=due)
    for number, at in enumerate((due, due + timedelta(days=1))):
        OutgoingMail.objects.create(key=str(number), to="a@example.org", due_at=at)
    queues = {each.name: each for each in queue_depths()}
    assert {name: each.waiting for name, each in queues.items()} == {
        "stats": 1,
        "closings": 1,
        "letters": 1,
        "pushes": 0,
        "deliveries": 0,
    }
    assert 180 <= queues["closings"].seconds < 240
    assert queues["deliveries"].seconds == 0


def test_finished_work_does_not_count_as_waiting() -> None:
    due = timezone.now() - timedelta(hours=1)
    OutgoingMail.objects.create(key="sent", to="a@example.org", due_at=due, done_at=due)
    assert {each.name: each.waiting for each in queue_depths()}["letters"] == 0


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_only_monitoring_addresses_see_details(client: Client, path: str) -> None:
    assert client.get(path, headers={"Host": "10.1.2.3"}).status_code != 400
    assert client.get("/sign-in", headers={"Host": "10.1.2.3"}).status_code == 400
