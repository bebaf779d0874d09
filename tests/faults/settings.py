"""The service's own settings with shorter waits, so that what comes back after a fault comes soon.

Faults are waited out in seconds here that take minutes in earnest; what happens then is the same.
"""

from datetime import timedelta

from config.settings import *  # noqa: F403
from config.settings import CELERY_BEAT_SCHEDULE, CELERY_BROKER_TRANSPORT_OPTIONS, REDIS_URL

if REDIS_URL:
    CELERY_BROKER_TRANSPORT_OPTIONS |= {"visibility_timeout": 4, "unacked_restore_interval": 1}
for name in ("sweep", "sweep-stats"):
    CELERY_BEAT_SCHEDULE[name]["schedule"] = timedelta(seconds=1)
# What a dead worker held is taken again; `leases_run_out` is for those who wait for nothing else.
STREAM_HEARTBEAT_SECONDS = 1.0
WORK_LEASE = timedelta(seconds=5)
