"""Work in the background, so that neither one kind of it nor one league holds up another.

What is due stands in tables. A queue is one such table with threads that work at it: a bounded
number in each process that does tasks. A task only wakes its queue and ends, so however long a
queue is at something, be it a receiver that never answers, the tasks behind it do not wait. Within
a queue leagues take turns (`round_robin`): one with very much to do delays each other by one turn.

A queue keeps nothing but whose turn it was. It can be killed at any line: what is due is found
again by the next sweep, what it was at when the lease has run out.
"""

import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from celery import current_app
from django.db import connections
from django.db.models import Count, F, Manager, Min, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from league.models import ClosingJob, Delivery, OutgoingMail, Push, StaleMark

# Whoever is forgotten counts as one that had no turn yet.
MOST_REMEMBERED = 10_000

Key = TypeVar("Key", bound=Hashable)


@dataclass(eq=False)
class RoundRobin(Generic[Key]):
    """The turns of one queue in this process; a key has at most so many at the same time."""

    most_at_once: int = 1
    _turns_given: int = 0
    _last_turns: OrderedDict[Key, int] = field(default_factory=OrderedDict)
    _running: Counter[Key] = field(default_factory=Counter)
    _resting_until: dict[Key, float] = field(default_factory=dict)
    _without_result: set[Key] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, waiting: Iterable[Key]) -> Key | None:
        """Give a turn to one of those that wait; to the first where none of them had one yet.

        No key is None, which says that nobody may have one.
        """
        with self._lock:
            free = [key for key in waiting if self._may_begin(key)]
            if not free:
                return None
            chosen = min(free, key=lambda key: self._last_turns.get(key, 0))
            self._remember(chosen)
            self._running[chosen] += 1
            return chosen

    def end(self, key: Key, *, rest: float = 0.0, without_result: bool = False) -> None:
        """Take the turn back; there is no other one for so many seconds.

        Whoever got nowhere has none until somebody calls, unless others are at it: then that was
        why, and what they leave is to be done.
        """
        with self._lock:
            self._running[key] -= 1
            if without_result and not self._running[key]:
                self._without_result.add(key)
            self._running += Counter()  # without those that are at nothing
            if rest:
                now = time.monotonic()
                self._resting_until = {
                    each: until for each, until in self._resting_until.items() if until > now
                }
                self._resting_until[key] = now + rest

    def wake(self) -> None:
        """Let those have turns again that got nowhere: there may be something for them by now."""
        with self._lock:
            self._without_result.clear()

    def _may_begin(self, key: Key) -> bool:
        if key in self._without_result:
            return False
        return (
            self._running[key] < self.most_at_once
            and self._resting_until.get(key, 0.0) <= time.monotonic()
        )

    def _remember(self, key: Key) -> None:
        self._turns_given += 1
        self._last_turns[key] = self._turns_given
        self._last_turns.move_to_end(key)
        if len(self._last_turns) > MOST_REMEMBERED:
            self._last_turns.popitem(last=False)


# Whoever failed has no other turn for so long; whoever got nowhere has none until woken.
REST = 5.0

logger = logging.getLogger(__name__)
_state = threading.Condition()
_closed = threading.Event()


@dataclass(eq=False)
class Queue(Generic[Key]):
    """The keys that have something due (leagues, mostly), and what one turn of a key does.

    `take_turn` returns whether it got anywhere.
    `threads` of a process work at it, at most `most_at_once` of them for one key, with a `pause` of
    seconds after each turn.
    """

    name: str
    keys_due: Callable[[], Iterable[Key]]
    take_turn: Callable[[Key], object]
    threads: int = 1
    most_at_once: int = 1
    pause: float = 0.0
    round_robin: RoundRobin[Key] = field(init=False)
    running: int = 0
    calls: int = 0

    def __post_init__(self) -> None:
        self.round_robin = RoundRobin(self.most_at_once)


def wake(queue: Queue[Any]) -> None:
    """Have the queue look at what is due; at once and in this thread where tasks are done so."""
    with _state:
        queue.calls += 1
        queue.round_robin.wake()
    if not current_app.conf.task_always_eager:
        _start(queue)
        return
    while _took_turn(queue):
        pass


def start() -> None:
    """Let queues take turns in this process, as they do from the beginning."""
    _closed.clear()


def finish(queues: Iterable[Queue[Any]], seconds: float) -> bool:
    """Let no queue begin another turn; tell whether all that were begun have ended in time."""
    known = list(queues)
    _closed.set()
    with _state:
        return _state.wait_for(lambda: not any(each.running for each in known), seconds)


def _start(queue: Queue[Any]) -> None:
    with _state:
        if _closed.is_set() or queue.running >= queue.threads:
            return
        queue.running += 1
    threading.Thread(target=_run, args=(queue,), name=queue.name, daemon=True).start()


def _run(queue: Queue[Any]) -> None:
    """Take turns until nobody has called since the last look, which found nothing."""
    heard = -1
    while _goes_on(queue, heard):
        heard = queue.calls
        try:
            while not _closed.is_set() and _took_turn(queue, with_helpers=True):
                pass
        except Exception:
            # The database is away, say: the next sweep calls again.
            logger.exception("The queue %s stands still until it is called again.", queue.name)
        finally:
            connections.close_all()


def _goes_on(queue: Queue[Any], heard: int) -> bool:
    """Tell whether there is more to do; where there is not, the thread counts as ended."""
    with _state:
        if not _closed.is_set() and queue.calls != heard:
            return True
        queue.running -= 1
        _state.notify_all()
        return False


def _took_turn(queue: Queue[Any], *, with_helpers: bool = False) -> bool:
    """Take one turn, while another thread sees to whoever else waits; tell whether anybody did."""
    heard = queue.calls
    key = queue.round_robin.begin(queue.keys_due())
    if key is None:
        return False
    if with_helpers:
        _start(queue)
    rest, without_result = queue.pause, False
    try:
        without_result = not queue.take_turn(key)
    except Exception:
        logger.exception("The queue %s failed at %s.", queue.name, key)
        rest = max(REST, queue.pause)
    finally:
        with _state:
            # Who called meanwhile may have left something after the look.
            idle = without_result and queue.calls == heard
            queue.round_robin.end(key, rest=rest, without_result=idle)
    return True


DUE: dict[str, Manager[Any]] = {
    "closings": ClosingJob.objects,
    "letters": OutgoingMail.objects,
    "pushes": Push.objects,
}


@dataclass(frozen=True, slots=True)
class QueueDepth:
    """How many rows are due, and for how many seconds the oldest of them has been."""

    name: str
    waiting: int
    seconds: float


def queue_depths() -> Iterator[QueueDepth]:
    """Yield every queue; one query each, along an index of what is not done."""
    now = timezone.now()
    yield _depth("stats", StaleMark.objects.aggregate(n=Count("pk"), since=Min("made_at")), now)
    for name, rows in DUE.items():
        due = rows.filter(done_at=None, due_at__lte=now)
        yield _depth(name, due.aggregate(n=Count("pk"), since=Min("due_at")), now)
    yield _depth(
        "deliveries", _deliveries(now).aggregate(n=Count("pk"), since=Min("free_since")), now
    )


def _deliveries(now: datetime) -> QuerySet[Delivery]:
    """Return those that wait for a worker, and since when.

    Not for a receiver: how long one takes for each call, or is left alone, is its league's affair.
    """
    rows = Delivery.objects.filter(done_at=None, due_at__lte=now)
    since = [Coalesce(F(f"webhook__{name}"), F("due_at")) for name in ("called_at", "resumes_at")]
    return rows.annotate(free_since=Greatest(F("due_at"), *since)).filter(free_since__lte=now)


def _depth(name: str, found: dict[str, object], now: datetime) -> QueueDepth:
    since = found["since"]
    seconds = (now - since).total_seconds() if isinstance(since, datetime) else 0.0
    return QueueDepth(name, int(str(found["n"])), max(0.0, seconds))
