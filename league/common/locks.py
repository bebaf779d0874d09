"""Locks that last until the transaction ends."""

from uuid import UUID

from django.db import connection

from league.models import League


def lock_league(league_id: UUID) -> League:
    """Lock the league, and return it as it is then, with its book. Call this before counting rows.

    Lock order: nights, league, then its invitations, keys and webhooks, the book and the journal.
    """
    rows = League.objects.select_for_update(of=("self",), no_key=True).select_related("book")
    return rows.get(pk=league_id)


def try_lock(first: int, second: int) -> bool:
    """Take the lock between processes if it is free, and return whether it was taken.

    The key of the lock consists of two 32-bit numbers. SQLite allows only one writing transaction
    at a time, so the lock is always free there.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [first, second])
        return bool(cursor.fetchone()[0])
