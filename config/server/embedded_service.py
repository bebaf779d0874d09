"""Runs the worker and the scheduler as threads of this process.

Each is a context manager that runs it inside the block and stops it afterwards.
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
# Together with the web server's timeouts, these add up to less than the five seconds in which the
# service must
# stop.
LAST_TURNS_SECONDS = 2
LAST_TASK_SECONDS = 0.5


@contextmanager
def worker() -> Iterator[None]:
    """Run the Celery worker, whose tasks wake the queues. The queues have their own threads."""
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
        raise TimeoutError("The worker did not start: is the broker running?")
    try:
        yield
    finally:
        # A message stops the worker immediately. The worker would notice a flag only after its next
        # poll.
        app.control.shutdown(destination=[name])
        queues.finish(QUEUES, LAST_TURNS_SECONDS)
        thread.join(LAST_TASK_SECONDS)


@contextmanager
def scheduler() -> Iterator[None]:
    """Run the scheduler, which sends tasks when they are due."""
    beat = Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler)
    threading.Thread(target=beat.start, name="scheduler", daemon=True).start()
    try:
        yield
    finally:
        # Don't wait: the scheduler sleeps for up to a second and has nothing to save.
        beat.stop(wait=False)
