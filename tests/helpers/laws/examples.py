"""How many examples a law is tried with."""

import os

ON_A_SERVER = os.environ.get("DATABASE_URL", "").startswith("postgres")
FEWER = 4


def examples(number: int) -> int:
    """Return so many on SQLite, and a part of them on PostgreSQL.

    Nothing of the search depends on the database, and SQLite has made it: PostgreSQL shows by fewer
    examples whether its own statements, sums and locks do the same.
    """
    return -(-number // FEWER) if ON_A_SERVER else number
