"""What gunicorn is told besides its command line; it reads this file by itself."""

import gc
import os
from pathlib import Path
from typing import Any

from config.environment import read_or_leave
from config.logs import configuration

_env = read_or_leave(os.environ)
_metrics = _env["PROMETHEUS_MULTIPROC_DIR"]

# Loaded once for all workers: they share its memory, and one that died is back at once.
preload_app = True
logconfig_dict = configuration(form=_env["LOG_FORMAT"], level=_env["LOG_LEVEL"])


def on_starting(_server: Any) -> None:
    """Begin with empty files of measures: those of an earlier run count nobody's work."""
    if _metrics:
        for left in Path(_metrics).glob("*.db"):
            left.unlink()


def when_ready(_server: Any) -> None:
    """Prepare what every worker is a copy of, before the first of them.

    What was loaded goes out of the collector's sight: walking it took 0.1 s now and then. No
    connection may be open: two that write to one would mix up its answers.
    """
    from django.db import connections  # noqa: PLC0415 (the service is loaded by now)
    from django.template.loader import get_template  # noqa: PLC0415
    from django.urls import get_resolver  # noqa: PLC0415

    from rules.ranking import SCALES, table  # noqa: PLC0415

    _ = get_resolver().url_patterns  # else the first request loads every view
    table(SCALES["high"], 5)  # else the first page of hands to remember makes it, most of 0.2 s
    for page in ("season", "player", "game", "memories"):
        get_template(f"season/{page}.html")
    connections.close_all()
    gc.collect()
    gc.freeze()


def child_exit(_server: Any, worker: Any) -> None:
    """Let go of the measures of a worker that has ended; its counts stay in the sums."""
    if _metrics:
        from prometheus_client import multiprocess  # noqa: PLC0415 (it wants the folder)

        multiprocess.mark_process_dead(worker.pid)
