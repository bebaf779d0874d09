"""The number of examples in a property test."""

import os

ON_A_SERVER = os.environ.get("DATABASE_URL", "").startswith("postgres")
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "short")
# `make test-quick`, the default run, and the scheduled run (`make test-long`).
PARTS = {"quick": 0.1, "short": 0.2, "long": 2.0}
PART_ON_A_SERVER = 0.25


def examples(number: int) -> int:
    """Return the number of examples for this run, as a fraction of a thorough search.

    The search does not depend on the database. On PostgreSQL, fewer examples are enough to show
    that its statements, totals and locks give the same results.
    """
    part = PARTS[PROFILE] * (PART_ON_A_SERVER if ON_A_SERVER else 1)
    return max(1, round(number * part))
