"""Heartbeats from Celery's scheduler and worker, sent by their main loops."""

import time
from typing import Any

from celery import beat, bootsteps

from league.jobs import last_runs
from league.jobs.last_runs import Process

EVERY = last_runs.EVERY.total_seconds()


class Scheduler(beat.Scheduler):
    """A scheduler that keeps its state in memory rather than in a file, and sends a heartbeat."""

    next_heartbeat = 0.0

    def tick(self, *args: Any, **options: Any) -> float:
        if time.monotonic() >= self.next_heartbeat:
            self.next_heartbeat = time.monotonic() + EVERY
            last_runs.beat(Process.SCHEDULER)
        return float(super().tick(*args, **options))


class WorkerHeartbeat(bootsteps.StartStopStep):
    """Sends heartbeats using a timer in the worker's main process."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.entry: Any = None

    def start(self, worker: Any) -> None:
        last_runs.beat(Process.WORKER)
        self.entry = worker.timer.call_repeatedly(EVERY, last_runs.beat, (Process.WORKER,))

    def stop(self, worker: Any) -> None:
        if self.entry is not None:
            self.entry.cancel()
            self.entry = None
