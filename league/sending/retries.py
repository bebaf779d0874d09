"""When messages are sent again, and how long unresponsive receivers are paused.

Messages wait longer after each attempt, as listed in `WAITS`, and fail for good after the last
attempt. A receiver that doesn't respond is also paused.
"""

import random
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

# The delays after the first attempt, from the example schedule of Standard Webhooks. They add up to
# 75.5 hours.
WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
MOST_TRIES = len(WAITS) + 1
SPREAD = 0.2
FIRST_PAUSE = timedelta(seconds=15)
# Once a receiver works again, it is called within this time.
LONGEST_PAUSE = timedelta(hours=1)
# The longest Retry-After that is accepted.
LONGEST_RETRY_AFTER = timedelta(hours=24)
# Status codes for too many requests and overloaded servers.
THROTTLED = frozenset({429, 502, 503, 504})


def wait_after(tries: int) -> timedelta:
    """Return how long a message waits after `tries` attempts.

    Each wait is longer than the last and is randomized, so receivers that failed together are not
    all called at the same moment.
    """
    return _spread(WAITS[min(tries, len(WAITS)) - 1])


def pause_after(failures: int) -> timedelta:
    """Return how long a receiver is paused after `failures` consecutive failures."""
    return _spread(min(FIRST_PAUSE * 3 ** (min(failures, 10) - 1), LONGEST_PAUSE))


def retry_after(header: str | None, now: datetime) -> float:
    """Return the seconds in a Retry-After header (RFC 9110, 10.2.3), up to the limit, or 0."""
    text = (header or "").strip()
    if text.isascii() and text.isdecimal():
        seconds = float(text[:10])
    else:
        try:
            when = parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return 0.0
        # "-0000" means UTC, but the parser returns a date without a time zone.
        seconds = ((when if when.tzinfo else when.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(0.0, seconds), LONGEST_RETRY_AFTER.total_seconds())


def _spread(usual: timedelta) -> timedelta:
    return usual * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311 (not for security)
