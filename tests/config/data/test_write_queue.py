"""SQLite writers are served in order of arrival, and no writer waits forever."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import sleep

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from config.data.connections import configured
from config.data.sqlite3.base import WriteQueue

SECONDS = 30


def test_longest_waiting_writer_is_served_first() -> None:
    queue, served = WriteQueue(), list[int]()
    assert queue.take(0)

    def write(number: int) -> None:
        assert queue.take(SECONDS)
        served.append(number)
        queue.give()

    threads = []
    for number in range(8):
        threads.append(Thread(target=write, args=(number,)))
        threads[-1].start()
        while len(queue.waiting) <= number:
            sleep(0.001)
    queue.give()
    for thread in threads:
        thread.join()
    assert served == list(range(8))
    assert not queue.is_taken


def test_writer_that_timed_out_loses_its_turn() -> None:
    queue = WriteQueue()
    assert queue.take(0)
    assert not queue.take(0.01)
    queue.give()
    assert queue.take(0)
    assert not queue.waiting


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[BaseDatabaseWrapper, BaseDatabaseWrapper]]:
    """Return two connections to one file, like two threads' connections, with a short timeout."""
    values = configured({"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "file"})
    usual = {"TIME_ZONE": None, "AUTOCOMMIT": True, "ATOMIC_REQUESTS": False}
    values |= usual | {"CONN_HEALTH_CHECKS": False}
    values["OPTIONS"] = values["OPTIONS"] | {"timeout": 0.05}
    made = [load_backend(values["ENGINE"]).DatabaseWrapper(values, alias) for alias in "ab"]
    yield made[0], made[1]
    for each in made:
        each.close()


def begin(connection: BaseDatabaseWrapper) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["commit", "rollback", "close"])
def test_write_queue_is_freed_however_a_transaction_ends(
    end: str, pair: tuple[BaseDatabaseWrapper, BaseDatabaseWrapper]
) -> None:
    first, second = pair
    begin(first)
    with pytest.raises(OperationalError, match="database is locked"):
        begin(second)
    getattr(first, end)()
    begin(second)
    second.rollback()
