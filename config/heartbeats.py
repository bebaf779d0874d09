"""Celery's scheduler and worker report that they run, from the loops that do their work."""

import time
from typing import Any

from celery import beat, bootsteps

from league.jobs import leases
from league.jobs.leases import Process

EVERY = leases.EVERY.total_seconds()


class Scheduler(beat.Scheduler):
    """Keeps its times in memory, and leaves no file behind."""

    next_heartbeat = 0.0

    def tick(self, *args: Any, **options: Any) -> float:
        if time.monotonic() >= self.next_heartbeat:
            self.next_heartbeat = time.monotonic() + EVERY
            leases.beat(Process.SCHEDULER)
        return float(super().tick(*args, **options))


class WorkerHeartbeat(bootsteps.StartStopStep):
    """Reports from the timer of the worker's main process."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.entry: Any = None

    def start(self, worker: Any) -> None:
        leases.beat(Process.WORKER)
        self.entry = worker.timer.call_repeatedly(EVERY, leases.beat, (Process.WORKER,))

    def stop(self, worker: Any) -> None:
        if self.entry is not None:
            self.entry.cancel()
            self.entry = None
