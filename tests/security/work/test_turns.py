"""A league with a lot of work, or failing work, delays other leagues by at most one turn."""

import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import pairwise
from uuid import uuid4

import psutil
import pytest
from django.core import mail
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from league import tasks
from league.closing import close
from league.common import row_limits
from league.games import odds
from league.jobs import queues as jobs_queues
from league.jobs.queues import Queue, RoundRobin, queue_depths
from league.models import ClosingJob, Delivery, DeliveryTry, HandFact, League, Night, OutgoingMail
from league.nights.opening import open_night
from league.recording.record import record_hand
from league.sending import mail as outgoing
from league.sending.http_request import look_up, post
from league.stats import count
from league.webhooks import delivery, management
from rules.documents import catalog
from tests.helpers.league.leagues import a_league, a_night, holdem
from tests.helpers.league.receiver import HERE, Receiver, a_hook, make_due, receiver

# Number of seconds that a test waits for other threads before failing.
PATIENCE = 20.0
# Queries a name server like a resolver does, but without a deadline.
ASK_AND_WAIT = """
import socket, sys
port, host = int(sys.argv[1]), sys.argv[2]
name = b"".join(bytes([len(part)]) + part.encode() for part in host.split("."))
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
    wire.connect(("127.0.0.1", port))
    wire.send(b"\\0\\1\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0" + name + b"\\0\\0\\1\\0\\1")
    wire.recv(512)
"""


@dataclass
class SilentServer:
    """A local server that accepts data and never responds."""

    port: int
    asked: threading.Event
    hang_up: Callable[[], None]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@contextmanager
def silent_server() -> Iterator[SilentServer]:
    """A server that accepts every connection and sends nothing until it is closed."""
    contacted, taken = threading.Event(), []
    listening = socket.create_server(("127.0.0.1", 0), backlog=64)

    def serve() -> None:
        while True:
            try:
                wire, _ = listening.accept()
            except OSError:
                return
            taken.append(wire)
            contacted.set()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()

    def hang_up() -> None:
        with suppress(OSError):  # the connection may already be closed
            listening.shutdown(socket.SHUT_RDWR)  # wakes the accepting thread
        thread.join()
        listening.close()
        for wire in taken:
            wire.close()

    try:
        yield SilentServer(listening.getsockname()[1], contacted, hang_up)
    finally:
        hang_up()


@contextmanager
def silent_name_server() -> Iterator[tuple[socket.socket, tuple[str, ...]]]:
    """Run a name server that never responds. Return the command that queries it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        wire.bind(("127.0.0.1", 0))
        wire.settimeout(PATIENCE)
        yield wire, (sys.executable, "-c", ASK_AND_WAIT, str(wire.getsockname()[1]))


def until(happened: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"in vain: {what}"
        time.sleep(0.02)


def a_hand(night: Night) -> None:
    record_hand(night, uuid4(), holdem(), by=None)


def counted(night: Night) -> bool:
    return HandFact.objects.filter(night=night.pk).exists()


@pytest.fixture
def far(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [HERE]
    with receiver() as server:
        yield server


# Turns


@given(st.lists(st.lists(st.integers(0, 4), unique=True), min_size=1, max_size=40))
def test_waiting_league_is_next_after_each_other_league_had_one_turn(
    waiting: list[list[int]],
) -> None:
    turns: RoundRobin[int] = RoundRobin()
    before: list[int] = []
    for others in waiting:
        chosen = turns.begin([*others, 9])
        assert chosen is not None
        turns.end(chosen)
        if chosen == 9:
            before = []
        else:
            assert chosen not in before
            before.append(chosen)


def test_league_never_exceeds_its_share_of_concurrent_turns() -> None:
    turns: RoundRobin[str] = RoundRobin(most_at_once=2)
    assert [turns.begin(["a"]) for _ in range(3)] == ["a", "a", None]
    turns.end("a")
    assert turns.begin(["a"]) == "a"


# Queues


@pytest.mark.usefixtures("tasks_at_once")
@pytest.mark.parametrize("fails", [True, False])
def test_failing_or_stuck_league_does_not_block_others(fails: bool) -> None:
    had: list[str] = []

    def turn(key: str) -> bool:
        had.append(key)
        if key == "a" and fails:
            raise ValueError
        return key != "a"

    queue = Queue("tried", lambda: ["a", "b"] if had.count("b") < 3 else ["a"], turn)
    jobs_queues.wake(queue)
    assert had == ["a", "b", "b", "b"]


def test_queue_woken_during_an_empty_search_is_searched_again() -> None:
    """A wake-up between an empty search and the thread's end must not be lost."""
    waiting: list[int] = []
    done = threading.Event()

    def look() -> list[int]:
        items = list(waiting)
        if not items and not done.is_set() and not waiting:
            waiting.append(1)
            jobs_queues.wake(queue)  # exactly between the search and the end
        return items

    def turn(key: int) -> bool:
        waiting.remove(key)
        done.set()
        return True

    queue = Queue("tried", look, turn)
    jobs_queues.start()
    jobs_queues.wake(queue)
    assert done.wait(PATIENCE)
    until(lambda: not queue.running, "the thread ends where nothing is left")


@pytest.mark.django_db(transaction=True)
def test_consecutive_events_are_delivered_without_pausing(far: Receiver) -> None:
    """A thread that finds no work because a different thread has it must not pause the league."""
    night = a_night()
    a_hook(night.league, far.url)
    jobs_queues.start()
    began = time.monotonic()
    for number in range(1, 7):
        a_hand(night)
        jobs_queues.wake(tasks.WEBHOOKS)
        until(lambda number=number: len(far.came) == number, "the hand is told")
    assert time.monotonic() - began < jobs_queues.REST
    jobs_queues.finish([tasks.WEBHOOKS], PATIENCE)


def test_number_of_threads_per_queue_is_limited() -> None:
    go, most, now = threading.Event(), [0], [0]
    guard, left = threading.Lock(), list(range(12))

    def turn(key: int) -> bool:
        with guard:
            left.remove(key)
            now[0] += 1
            most[0] = max(most[0], now[0])
        go.wait(PATIENCE)
        with guard:
            now[0] -= 1
        return True

    queue = Queue("tried", lambda: list(left), turn, threads=3)
    jobs_queues.start()
    jobs_queues.wake(queue)
    until(lambda: now[0] == 3, "one thread starts the next")
    jobs_queues.wake(queue)
    go.set()
    until(lambda: not left and not queue.running, "all have their turns")
    assert most[0] == 3


# Slow receivers in one league


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_unresponsive_receiver_does_not_delay_other_leagues(far: Receiver) -> None:
    one, other = a_night(), a_night()
    with silent_server() as silent:
        for _ in range(row_limits.WEBHOOKS.most):
            a_hook(one.league, silent.url)
        a_hook(other.league, far.url)
        a_hand(one)
        assert silent.asked.wait(PATIENCE)
        a_hand(other)
        tasks.sweep_stats.delay()
        until(lambda: counted(other), "the other league's hand is counted")
        until(lambda: far.came, "the other league's webhook is called")
        assert not DeliveryTry.objects.filter(delivery__event__league=one.league).exists()
        management.Webhook.objects.filter(league=one.league).update(retired_at=timezone.now())
        silent.hang_up()
        until(lambda: not tasks.WEBHOOKS.running, "the calls end")


@pytest.mark.django_db(transaction=True)
def test_unresponsive_name_server_does_not_delay_other_leagues(far: Receiver) -> None:
    one, other = a_night(), a_night()
    a_hook(one.league, "http://hooks.example.org/")
    a_hand(one)
    with silent_name_server() as (server, command):
        before = set(psutil.Process().children())
        sender = delivery.WebhookSender(partial(look_up, command=command))
        queue = Queue("webhooks", sender.leagues_due, sender.send_next, threads=2)
        jobs_queues.start()
        jobs_queues.wake(queue)
        query = server.recv(512)
        assert b"\5hooks\7example\3org" in query
        a_hook(other.league, far.url)
        a_hand(other)
        jobs_queues.wake(tasks.COUNTING)
        jobs_queues.wake(queue)
        until(lambda: counted(other), "the other league's hand is counted")
        until(lambda: far.came, "the other league's webhook is called")
        assert not DeliveryTry.objects.filter(delivery__event__league=one.league).exists()
        for child in set(psutil.Process().children()) - before:
            child.kill()
        jobs_queues.finish([queue, tasks.COUNTING], PATIENCE)


def test_name_lookup_has_a_deadline_and_leaves_no_process() -> None:
    with silent_name_server() as (server, command):
        before = set(psutil.Process().children())
        resolve = partial(look_up, command=command)
        answer = post("http://hooks.example.org/", b"{}", {}, resolve=resolve, seconds=1.0)
        assert server.recv(512)
        assert (answer.status, answer.text) == (None, "no answer in time")
        assert set(psutil.Process().children()) == before


def test_name_lookup_counts_towards_the_deadline_of_the_call() -> None:
    """One deadline covers a slow name lookup and a slow receiver."""
    left: list[float] = []

    def slow(_host: str, _port: int, seconds: float) -> list[object]:
        left.append(seconds)
        threading.Event().wait(seconds / 2)
        raise TimeoutError

    answer = post("http://hooks.example.org/", b"{}", {}, resolve=slow, seconds=0.2)  # type: ignore[arg-type]
    assert answer.text == "no answer in time"
    assert 0 < left[0] <= 0.2


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_unresponsive_mail_server_does_not_delay_counting_or_webhooks(
    far: Receiver, settings: Settings
) -> None:
    night = a_night()
    a_hook(night.league, far.url)
    with silent_server() as silent:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", silent.port
        for number in range(5):
            outgoing.write(f"key {number}", "ann@example.org", "Night", [], league=a_league())
        tasks.sweep.delay()
        assert silent.asked.wait(PATIENCE)
        a_hand(night)
        tasks.sweep_stats.delay()
        until(lambda: counted(night), "the hand is counted")
        until(lambda: far.came, "the webhook is called")
        assert OutgoingMail.objects.filter(done_at=None, leased_until=None).count() == 3
        silent.hang_up()
        until(lambda: not tasks.MAIL.running, "the letters end")


# A league with a lot of work


@pytest.mark.django_db
@pytest.mark.usefixtures("tasks_at_once")
def test_emails_from_a_busy_league_delay_other_leagues_by_at_most_one_email() -> None:
    one, other = a_league(), a_league()
    for number in range(9):
        outgoing.write(f"one {number}", "one@example.org", "Night", [], league=one)
    outgoing.write("other", "other@example.org", "Night", [], league=other)
    outgoing.write("service", "nobody@example.org", "Hello", [])
    jobs_queues.wake(tasks.MAIL)
    order = [letter.to[0].partition("@")[0] for letter in mail.outbox]
    assert len(order) == 11
    assert {"other", "nobody"} <= set(order[:3])


@pytest.mark.django_db
@pytest.mark.usefixtures("tasks_at_once")
def test_closings_in_a_busy_league_delay_other_leagues_by_at_most_one_closing() -> None:
    first = a_night()
    nights = [first, *(open_night(first.league) for _ in range(4)), a_night()]
    ClosingJob.objects.update(due_at=timezone.now())
    for night in nights:
        ClosingJob.objects.filter(night=night).update(due_at=night.started_at)
    order: list[League] = []

    def turn(league: object) -> bool:
        order.append(League.objects.get(pk=league))
        return close.close_next(order[-1].pk)

    jobs_queues.wake(Queue("closings", close.leagues_due, turn))
    assert len(order) == 6
    assert nights[-1].league in order[:2]


@pytest.mark.django_db
@pytest.mark.usefixtures("tasks_at_once")
def test_hands_in_a_busy_league_delay_other_leagues_by_at_most_one_turn() -> None:
    one, other = a_night(), a_night()
    for _ in range(5):
        a_hand(one)
    a_hand(other)
    order: list[object] = []

    def turn(league: object) -> bool:
        order.append(league)
        return count.count_marked(league, most=1) > 0  # type: ignore[arg-type]

    jobs_queues.wake(Queue("counting", count.leagues_behind, turn))
    assert len(order) == 6
    assert other.league.pk in order[:2]


@pytest.mark.django_db
def test_odds_for_a_busy_league_leave_room_and_turns_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(odds, "DEALS", 20)
    document = catalog.document("texas-holdem")
    one, other = uuid4(), uuid4()
    deck = {**document, "name": "Ours"}
    asked = [odds.request_odds({**deck, "name": f"Ours {n}"}, (), 3, league=one) for n in range(20)]
    assert asked.count(None) == 20 - odds.MOST_WAITING
    assert odds.request_odds(deck, (), 3, league=other)
    assert odds.request_odds(document, (), 3)
    assert odds.due_askers() == [str(one), str(other), ""]
    turns: RoundRobin[str] = RoundRobin()
    order = []
    for _ in range(4):
        asker = turns.begin(odds.due_askers())
        assert asker is not None
        assert odds.find_next(asker)
        turns.end(asker)
        order.append(asker)
    assert order == [str(one), str(other), "", str(one)]


@pytest.mark.django_db
@pytest.mark.usefixtures("tasks_at_once")
def test_events_in_a_busy_league_delay_other_leagues_by_at_most_one_call(far: Receiver) -> None:
    one, other = a_night(), a_night()
    a_hook(one.league, far.url)
    a_hook(other.league, far.url)
    for _ in range(5):
        a_hand(one)
    a_hand(other)
    jobs_queues.wake(tasks.WEBHOOKS)
    order = [b"%s" % str(other.league.pk).encode() in body for *_, body in far.came]
    assert len(order) == 6
    assert True in order[:2]


@pytest.mark.django_db
def test_unreachable_receiver_is_paused_for_longer_after_each_failure(far: Receiver) -> None:
    night = a_night()
    hook = a_hook(night.league, "http://127.0.0.1:1/")
    for _ in range(5):
        a_hand(night)
    rests = []
    for _ in range(4):
        while delivery.SENDER.send_next(night.league.pk):
            pass
        hook.refresh_from_db()
        assert hook.resumes_at
        rests.append(hook.resumes_at - timezone.now())
        assert delivery.SENDER.leagues_due() == []
        management.Webhook.objects.update(resumes_at=None)
    assert DeliveryTry.objects.count() == 4
    assert all(shorter < longer for shorter, longer in pairwise(rests))
    hook.url = far.url
    hook.save()
    make_due()
    while delivery.SENDER.send_next(night.league.pk):
        pass
    hook.refresh_from_db()
    assert (hook.failures, hook.resumes_at) == (0, None)
    assert Delivery.objects.filter(outcome="delivered").count() == 5


@pytest.mark.django_db
def test_paused_and_slow_receivers_do_not_count_as_overdue_work() -> None:
    night = a_night()
    hook = a_hook(night.league, "http://hooks.example.org/")
    for _ in range(3):
        a_hand(night)
    now = timezone.now()
    Delivery.objects.update(due_at=now - timedelta(hours=3))
    waiting = {queue.name: queue for queue in queue_depths()}["deliveries"]
    # no worker has picked up the work
    assert (waiting.waiting, waiting.seconds >= 10_000) == (3, True)
    hook.resumes_at = now + timedelta(hours=1)
    hook.save()
    waiting = {queue.name: queue for queue in queue_depths()}["deliveries"]
    assert (waiting.waiting, waiting.seconds) == (0, 0)
    hook.resumes_at, hook.called_at = now - timedelta(hours=1), now - timedelta(seconds=20)
    hook.save()
    waiting = {queue.name: queue for queue in queue_depths()}["deliveries"]
    # the work is slow, but in progress
    assert (waiting.waiting, waiting.seconds < 600) == (3, True)


@pytest.mark.django_db
def test_webhook_is_called_by_one_worker_at_a_time(far: Receiver) -> None:
    night = a_night()
    a_hook(night.league, far.url)
    for _ in range(2):
        a_hand(night)
    assert delivery.SENDER.lease_next(night.league.pk)
    assert delivery.SENDER.lease_next(night.league.pk) is None
    assert delivery.SENDER.leagues_due() == []
