"""The Celery application, the same in one process or on many machines.

The schedule is in `config/settings.py` (CELERY_BEAT_SCHEDULE), the daily jobs in `config/tasks.py`.
"""

import os
from typing import Any

from celery import Celery, signals

from config.observability import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Longer than a receiver of webhooks may be silent, shorter than containers are waited for.
LAST_TURNS_SECONDS = 20.0

app = Celery("dealers_choice")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A thread of the web server that sends a task must find this application too.
app.set_default()
app.steps["worker"].add("config.heartbeats:WorkerHeartbeat")

signals.setup_logging.connect(logs.keep_celery_in_line)
signals.before_task_publish.connect(logs.note_publish)
signals.task_prerun.connect(logs.note_task)
signals.task_postrun.connect(logs.forget)


def _preload(sender: Any, **_: object) -> None:
    """Receive worker_init: load what tasks need before the worker forks its processes.

    They share its memory, and no task has to wait for the first tables. The worker within `serve`
    does not fork, so loading would only delay its start.
    """
    if sender.pool_cls == "solo":
        return
    from django.db import connections  # noqa: PLC0415 (the settings are read by then)

    from config.server.preload import share_what_is_loaded  # noqa: PLC0415

    share_what_is_loaded()
    # Processes that share a connection would read each other's answers.
    connections.close_all()


def _finish_queues(**_: object) -> None:
    """Receive worker_process_shutdown: finish the work that was begun, in a warm shutdown."""
    from league.jobs import queues  # noqa: PLC0415 (the settings are read by then)
    from league.tasks import QUEUES  # noqa: PLC0415

    queues.finish(QUEUES, LAST_TURNS_SECONDS)


signals.worker_init.connect(_preload)
signals.worker_process_shutdown.connect(_finish_queues)
