"""The service's settings with shorter intervals, so that it recovers within seconds.

In production the same code takes minutes to recover.
"""

from datetime import timedelta

from config.settings import *  # noqa: F403
from config.settings import CELERY_BEAT_SCHEDULE, CELERY_BROKER_TRANSPORT_OPTIONS, REDIS_URL

if REDIS_URL:
    CELERY_BROKER_TRANSPORT_OPTIONS |= {"visibility_timeout": 4, "unacked_restore_interval": 1}
for name in ("sweep", "sweep-stats"):
    CELERY_BEAT_SCHEDULE[name]["schedule"] = timedelta(seconds=1)
# Leases of dead workers expire quickly. Tests that only wait for that call `leases_run_out`.
STREAM_HEARTBEAT_SECONDS = 1.0
WORK_LEASE = timedelta(seconds=5)
