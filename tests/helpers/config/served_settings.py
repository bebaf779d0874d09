"""The service's settings, with the URLs in `served_urls` and a separate queue."""

import os

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.helpers.config.served_urls"
STREAM_HEARTBEAT_SECONDS = 1.0
CELERY_TASK_DEFAULT_QUEUE = os.environ["SERVED_QUEUE"]
