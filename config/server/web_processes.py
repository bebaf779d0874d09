"""Several web processes on one socket, forked from a process that has loaded the service.

They share its memory, and if a process ends, a new fork replaces it. They do not serve streams,
because each process would have separate stream limits and poll for changes separately.
"""

import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path

from django.conf import settings
from django.db import connections
from prometheus_client import multiprocess

from config.server.connections import Listener
from config.server.preload import preload
from config.server.web_server import (
    LAST_REQUESTS_SECONDS,
    Address,
    WebServer,
    address_of,
    listen,
    wait_for_answer,
)
from config.wsgi import application

# A process is replaced if its event loop has not run for this long.
HUNG_SECONDS = 30.0
LOOKS_EVERY = 1.0
logger = logging.getLogger(__name__)
fork = multiprocessing.get_context("fork")


class WebProcess:
    """A forked process that serves until a signal stops it or its parent ends."""

    def __init__(self, listener: Listener, threads: int) -> None:
        # The time when the event loop last ran, from a clock that processes share.
        self._beat = fork.Value("d", time.monotonic(), lock=False)
        self._parent = os.getpid()
        self.process = fork.Process(target=self._serve, args=(listener, threads), name="web")
        self.process.start()

    def is_well(self) -> bool:
        return self.process.is_alive() and time.monotonic() - self._beat.value < HUNG_SECONDS

    def end(self) -> None:
        """Kill the process and remove its gauges. Its counters are kept."""
        self.process.kill()
        self.process.join()
        if settings.METRICS_DIR:
            multiprocess.mark_process_dead(self.process.pid)  # type: ignore[no-untyped-call]

    def _serve(self, listener: Listener, threads: int) -> None:
        signal.set_wakeup_fd(-1)
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, signal.SIG_DFL)
        WebServer(listener, application, threads=threads).run(self._is_wanted)

    def _is_wanted(self) -> bool:
        self._beat.value = time.monotonic()
        return os.getppid() == self._parent


class WebProcesses:
    """The processes that share a listening socket."""

    def __init__(self, listener: Listener, count: int, threads: int) -> None:
        self._listener = listener
        self._threads = threads
        self._processes = [WebProcess(listener, threads) for _ in range(count)]

    def watch(self, end: int) -> None:
        """Replace processes that have ended or hang, until `end` becomes readable."""
        while end not in wait([end, *self._sentinels()], LOOKS_EVERY):
            for place, process in enumerate(self._processes):
                if not process.is_well():
                    logger.warning("A web process ended or hangs, and is replaced.")
                    process.end()
                    time.sleep(0.1)  # limits how fast a process that can't start is restarted
                    self._processes[place] = WebProcess(self._listener, self._threads)

    def stop(self) -> None:
        """Stop the processes, giving running requests time to finish."""
        for process in self._processes:
            process.process.terminate()
        deadline = time.monotonic() + 2 * LAST_REQUESTS_SECONDS
        for process in self._processes:
            process.process.join(max(0.0, deadline - time.monotonic()))
            process.end()

    def _sentinels(self) -> list[int]:
        return [process.process.sentinel for process in self._processes]


@contextmanager
def web_processes(
    host: str, port: int, *, count: int, threads: int
) -> Iterator[tuple[Address, WebProcesses]]:
    """Serve in `count` processes with `threads` threads each."""
    listener = listen(host, port)
    if settings.METRICS_DIR:
        # Files left by an earlier run would add that run's requests to the metrics.
        for file in Path(settings.METRICS_DIR).glob("*.db"):
            file.unlink()
    preload()
    # Processes that share a database connection would read each other's results.
    connections.close_all()
    processes = WebProcesses(listener, count, threads)
    try:
        wait_for_answer(address_of(listener))
        yield address_of(listener), processes
    finally:
        processes.stop()
        listener.close()
