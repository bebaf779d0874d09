"""A request that exceeds its time limit is aborted and rolled back."""

import threading
import time
from collections.abc import Callable

import pytest
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from config.web.deadline import Work, end_late_requests
from league.models import User

SLOW_SQL = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT sum(i) FROM n",
    "postgresql": "SELECT pg_sleep(60)",
}
SHORT_SQL = {  # takes longer than 0.2 s
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000)"
    " SELECT sum(i) FROM n",
    "postgresql": "SELECT pg_sleep(0.5)",
}
LOCK = threading.Lock()
View = Callable[[HttpRequest], HttpResponse]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _little_time(settings: Settings) -> None:
    settings.WORK_SECONDS = 0.3


def answered(view: View, method: str = "GET") -> HttpResponse:
    began = time.monotonic()
    response = end_late_requests(view)(RequestFactory().generic(method, "/leagues/new"))
    assert time.monotonic() - began < 20
    return response


def hold_a_lock(_request: HttpRequest) -> HttpResponse:
    """Compute beyond the deadline while holding a lock, as translations do for an instant."""
    until = time.monotonic() + 1
    LOCK.acquire()
    while time.monotonic() < until:
        pass
    LOCK.release()
    return HttpResponse("done")


def ask_without_end(_request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(SLOW_SQL[connection.vendor])
    return HttpResponse()


def write_without_end(_request: HttpRequest) -> HttpResponse:
    with transaction.atomic():
        User.objects.create_user("late")
        while True:
            User.objects.filter(username="nobody").exists()


@pytest.mark.parametrize(
    ("view", "method"),
    [(write_without_end, "POST"), (write_without_end, "GET")],
)
def test_request_that_exceeds_its_time_limit_is_aborted_and_rolled_back(
    view: View, method: str
) -> None:
    response = answered(view, method)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "60"
    assert "took too long" in response.content.decode()
    assert not User.objects.exists()
    assert connection.in_atomic_block is False


def test_late_request_never_stops_while_it_holds_a_lock() -> None:
    """An exception between two steps left a lock of the translations taken forever."""
    assert answered(hold_a_lock).content == b"done"
    assert LOCK.acquire(blocking=False)
    LOCK.release()


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_sql_statement_that_exceeds_the_time_limit_is_aborted(method: str) -> None:
    """The database reports an interruption. The response is a server error or a timeout."""
    try:
        response = answered(ask_without_end, method)
    except DatabaseError:
        return
    assert response.status_code == 503


def test_request_within_its_time_limit_does_not_affect_the_next() -> None:
    for _ in range(3):
        assert answered(lambda _request: HttpResponse("done")).content == b"done"
    time.sleep(0.7)  # later than the previous deadline
    assert User.objects.count() == 0


def test_finished_request_cancels_no_statement_of_the_next_one() -> None:
    """The watch may have listed a request just before it finished."""
    work = Work(threading.get_ident(), time.monotonic() - 1, connections[DEFAULT_DB_ALIAS])
    work.finish()
    ending = threading.Timer(0.2, work.end_statement)
    ending.start()
    with connection.cursor() as cursor:
        cursor.execute(SHORT_SQL[connection.vendor])
        assert cursor.fetchone()
    ending.join()
