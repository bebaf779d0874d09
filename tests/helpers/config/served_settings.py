"""The service's own settings, at the addresses of `served` and with a queue of its own."""

import os

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.helpers.config.served_urls"
STREAM_HEARTBEAT_SECONDS = 1.0
CELERY_TASK_DEFAULT_QUEUE = os.environ["SERVED_QUEUE"]
