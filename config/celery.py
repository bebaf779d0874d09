"""The Celery application, the same in one process or on many machines."""

import os

from celery import Celery, signals

from config import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("dealers_choice")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A thread of the web server that sends a task must find this application too.
app.set_default()

signals.setup_logging.connect(logs.keep_celery_in_line)
signals.before_task_publish.connect(logs.note_publish)
signals.task_prerun.connect(logs.note_task)
signals.task_postrun.connect(logs.forget)
