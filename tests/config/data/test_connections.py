"""The effective settings of the databases, the cache and the queue."""

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler
from django.utils import timezone

from config.data.connections import configured
from config.tasks import clear_sessions


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[ConnectionHandler]:
    """Open an SQLite file as the service opens its database."""
    file = tmp_path / "league.sqlite3"
    database = configured({"ENGINE": "django.db.backends.sqlite3", "NAME": file})
    handler = ConnectionHandler({"default": database})
    yield handler
    handler.close_all()


def ask(database: BaseDatabaseWrapper, statement: str) -> object:
    with database.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone()
    assert row
    return row[0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),  # FULL
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
        ("busy_timeout", 20_000),
    ],
)
def test_sqlite_keeps_committed_data(sqlite: ConnectionHandler, pragma: str, value: object) -> None:
    assert ask(sqlite["default"], f"PRAGMA {pragma}") == value


@pytest.mark.django_db(transaction=True)
def test_writers_that_begin_with_a_read_wait_for_each_other() -> None:
    """On SQLite a deferred transaction would fail here with "database is locked"."""
    Session.objects.create(session_key="sum", session_data="0", expire_date=timezone.now())

    def add_often() -> None:
        for _ in range(20):
            with transaction.atomic():
                response = Session.objects.select_for_update().get(session_key="sum")
                response.session_data = str(int(response.session_data) + 1)
                response.save()
        connection.close()

    with ThreadPoolExecutor(4) as writers:
        for done in [writers.submit(add_often) for _ in range(4)]:
            done.result()
    assert Session.objects.get(session_key="sum").session_data == "80"


def test_tests_use_the_servers_from_the_environment() -> None:
    named = os.environ.get("DATABASE_URL", "").startswith("postgres")
    assert connection.vendor == ("postgresql" if named else "sqlite")
    assert settings.CELERY_BROKER_URL.startswith(os.environ.get("REDIS_URL") or "memory://")


def test_cache_stores_a_value() -> None:
    cache.set("dealer", "Joel")
    assert cache.get("dealer") == "Joel"


@pytest.mark.django_db(transaction=True)
def test_worker_runs_tasks_sent_from_another_thread(running_worker: None) -> None:
    yesterday = timezone.now() - timedelta(days=1)
    Session.objects.create(session_key="expired", session_data="", expire_date=yesterday)
    sender = threading.Thread(target=clear_sessions.delay)
    sender.start()
    sender.join()
    deadline = time.monotonic() + 10
    while Session.objects.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
