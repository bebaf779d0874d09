"""The worker and the scheduler in this process, each in a thread.

Each is a context manager: it is at work inside the block and has ended after it.
"""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery.beat import Service
from celery.worker import WorkController

from config.celery import app
from league.jobs import queues
from league.tasks import QUEUES

START_SECONDS = 20.0
# With those of the web server less than the five seconds in which the service must have ended.
LAST_TURNS_SECONDS = 2
LAST_TASK_SECONDS = 0.5


@contextmanager
def worker() -> Iterator[None]:
    """Do the tasks that are sent, which wake the queues; these have threads of their own."""
    queues.start()
    ready = threading.Event()
    name = f"embedded-{os.getpid()}@{socket.gethostname()}"
    controller = WorkController(
        app=app,
        hostname=name,
        pool="solo",
        concurrency=1,
        ready_callback=lambda _consumer: ready.set(),
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    thread = threading.Thread(target=controller.start, name="worker", daemon=True)
    thread.start()
    if not ready.wait(START_SECONDS):
        raise TimeoutError("The worker did not start: is the broker there?")
    try:
        yield
    finally:
        # A message wakes the worker at once, where a flag would be seen after its next poll.
        app.control.shutdown(destination=[name])
        queues.finish(QUEUES, LAST_TURNS_SECONDS)
        thread.join(LAST_TASK_SECONDS)


@contextmanager
def scheduler() -> Iterator[None]:
    """Send the tasks that are due."""
    beat = Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler)
    threading.Thread(target=beat.start, name="scheduler", daemon=True).start()
    try:
        yield
    finally:
        # Not waited for: it sleeps up to a second and has nothing to lose.
        beat.stop(wait=False)
