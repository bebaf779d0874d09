"""The lease that all rows processed by workers share."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from league.charts import rendering
from league.games import odds
from league.jobs import leases
from league.models import Odds, OutgoingMail, RenderedChart
from league.sending import mail
from rules.documents import catalog
from tests.helpers.league.leagues import a_league
from tests.helpers.league.leases import let_leases_run_out

MANY = 4


def a_letter() -> Callable[[], Sequence[object]]:
    mail.write(f"key {uuid4()}", "ann@example.org", "Night 1", ["Hello."])
    return lambda: leases.lease_due(OutgoingMail.objects.all())


def odds_wanted() -> Callable[[], Sequence[object]]:
    assert odds.request_odds(catalog.document("texas-holdem"), (), 3)
    return lambda: leases.lease(Odds.objects.all(), order=("asked_at",))


def a_chart() -> Callable[[], Sequence[object]]:
    rendering.request_charts(
        a_league(), [rendering.ChartRequest("a bar", {"narrow": {"width": 1, "height": 1}})]
    )
    return lambda: leases.lease(RenderedChart.objects.all(), order=("asked_at",))


QUEUES = pytest.mark.parametrize("waiting", [a_letter, odds_wanted, a_chart])


@pytest.mark.django_db
@QUEUES
def test_row_can_be_leased_again_after_its_lease_expires(
    waiting: Callable[[], Callable[[], Sequence[object]]],
) -> None:
    take = waiting()
    assert [len(take()), len(take())] == [1, 0]
    let_leases_run_out()
    assert len(take()) == 1


@pytest.mark.django_db
@QUEUES
def test_worker_with_a_fast_clock_cannot_take_a_valid_lease(
    waiting: Callable[[], Callable[[], Sequence[object]]],
) -> None:
    """A worker with a wrong clock used to repeat other workers' work."""
    take = waiting()
    assert len(take()) == 1
    with time_machine.travel(timezone.now() + timedelta(days=400)):
        assert len(take()) == 0


@pytest.mark.django_db(transaction=True)
@QUEUES
def test_only_one_of_many_workers_leases_a_row(
    waiting: Callable[[], Callable[[], Sequence[object]]],
) -> None:
    take, ready = waiting(), Barrier(MANY)

    def one(_number: int) -> int:
        try:
            connection.ensure_connection()
            ready.wait()
            return len(take())
        finally:
            connection.close()

    with ThreadPoolExecutor(MANY) as threads:
        assert sorted(threads.map(one, range(MANY))) == [0, 0, 0, 1]


@pytest.mark.django_db
def test_lease_can_be_used_only_once() -> None:
    a_letter()
    [letter] = leases.lease_due(OutgoingMail.objects.all())
    rows = OutgoingMail.objects.filter(pk=letter.pk)
    mine = leases.renew_lease(rows, str(letter.lease))
    assert mine
    assert leases.renew_lease(rows, str(letter.lease)) is None
    assert leases.postpone(rows.filter(lease=mine), timezone.now() + timedelta(minutes=1)) == 1
    assert leases.lease_due(OutgoingMail.objects.all()) == []  # not due yet
    assert leases.finish(rows.filter(lease=mine)) == 0  # the lease has ended
