"""Settings for many short evenings in one process."""

import os

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

# This process has its own database, which `beginning.py` resets for each evening.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["NAME"] = str(DATABASES["default"]["TEST"]["NAME"])
    # If a writer waits in the only thread, it blocks itself.
    DATABASES["default"]["OPTIONS"]["timeout"] = 1
    # A delayed copy (`replica.py`); in production only PostgreSQL has replicas.
    DATABASES["replica"] = {**DATABASES["default"], "TEST": {}}
    DATABASE_ROUTERS = ["api.feeds.replica.Router"]
else:
    DATABASES["default"]["NAME"] = f"simulation_{os.getpid()}"
    DATABASES["default"]["CONN_MAX_AGE"] = None
    # The data is deleted after the run, so writes need not wait for the disk.
    DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_BROKER_URL = "memory://"
EMAIL_BACKEND = "tests.simulation.outside.MailServer"
LOGGING_CONFIG = None
