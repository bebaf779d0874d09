"""Closing survives crashes at any write, duplicates, races and lost messages."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.utils import timezone

from league import tasks
from league.closing import close
from league.closing.close import Decisions, close_night
from league.closing.payments import confirm, promise
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.jobs import leases
from league.models import (
    Closing,
    ClosingJob,
    Night,
    OutgoingMail,
    Payment,
    PaymentPlan,
    PlannedPayment,
)
from league.recording.corrections import void_hand
from ledger.models import Posting
from tests.helpers.league.leagues import a_user, holdem, player, qualifiers
from tests.helpers.league.leases import let_leases_run_out
from tests.helpers.league.nights import a_table, again, closed, counted, dealt, planned, tabs
from tests.helpers.security.seasons import everything

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tasks_at_once")]

MANY = 4
# Each of three tests crashes at every third write. On PostgreSQL, two of them run at night.
AT_NIGHT = [pytest.mark.scheduled] if connection.vendor == "postgresql" else []
FIRST = [1, *(pytest.param(first, marks=AT_NIGHT) for first in (2, 3))]
WRITE = re.compile(r"\s*(INSERT|UPDATE|DELETE)", re.IGNORECASE)


class Killed(BaseException):
    """An exception that the tested code does not catch."""


@contextmanager
def killed_at(number: int) -> Iterator[list[str]]:
    """Raise an exception at write `number`, alternately before and after the write."""
    written: list[str] = []

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not WRITE.match(sql):
            return execute(sql, *rest)
        written.append(sql)
        if len(written) == number and number % 2:
            raise Killed
        done = execute(sql, *rest)
        if len(written) == number:
            raise Killed
        return done

    with connection.execute_wrapper(watch):
        yield written


def an_evening() -> Night:
    """A counted night with a carried pot, a wrongly paid hand, and two e-mails to send."""
    night = a_table()
    for name in ("ann", "bob"):
        seated = player(night, name)
        seated.user = a_user(name)
        seated.user.email = f"{name}@example.org"
        seated.user.save()
        seated.save()
    dealt(night, holdem(took={"bob": 20}))
    dealt(night, qualifiers())
    counted(night, ann=95, bob=105)
    return night


def quiet(night: Night) -> time_machine.travel:
    """Move the clock to the closing hour."""
    due = ClosingJob.objects.get(night=night).due_at
    return time_machine.travel(max(due, timezone.now()) + timedelta(hours=2), tick=True)


def settled(night: Night) -> None:
    """Check all invariants for a closed night."""
    assert again(night).state == Night.State.CLOSED
    closing = Closing.objects.get(night=night)
    assert planned(closing) == ["bob pays ann 15"]
    assert tabs(night.league) == {"ann": 15, "bob": -15}
    assert PaymentPlan.objects.count() == PlannedPayment.objects.count() == 1
    assert Posting.objects.filter(key__startswith="close:").count() == 1
    assert OutgoingMail.objects.count() == 2
    assert audit() == []


@pytest.mark.parametrize("first", FIRST)
def test_closing_killed_at_any_write_has_the_same_result_when_run_again(first: int) -> None:
    """After a crash at any write the lease expires, and the next sweep continues."""
    for number in count(first, len(FIRST)):
        for model in (OutgoingMail, ClosingJob):
            model.objects.all().delete()
        mail.outbox.clear()
        night = an_evening()
        with quiet(night):
            try:
                with killed_at(number) as written:
                    tasks.sweep()
                    tasks.sweep()
            except Killed:
                assert again(night).state in Night.State.values
            for _ in range(3):
                let_leases_run_out()
                tasks.sweep()
        ended(night)
        if len(written) < number:  # this run was not killed
            break
    assert number > 15


def ended(night: Night) -> None:
    """Check the same things as `settled`, for one night among many."""
    assert again(night).state == Night.State.CLOSED
    closing = Closing.objects.get(night=night)
    assert planned(closing) == ["bob pays ann 15"]
    assert tabs(night.league) == {"ann": 15, "bob": -15}
    assert OutgoingMail.objects.filter(done_at=None).count() == 0
    sent = {(letter.to[0], letter.extra_headers["Message-ID"]) for letter in mail.outbox}
    assert len(sent) == OutgoingMail.objects.count() == 2
    assert audit(night.league) == []


def test_correction_killed_at_any_write_leaves_the_night_unchanged() -> None:
    """All crashes use the same night. It stays unchanged, so the next attempt can correct it."""
    night = a_table()
    hand = dealt(night)
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    assert tabs(night.league) == {"ann": 10, "bob": -10}
    rows, number, done = everything(), 0, False
    while not done:
        number += 1
        try:
            with killed_at(number):
                void_hand(hand, by=None)
            done = True
        except Killed:
            assert everything() == rows
    assert tabs(night.league) == {}
    assert audit(night.league) == []
    assert number > 10


def test_closing_whose_message_is_lost_continues_when_the_lease_expires() -> None:
    night = an_evening()
    with quiet(night):
        assert len(leases.lease_due(ClosingJob.objects.all())) == 1  # the message is lost as well
        tasks.sweep()
        assert again(night).state == Night.State.OPEN
        let_leases_run_out()
        tasks.sweep()
    settled(night)


def test_duplicate_message_closes_a_night_once() -> None:
    night = an_evening()
    with quiet(night):
        job = leases.lease_due(ClosingJob.objects.all())[0]
        for _ in range(3):
            close.close_due(job.pk, str(job.lease))
    settled(night)


def test_message_with_a_different_lease_does_not_close_the_night() -> None:
    night = an_evening()
    with quiet(night):
        job = leases.lease_due(ClosingJob.objects.all())[0]
        close.close_due(job.pk, str(uuid4()))
        assert again(night).state == Night.State.OPEN


def together(task: Callable[[int], object]) -> list[object]:
    """Call a function in many threads that start at the same time. Return the results."""
    ready = Barrier(MANY)

    def one(number: int) -> object:
        try:
            connection.ensure_connection()
            ready.wait()
            return task(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(MANY) as threads:
        return list(threads.map(one, range(MANY)))


def test_two_workers_close_a_night_once() -> None:
    night = an_evening()
    with quiet(night):
        job = leases.lease_due(ClosingJob.objects.all())[0]
        together(lambda _: close.close_due(job.pk, str(job.lease)))
    settled(night)


def test_concurrent_sweeps_lease_a_job_once() -> None:
    night = an_evening()
    with quiet(night):
        taken = together(lambda _: len(leases.lease_due(ClosingJob.objects.all())))
    assert sorted(taken) == [0] * (MANY - 1) + [1]  # type: ignore[type-var]


def test_two_hosts_closing_concurrently_close_a_night_once() -> None:
    night = an_evening()
    got = together(lambda _: close_night(again(night), uuid4(), by=None).pk)
    assert len(set(got)) == 1
    settled(night)


def test_host_and_scheduled_job_close_a_night_once() -> None:
    night = an_evening()
    with quiet(night):
        job = leases.lease_due(ClosingJob.objects.all())[0]
        together(
            lambda number: (
                close_night(again(night), uuid4(), by=None)
                if number % 2
                else close.close_due(job.pk, str(job.lease))
            )
        )
    settled(night)


def test_double_tap_closes_a_night_once() -> None:
    night, key = an_evening(), uuid4()
    got = together(lambda _: close_night(again(night), key, by=None).pk)
    assert set(got) == {key}
    settled(night)


def test_payment_confirmed_concurrently_moves_the_chips_once() -> None:
    night = a_table()
    dealt(night)
    debt = closed(night).plan.payments.get()
    payment = promise(debt, uuid4(), 10, by=None)
    together(lambda _: confirm(payment, by=None).state)
    assert Payment.objects.get().state == Payment.State.CONFIRMED
    assert tabs(night.league) == {}
    assert audit() == []


def test_concurrent_promises_do_not_exceed_the_open_amount() -> None:
    night = a_table()
    dealt(night)
    debt = closed(night).plan.payments.get()

    def send(_: int) -> bool:
        try:
            promise(debt, uuid4(), 6, by=None)
        except RefusedError:
            return False
        return True

    assert together(send).count(True) == 1
