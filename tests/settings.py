"""Settings for the tests: the service's own, with a separate database and queue per run."""

import atexit
import os
import tempfile
from pathlib import Path

os.environ.setdefault("SECRET_KEY", "only-for-tests")
# processes started by tests should not create demo leagues
os.environ.setdefault("DEMO_READY", "0")

from config.settings import *  # noqa: F403
from config.settings import CACHES, DATABASES

_scratch = tempfile.TemporaryDirectory()
atexit.register(_scratch.cleanup)
BACKUP_DIR = Path(_scratch.name) / "backups"
_run = f"dealers_choice_{os.getpid()}"

# A file, as in production, because in-memory databases support neither WAL nor two connections.
DATABASES["default"]["TEST"] = {
    "NAME": Path(_scratch.name) / "test.sqlite3"
    if DATABASES["default"]["ENGINE"].endswith("sqlite3")
    else f"test_{_run}"
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # The data is deleted after the run, so writes need not wait for the disk.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous = OFF;"
    DATABASES["default"]["ENGINE"] = "tests.sqlite3"
if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    DATABASES["default"]["ENGINE"] = "tests.postgres"
if CACHES["default"]["BACKEND"].endswith("RedisCache"):
    CACHES["default"]["BACKEND"] = "tests.helpers.redis_cache.RedisCache"
CACHES["default"]["KEY_PREFIX"] = _run
CELERY_TASK_DEFAULT_QUEUE = _run

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Tests send more requests than the rate limits allow. Tests of rate limits set their own.
PAGE_RATES = {"account": "100000/min", "address": "100000/min"}
API_RATES = {"caller": "100000/min", "address": "100000/min", "settle": "100000/min"}

# Each test client rebuilds the middleware, so static files are looked up on demand.
WHITENOISE_AUTOREFRESH = True

# Tests sign in more often than the limits allow, and read the e-mails that are sent.
ACCOUNT_RATE_LIMITS = dict.fromkeys(("login", "signup", "reset_password", "manage_email"))
