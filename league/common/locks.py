"""Locks that several processes see, until a transaction ends."""

from django.db import connection


def try_lock(first: int, second: int) -> bool:
    """Take the lock of these two 32-bit numbers unless somebody has it; say whether it was taken.

    SQLite lets one transaction write at a time, and nobody else has it there.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [first, second])
        return bool(cursor.fetchone()[0])
