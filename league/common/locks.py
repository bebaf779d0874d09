"""Locks between processes that last until the transaction ends."""

from django.db import connection


def try_lock(first: int, second: int) -> bool:
    """Take the lock if it is free, and return whether it was taken.

    The key of the lock consists of two 32-bit numbers. SQLite allows only one writing transaction
    at a time, so the lock is always free there.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [first, second])
        return bool(cursor.fetchone()[0])
