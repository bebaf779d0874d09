"""Where feeds are read: from a replica, where there is one; whatever else, from its source.

A replica is behind, and repeats commits in their order; those of a league come one after another.
So what it shows of a league is what stood there some moments ago: no cursor skips a row by it, and
an ETag that is read before the rows, from the same place, is never newer than they are.
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
    """Return whether there is a replica."""
    return REPLICA in settings.DATABASES


def is_read() -> bool:
    """Return whether reads use the replica now."""
    return _reads_replica.get()


@contextmanager
def reading(*, replica: bool = True) -> Iterator[None]:
    """Read from the replica inside the block."""
    before = _reads_replica.set(replica)
    try:
        yield
    finally:
        _reads_replica.reset(before)


def staying(rows: Iterator[T]) -> Iterator[T]:
    """Return an iterator that is gone through later, and reads then where we are reading now."""
    return _rows(rows, replica=is_read())


def _rows(rows: Iterator[T], *, replica: bool) -> Iterator[T]:
    while True:
        with reading(replica=replica):
            try:
                row = next(rows)
            except StopIteration:
                return
        yield row


class Router:
    """Sends to the replica what is read inside of `reading`, and nothing else."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return REPLICA if is_read() else SOURCE

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return SOURCE

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == SOURCE
