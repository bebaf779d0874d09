"""When a message is sent again, and how long a silent receiver is left alone.

Messages wait longer after each try, as in `WAITS`, and are given up after the last. A receiver that
doesn't answer has a pause of its own.
"""

import random
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

# The example schedule of the specification, after the first try at once: 75 hours and a half.
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
FIRST_REST = timedelta(seconds=15)
# A receiver that works again is called within this time.
LONGEST_REST = timedelta(hours=1)
# The longest Retry-After that is respected.
LONGEST_RETRY_AFTER = timedelta(hours=24)
# Too many requests, and the answers of overloaded servers.
THROTTLED = frozenset({429, 502, 503, 504})


def wait_after(tries: int) -> timedelta:
    """Return how long a message waits after this many tries: longer each time, and spread.

    Receivers that went down together must not all be called at the same moment.
    """
    return _spread(WAITS[min(tries, len(WAITS)) - 1])


def rest_after(failures: int) -> timedelta:
    """Return how long a receiver rests that was silent this many times in a row."""
    return _spread(min(FIRST_REST * 3 ** (min(failures, 10) - 1), LONGEST_REST))


def retry_after(header: str | None, now: datetime) -> float:
    """Return the seconds that the header asks for (RFC 9110, 10.2.3); 0 for none, bounded."""
    text = (header or "").strip()
    if text.isascii() and text.isdecimal():
        seconds = float(text[:10])
    else:
        try:
            when = parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return 0.0
        # "-0000" leaves the date without a zone: it is meant in UTC.
        seconds = ((when if when.tzinfo else when.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(0.0, seconds), LONGEST_RETRY_AFTER.total_seconds())


def _spread(usual: timedelta) -> timedelta:
    return usual * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311 (no secret)
