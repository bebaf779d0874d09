"""What gunicorn is told besides its command line; it reads this file by itself."""

import os
from pathlib import Path
from typing import Any

from config.environment.reading import read_or_leave
from config.observability.logs import configuration
from config.server.incoming_request import MOST_CONNECTIONS

_env = read_or_leave(os.environ)
_metrics = _env["PROMETHEUS_MULTIPROC_DIR"]

# Loaded once for all workers: they share its memory, and one that died is back at once.
preload_app = True
# A thread is given to a request when all of it is there; whatever the command line says of threads.
worker_class = "config.server.gunicorn_worker.Worker"
worker_connections = MOST_CONNECTIONS
# A phone that asks again keeps its connection; whoever comes when there is no room left ends it.
keepalive = 20
# It sends files past what keeps the rest of an answer for a slow reader.
sendfile = False
logconfig_dict = configuration(form=_env["LOG_FORMAT"], level=_env["LOG_LEVEL"])


def on_starting(_server: Any) -> None:
    """Begin with empty files of measures: those of an earlier run count nobody's work."""
    if _metrics:
        for left in Path(_metrics).glob("*.db"):
            left.unlink()


def when_ready(_server: Any) -> None:
    """Prepare what every worker is a copy of, before the first of them.

    No connection may be open: two that write to one would mix up its answers.
    """
    from django.db import connections  # noqa: PLC0415 (the service is loaded by now)

    from config.server.preload import preload  # noqa: PLC0415

    preload()
    connections.close_all()


def child_exit(_server: Any, worker: Any) -> None:
    """Let go of the measures of a worker that has ended; its counts stay in the sums."""
    if _metrics:
        from prometheus_client import multiprocess  # noqa: PLC0415 (it wants the folder)

        multiprocess.mark_process_dead(worker.pid)
