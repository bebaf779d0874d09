"""Doing what the database refuses, as whoever owns it can."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from league.integrity import triggers
from ledger import guards


@contextmanager
def unguarded() -> Iterator[None]:
    """Do what the guards of the league refuse otherwise."""
    connection.check_constraints()
    guards.remove(connection, triggers.league())
    yield
    connection.check_constraints()
    guards.install(connection, triggers.league())
