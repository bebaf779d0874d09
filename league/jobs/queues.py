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
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from celery import current_app
from django.db import connections

from league.jobs.round_robin import RoundRobin

# Whoever failed has no other turn for so long; whoever got nowhere has none until woken.
REST = 5.0

Key = TypeVar("Key", bound=Hashable)
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
