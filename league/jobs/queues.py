"""Background queues that keep kinds of work and leagues from delaying each other.

Due work is stored in tables. A queue is such a table with a limited number of threads in each
worker process. A task only wakes its queue and then ends, so a slow job, such as a receiver that
never responds, does not block the tasks behind it. Within a queue, leagues take turns
(`RoundRobin`): a league with a lot of work delays every other league by at most one turn. A queue
keeps only the order of turns in memory. The process can be killed at any point, because the next
sweep finds due work again, and interrupted work is found when its lease expires.
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
from django.db import connections, transaction
from django.db.models import Count, F, Manager, Min
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone
from kombu.exceptions import OperationalError

from league.models import ClosingJob, Delivery, OutgoingMail, PushMessage, StaleMark

# The oldest keys are dropped. A dropped key is treated like a key that has never had a turn.
MOST_REMEMBERED = 10_000

Key = TypeVar("Key", bound=Hashable)


@dataclass(eq=False)
class RoundRobin(Generic[Key]):
    """The turns of one queue in this process, with at most `most_at_once` turns per key."""

    most_at_once: int = 1
    _turns_given: int = 0
    _last_turns: OrderedDict[Key, int] = field(default_factory=OrderedDict)
    _running: Counter[Key] = field(default_factory=Counter)
    _resting_until: dict[Key, float] = field(default_factory=dict)
    _without_result: set[Key] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, waiting: Iterable[Key]) -> Key | None:
        """Give a turn to the waiting key that has waited longest since its last turn.

        If keys tie, the first key gets the turn. Return the key, or None if no key may have a turn.
        """
        with self._lock:
            free = [key for key in waiting if self._may_begin(key)]
            if not free:
                return None
            chosen = min(free, key=lambda key: self._last_turns.get(key, 0))
            self._turns_given += 1
            self._last_turns[chosen] = self._turns_given
            self._last_turns.move_to_end(chosen)
            if len(self._last_turns) > MOST_REMEMBERED:
                self._last_turns.popitem(last=False)
            self._running[chosen] += 1
            return chosen

    def end(self, key: Key, *, rest: float = 0.0, without_result: bool = False) -> None:
        """End the turn. The key gets no other turn for `rest` seconds.

        A key without a result gets no turn until `wake` is called, unless another thread is working
        on the key. That thread may be the reason, and may leave work to do. For example, if two
        threads serve a league with one webhook, only one of them can call the webhook.
        """
        with self._lock:
            self._running[key] -= 1
            if without_result and not self._running[key]:
                self._without_result.add(key)
            self._running += Counter()  # drops keys with a count of 0
            if rest:
                now = time.monotonic()
                self._resting_until = {
                    each: until for each, until in self._resting_until.items() if until > now
                }
                self._resting_until[key] = now + rest

    def wake(self) -> None:
        """Allow turns for keys without a result again, because there may be new work."""
        with self._lock:
            self._without_result.clear()

    def _may_begin(self, key: Key) -> bool:
        if key in self._without_result:
            return False
        return (
            self._running[key] < self.most_at_once
            and self._resting_until.get(key, 0.0) <= time.monotonic()
        )


# Number of seconds that a key rests after a failure. A key without a result waits until the queue
# wakes.
REST = 5.0

logger = logging.getLogger(__name__)
_state = threading.Condition()
_closed = threading.Event()


@dataclass(eq=False)
class Queue(Generic[Key]):
    """A queue.

    `keys_due` returns the keys with due work, mostly leagues. `take_turn` does work for a key and
    returns whether there was progress. In each process, at most `threads` threads work on the
    queue, and at most `most_at_once` threads work on the same key. `pause` is a pause in seconds
    after each turn. `running` is the number of the queue's threads, and `wake_ups` is how often
    the queue was woken.
    """

    name: str
    keys_due: Callable[[], Iterable[Key]]
    take_turn: Callable[[Key], object]
    threads: int = 1
    most_at_once: int = 1
    pause: float = 0.0
    round_robin: RoundRobin[Key] = field(init=False)
    running: int = 0
    wake_ups: int = 0

    def __post_init__(self) -> None:
        self.round_robin = RoundRobin(self.most_at_once)

    def has_more(self, seen: int) -> bool:
        """Return whether there is more work. If not, mark the thread as finished."""
        with _state:
            if not _closed.is_set() and self.wake_ups != seen:
                return True
            self.running -= 1
            _state.notify_all()
            return False


def wake(queue: Queue[Any]) -> None:
    """Check for due work in a thread, or in the current one if tasks run eagerly."""
    with _state:
        queue.wake_ups += 1
        queue.round_robin.wake()
    if not current_app.conf.task_always_eager:
        _start(queue)
        return
    while _run_turn(queue):
        pass


def start() -> None:
    """Allow queues to take turns in this process, which is the default."""
    _closed.clear()


def finish(queues: Iterable[Queue[Any]], seconds: float) -> bool:
    """Stop new turns. Return whether all running turns ended within `seconds`."""
    all_queues = list(queues)
    _closed.set()
    with _state:
        return _state.wait_for(lambda: not any(each.running for each in all_queues), seconds)


def _start(queue: Queue[Any]) -> None:
    with _state:
        if _closed.is_set() or queue.running >= queue.threads:
            return
        queue.running += 1
    threading.Thread(target=_run, args=(queue,), name=queue.name, daemon=True).start()


def _run(queue: Queue[Any]) -> None:
    """Run turns of the queue until none is due and no wake-up came since the last check."""
    seen = -1
    while queue.has_more(seen):
        seen = queue.wake_ups
        try:
            while not _closed.is_set() and _run_turn(queue, with_helpers=True):
                pass
        except Exception:
            # The database may be unavailable, for example. The next sweep wakes the queue again.
            logger.exception("The queue %s stopped until its next wake-up.", queue.name)
        finally:
            connections.close_all()


def _run_turn(queue: Queue[Any], *, with_helpers: bool = False) -> bool:
    """Take one turn. If `with_helpers` is true, start another thread for the other keys.

    Return whether a turn was taken.
    """
    seen = queue.wake_ups
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
            # If the queue was woken during the turn, there may be new work.
            idle = without_result and queue.wake_ups == seen
            queue.round_robin.end(key, rest=rest, without_result=idle)
    return True


# --- waking workers -------------------------------------------------------------------------------


def send_task_on_commit(task: str, *args: str, countdown: float = 0) -> None:
    """Send a task `countdown` seconds after the transaction is committed.

    Equal calls in one transaction send a single task. If the broker is unavailable or the task is
    lost, the next sweep does its work.
    """
    call = _TaskCall(task, args, countdown)
    # Calls registered in a savepoint are removed from the list if it is rolled back.
    if call not in [waiting for _, waiting, _ in transaction.get_connection().run_on_commit]:
        transaction.on_commit(call)


@dataclass(frozen=True, slots=True)
class _TaskCall:
    task: str
    args: tuple[str, ...]
    countdown: float

    def __call__(self) -> None:
        try:
            current_app.send_task(self.task, args=self.args, countdown=self.countdown)
        except OperationalError:
            logger.warning("The broker is unavailable: %s waits for the next sweep.", self.task)


# --- queue depths ---------------------------------------------------------------------------------

# These are metric labels. They keep their old names when a queue is renamed.
DUE: dict[str, Manager[Any]] = {
    "closings": ClosingJob.objects,
    "letters": OutgoingMail.objects,
    "pushes": PushMessage.objects,
}


@dataclass(frozen=True, slots=True)
class QueueDepth:
    """The number of due rows, and how many seconds the oldest row has been due."""

    name: str
    waiting: int
    seconds: float


def queue_depths() -> Iterator[QueueDepth]:
    """Yield every queue's depth, with one query each on an index of unfinished rows."""
    now = timezone.now()
    yield _depth("stats", StaleMark.objects.aggregate(n=Count("pk"), since=Min("made_at")), now)
    for name, rows in DUE.items():
        due = rows.filter(done_at=None, due_at__lte=now)
        yield _depth(name, due.aggregate(n=Count("pk"), since=Min("due_at")), now)
    # Deliveries that are waiting for a slow or paused receiver are excluded, because they concern
    # only one league.
    since = [Coalesce(F(f"webhook__{name}"), F("due_at")) for name in ("called_at", "resumes_at")]
    deliveries = Delivery.objects.filter(done_at=None, due_at__lte=now)
    deliveries = deliveries.annotate(free_since=Greatest(F("due_at"), *since))
    free = deliveries.filter(free_since__lte=now)
    yield _depth("deliveries", free.aggregate(n=Count("pk"), since=Min("free_since")), now)


def _depth(name: str, row: dict[str, object], now: datetime) -> QueueDepth:
    since = row["since"]
    seconds = (now - since).total_seconds() if isinstance(since, datetime) else 0.0
    return QueueDepth(name, int(str(row["n"])), max(0.0, seconds))
