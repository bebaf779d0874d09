"""Queries that are sent over and over: together where there are several, past what costs and helps
nobody.

What Django puts around a cursor (who watches, logs and wraps it) takes longer than most answers of
ours. Here a query goes to the driver straight, and by Django's cursor where anybody watches.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import DEFAULT_DB_ALIAS, InternalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from ledger.sql import Value, filled

if TYPE_CHECKING:
    from ledger.pipeline import Pipeline

Row = tuple[Any, ...]


class Asked:
    """A query that was sent: its rows are waited for when they are wanted."""

    __slots__ = ("found", "line", "sql", "values")

    def __init__(
        self, sql: str, values: Sequence[Any], database: BaseDatabaseWrapper | None = None
    ) -> None:
        # itself: `connection` looks it up at every touch
        database = database or connections[DEFAULT_DB_ALIAS]
        self.sql, self.values = sql, values
        self.found: list[Row] | None = None
        self.line = _line_of(database)
        self.line.take(self)

    def rows(self) -> list[Row]:
        """Return the rows, fetched once."""
        if self.found is None:
            self.line.send()
        if self.found is None:
            raise InternalError("this was not run: a query before it failed")
        return self.found


def ask(sql: str, *values: Value | Sequence[Value]) -> Asked:
    """Send a query as `select` does; inside `pipelined` nothing waits for its answer."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "postgresql":
        return Asked(*filled(sql, values), database)
    lists = [each for each in values if isinstance(each, list | tuple)]
    if any(len(each) != 1 for each in lists):
        several = [list(each) if isinstance(each, tuple) else each for each in values]
        return Asked(sql.replace("IN %s", "= ANY(%s)"), several, database)  # one plan for all
    # of a list PostgreSQL can't know how long it is, and plans anew each time
    single = [each[0] if isinstance(each, list | tuple) else each for each in values]
    return Asked(sql.replace("IN %s", "= %s"), single, database)


def pipelined() -> AbstractContextManager[None]:
    """Send PostgreSQL all that is asked inside together, when the first answer is wanted.

    Each query still runs after the one before, and sees what stands by then: what follows a lock
    sees what its last holder wrote. An error is raised where an answer is wanted, or here. What
    else is sent meanwhile goes after them. No transaction begins or ends inside.
    """
    return _line_of(connections[DEFAULT_DB_ALIAS]).kept_back()


class _Line:
    """What goes to one database: at once."""

    def __init__(self, database: BaseDatabaseWrapper) -> None:
        self.database = database

    def kept_back(self) -> AbstractContextManager[None]:
        """Let what is taken inside wait for the first that wants an answer, where that helps."""
        return nullcontext()

    def take(self, asked: Asked) -> None:
        """Send the query, now or later."""
        database = self.database
        if _is_watched(database):
            with _cursor(database) as cursor:
                cursor.execute(asked.sql, asked.values)
                asked.found = cursor.fetchall() if cursor.description else []
            return
        self.send_all([asked])

    def send(self) -> None:
        """Send what waits."""

    def send_all(self, waiting: list[Asked]) -> None:
        """Send these, on a connection that stands, as Django's cursors do."""
        database = self.database
        database.close_if_health_check_failed()
        database.ensure_connection()
        database.validate_no_broken_transaction()
        with database.wrap_database_errors:
            self.exchange(waiting)

    def exchange(self, waiting: list[Asked]) -> None:
        """Send the queries, and fetch their rows."""
        for each in waiting:
            # SQLite answers at once, and a cursor left open keeps its transaction from ending.
            found = self.database.connection.execute(_with_marks(each.sql), each.values)
            each.found = found.fetchall()


class _PostgresqlLine(_Line):
    """What goes to PostgreSQL: together, where it was asked so."""

    def __init__(self, database: BaseDatabaseWrapper) -> None:
        super().__init__(database)
        self.pipeline: Pipeline | None = None
        self.waiting: list[Asked] = []
        self.keeps_back = self.in_transaction = False

    @contextmanager
    def kept_back(self) -> Iterator[None]:
        if self.keeps_back or _is_watched(self.database):
            yield
            return
        self.keeps_back = True
        try:
            with self.database.execute_wrapper(self._after_what_waits):
                yield
                self.send()
        finally:
            self.keeps_back, self.waiting = False, []

    def take(self, asked: Asked) -> None:
        if not self.keeps_back:
            super().take(asked)
            return
        if not self.waiting:
            self.in_transaction = self.database.in_atomic_block
        self.waiting.append(asked)

    def send(self) -> None:
        if not self.waiting:
            return
        waiting, self.waiting = self.waiting, []
        if self.database.in_atomic_block != self.in_transaction:
            raise RuntimeError("a transaction began or ended while queries waited to be sent")
        self.send_all(waiting)

    def exchange(self, waiting: list[Asked]) -> None:
        connection = self.database.connection
        if self.pipeline is None or self.pipeline.connection is not connection:
            from ledger.pipeline import Pipeline  # noqa: PLC0415 (SQLite waits for no other driver)

            # Behind a pooler the next transaction may run on a server that prepared nothing.
            keeps_plans = not getattr(self.database, "is_pooled", False)
            self.pipeline = Pipeline(connection, keeps_plans=keeps_plans)
        self.pipeline.exchange(waiting)

    def _after_what_waits(
        self, execute: Callable[..., Any], sql: str, values: Any, many: bool, context: Any
    ) -> Any:
        self.send()
        return execute(sql, values, many, context)


def _line_of(database: BaseDatabaseWrapper) -> _Line:
    """Return the line to this database; it lives as long as the thread's connection object."""
    line: _Line | None = vars(database).get("line")
    if line is None:
        kind = _PostgresqlLine if database.vendor == "postgresql" else _Line
        line = vars(database)["line"] = kind(database)
    return line


def _cursor(database: BaseDatabaseWrapper) -> CursorWrapper:
    """Return a cursor of Django's whose values PostgreSQL binds, as it does for what goes straight.

    A list is `= ANY(%s::uuid[])` then: the same words for however many.
    """
    if database.vendor != "postgresql":
        return database.cursor()
    from psycopg import Cursor  # noqa: PLC0415 (SQLite waits for no other driver)

    database.close_if_health_check_failed()
    database.ensure_connection()
    cursor: Any = Cursor(database.connection)
    if database.queries_logged:
        return database.make_debug_cursor(cursor)
    return database.make_cursor(cursor)


def _is_watched(database: BaseDatabaseWrapper) -> bool:
    """Tell whether anybody wants to see each query on its way."""
    return bool(database.execute_wrappers) or database.queries_logged


@lru_cache(1024)
def _with_marks(sql: str) -> str:
    """Return the query with its places as SQLite marks them."""
    return sql.replace("%%", "\0").replace("%s", "?").replace("\0", "%")
