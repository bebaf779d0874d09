"""Reads feeds from the replica, if there is one. Everything else is read from the source.

The replica lags behind the source and repeats its commits in order. The commits for one league are
sequential. The replica therefore shows an earlier state of a league: a cursor does not skip rows,
and if the ETag is read from the replica before the rows, it is never newer than they are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from django.conf import settings

REPLICA = "replica"
SOURCE = "default"
T = TypeVar("T")
_reads_replica: ContextVar[bool] = ContextVar("reads_replica", default=False)


def is_there() -> bool:
    """Return whether a replica is configured."""
    return REPLICA in settings.DATABASES


def is_read() -> bool:
    """Return whether reads currently use the replica."""
    return _reads_replica.get()


@contextmanager
def reading(*, replica: bool = True) -> Iterator[None]:
    """Read from the replica inside the block."""
    before = _reads_replica.set(replica)
    try:
        yield
    finally:
        _reads_replica.reset(before)


def pin_database(rows: Iterator[T]) -> Iterator[T]:
    """Return an iterator that keeps reading from the database in use now."""
    replica = is_read()

    def pinned() -> Iterator[T]:
        while True:
            with reading(replica=replica):
                try:
                    row = next(rows)
                except StopIteration:
                    return
            yield row

    return pinned()


class Router:
    """Routes only reads inside `reading` to the replica."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return REPLICA if is_read() else SOURCE

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return SOURCE

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == SOURCE
