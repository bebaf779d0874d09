"""Faults between any two statements of a request or a job, armed in advance.

`Killed` simulates the end of the process. It passes through every `except Exception`, and none of
the later statements reach the database, as after a real kill. On PostgreSQL, rejected statements
are errors from the database itself, so the transaction is really aborted. SQLite can't produce such
errors on demand, so they are raised here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db import connection
from django.db.utils import InterfaceError, OperationalError

from tests.simulation.nature import Clock

MOST_STATEMENTS = 45
MOST_COMMITS = 3


class Killed(BaseException):
    """Raised when the process is killed."""


@dataclass(frozen=True)
class Fault:
    """A kind of fault, and the statement or commit at which it happens, counted from 0."""

    kind: str
    at: int

    def __str__(self) -> str:
        return f"{self.kind} at {self.at}"


AT_STATEMENTS = ("killed", "connection lost", "locked", "disk full", "not serializable")
AT_COMMITS = (
    "killed before commit",
    "killed after commit",
    "answer of commit lost",
    "disk full at commit",
)
TEXTS = {
    "connection lost": "server closed the connection unexpectedly",
    "locked": "database is locked",
    "disk full": "database or disk is full",
    "not serializable": "could not serialize access due to concurrent update",
}
# Appendix A of the PostgreSQL manual: lock_not_available, disk_full, serialization_failure.
CODES = {"locked": "55P03", "disk full": "53100", "not serializable": "40001"}
GONE = (Killed, InterfaceError)


def any_fault(chance: Random) -> Fault:
    """Return a random fault."""
    if chance.random() < 0.5:
        # Most requests run few statements, so early statements are chosen more often.
        at = min(chance.randrange(MOST_STATEMENTS), chance.randrange(MOST_STATEMENTS))
        return Fault(chance.choice(AT_STATEMENTS), at)
    # Most requests commit once.
    at = min(chance.randrange(MOST_COMMITS), chance.randrange(MOST_COMMITS))
    return Fault(chance.choice(AT_COMMITS), at)


class Database:
    """This thread's database connection. Statements and commits are counted and may fail."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.fault: Fault | None = None
        self.statements = self.commits = 0
        self.struck = self.is_gone = False
        self.all_statements = self.all_struck = 0

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Intercept all statements inside the block."""
        commit: Callable[[], None] = connection._commit
        connection._commit = lambda: self._commit(commit)  # type: ignore[method-assign]
        with connection.execute_wrapper(self._execute):
            try:
                yield
            finally:
                del connection._commit

    @contextmanager
    def may_fail(self, fault: Fault | None) -> Iterator[None]:
        """Arm the fault for the statements inside the block."""
        self.fault, self.statements, self.commits = fault, 0, 0
        self.struck = self.is_gone = False
        try:
            yield
        finally:
            self.all_struck += self.struck
            if self.struck:
                connection.close()
                connection.needs_rollback = False
            self.fault, self.is_gone = None, False

    def _execute(self, execute: Any, sql: str, values: Any, many: bool, context: Any) -> Any:
        if self.is_gone:
            raise Killed
        number, fault = self.statements, self.fault
        self.statements += 1
        self.all_statements += 1
        if fault and not self.struck and fault.at == number and fault.kind in AT_STATEMENTS:
            self._strike(fault.kind)
        return execute(self.clock.with_time(sql), values, many, context)

    def _strike(self, kind: str) -> None:
        """Make the statement that is about to be sent fail."""
        if kind == "killed":
            self._end()
        self.struck = True
        if kind == "connection lost" and connection.connection is not None:
            connection.connection.close()
        elif kind in CODES and connection.vendor == "postgresql":
            refusal = f"DO $$ BEGIN RAISE '{TEXTS[kind]}' USING ERRCODE = '{CODES[kind]}'; END $$"
            with connection.wrap_database_errors:
                connection.connection.execute(refusal)
        raise OperationalError(TEXTS[kind])

    def _commit(self, commit: Callable[[], None]) -> None:
        number, fault = self.commits, self.fault
        self.commits += 1
        if self.is_gone:
            raise Killed
        if fault is None or fault.at != number or self.struck or fault.kind not in AT_COMMITS:
            commit()
            return
        if fault.kind == "killed before commit":
            self._end()
        if fault.kind != "disk full at commit":
            commit()
        if fault.kind == "killed after commit":
            self._end()
        self.struck = True
        if fault.kind == "disk full at commit":
            raise OperationalError(TEXTS["disk full"])
        connection.connection.close()
        raise OperationalError(TEXTS["connection lost"])

    def _end(self) -> None:
        self.struck = self.is_gone = True
        raise Killed
