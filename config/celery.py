"""The Celery application, the same in one process or on many machines."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("dealers_choice")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A thread of the web server that sends a task must find this application too.
app.set_default()
