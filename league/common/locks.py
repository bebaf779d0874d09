"""Locks between processes that last until the transaction ends."""

from django.db import connection


def try_lock(first: int, second: int) -> bool:
    """Take the lock with this key of two 32-bit numbers if it is free. Return whether it was taken.

    SQLite allows one writing transaction at a time, so the lock is always free there.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [first, second])
        return bool(cursor.fetchone()[0])
