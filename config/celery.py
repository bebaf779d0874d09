"""The Celery application, for a single process as well as for many machines.

The schedule is in `config/settings.py` (CELERY_BEAT_SCHEDULE), the daily jobs in `config/tasks.py`.
"""

import os
from typing import Any

from celery import Celery, signals

from config.observability import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Longer than a webhook call's timeout, and shorter than a container's grace period.
LAST_TURNS_SECONDS = 20.0

app = Celery("dealers_choice")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Web server threads that send tasks must also use this application.
app.set_default()
app.steps["worker"].add("config.heartbeats:WorkerHeartbeat")

signals.setup_logging.connect(logs.keep_logging_configuration)
signals.before_task_publish.connect(logs.note_publish)
signals.task_prerun.connect(logs.note_task)
signals.task_postrun.connect(logs.forget)


def _preload(sender: Any, **_: object) -> None:
    """Handle worker_init: load data that tasks need before the worker forks.

    The forked processes share this memory, so tasks need not wait for tables to be built. The
    worker inside `serve` does not fork, so loading would only delay its start.
    """
    if sender.pool_cls == "solo":
        return
    from django.db import connections  # noqa: PLC0415 (the settings are read by then)

    from config.server.preload import freeze_loaded_objects  # noqa: PLC0415

    freeze_loaded_objects()
    # Processes that share a connection would read each other's results.
    connections.close_all()


def _finish_queues(**_: object) -> None:
    """Handle worker_process_shutdown: finish work in progress during a warm shutdown."""
    from league.jobs import queues  # noqa: PLC0415 (the settings are read by then)
    from league.tasks import QUEUES  # noqa: PLC0415

    queues.finish(QUEUES, LAST_TURNS_SECONDS)


signals.worker_init.connect(_preload)
signals.worker_process_shutdown.connect(_finish_queues)
