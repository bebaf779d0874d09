"""Statements that PostgreSQL is sent together: one write and one wait, whatever their number.

The pipeline of the driver writes to the socket and looks for an answer at each statement. For nine
short ones that took five times the processor time of this, and PostgreSQL, woken nine times, twice
its own. So here statements wait until an answer is wanted, and go by libpq, as psycopg offers it.

What is sent is prepared, so that its plan is kept, unless a connection pooler gives each
transaction another server. Values go as text, of the type that PostgreSQL finds for them where they
stand: whatever the size of a number, it is the same statement.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Protocol, TypeVar
from uuid import UUID

from psycopg import Connection, DataError, errors
from psycopg.adapt import PyFormat, Transformer
from psycopg.generators import fetch_many, send
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.types.numeric import Int2, Int4, Int8

# Prepared on a connection at the same time; beyond that the one goes that was not sent for longest.
MOST_PREPARED = 256
INT8, BOOL, ID, IDS, INTS = 20, 16, 2950, 2951, 1016
FOUND = 0  # the type that PostgreSQL finds for the place
_PLACE = re.compile("%s|%%")
FAILED = {ExecStatus.FATAL_ERROR, ExecStatus.PIPELINE_ABORTED}

Dumped = tuple[Any, int]  # a value as bytes, None for NULL; the number of its type
Number = TypeVar("Number", bound=int)


class Waiting(Protocol):
    """A statement, and where its rows are put when they have come."""

    sql: str
    values: Sequence[Any]
    found: list[tuple[Any, ...]] | None


class Pipeline:
    """The statements of one connection."""

    def __init__(self, connection: "Connection[Any]", *, keeps_plans: bool = True) -> None:
        self.connection = connection
        self.keeps_plans = keeps_plans
        self.transformer = Transformer.from_context(connection)
        self.names: OrderedDict[str, bytes] = OrderedDict()
        self.numbers = count(1)

    def exchange(self, waiting: Sequence[Waiting]) -> None:
        """Send the statements in their order and fetch the rows of all of them.

        Raises what PostgreSQL says of the first that fails; those after it are not run.
        """
        connection = self.connection
        dumped = [[self._dumped(value) for value in each.values] for each in waiting]
        with connection.lock:
            connection.pgconn.enter_pipeline_mode()
            try:
                expected = self._begin()
                for each, values in zip(waiting, dumped, strict=True):
                    expected += self._send(each, values)
                connection.pgconn.pipeline_sync()
                results = self._answers()
            except BaseException:
                self._give_up()
                raise
            connection.pgconn.exit_pipeline_mode()
        try:
            self._take(expected, results)
        except errors.Error:
            for each in waiting:  # some of them may not have been prepared
                self.names.pop(each.sql, None)
            raise

    def _begin(self) -> list[Waiting | None]:
        """Begin the transaction that Django has left to the driver to begin."""
        connection = self.connection
        is_idle = connection.pgconn.transaction_status == TransactionStatus.IDLE
        if connection.autocommit or not is_idle:
            return []
        level = connection.isolation_level
        wanted = f" ISOLATION LEVEL {level.name.replace('_', ' ')}" if level else ""
        connection.pgconn.send_query_params(f"BEGIN{wanted}".encode(), None)
        return [None]

    def _send(self, each: Waiting, dumped: Sequence[Dumped]) -> list[Waiting | None]:
        """Send one statement, prepared first if it is new; return whose the answers will be."""
        pgconn, answers = self.connection.pgconn, list[Waiting | None]()
        if not self.keeps_plans:
            values, kinds = [value for value, _ in dumped], [kind for _, kind in dumped]
            pgconn.send_query_params(_numbered(each.sql), values, param_types=kinds)
            return [each]
        name = self.names.get(each.sql)
        if name is None:
            if len(self.names) >= MOST_PREPARED:
                _, old = self.names.popitem(last=False)
                pgconn.send_query_params(b"DEALLOCATE " + old, None)
                answers.append(None)
            name = self.names[each.sql] = b"sent_together_%d" % next(self.numbers)
            pgconn.send_prepare(name, _numbered(each.sql), [kind for _, kind in dumped])
            answers.append(None)
        else:
            self.names.move_to_end(each.sql)
        pgconn.send_query_prepared(name, [value for value, _ in dumped])
        return [*answers, each]

    def _answers(self) -> list[PGresult]:
        """Return all that is answered, up to where the pipeline ends."""
        connection = self.connection
        connection.wait(send(connection.pgconn))
        results: list[PGresult] = []
        while not results or results[-1].status != ExecStatus.PIPELINE_SYNC:
            results += connection.wait(fetch_many(connection.pgconn))
        return results[:-1]

    def _take(self, expected: list[Waiting | None], results: list[PGresult]) -> None:
        for each, result in zip(expected, results, strict=True):
            if result.status in FAILED:
                raise errors.error_from_result(result)
            if each is not None:
                each.found = self._rows(result)

    def _rows(self, result: PGresult) -> list[tuple[Any, ...]]:
        if result.status != ExecStatus.TUPLES_OK:
            return []
        self.transformer.set_pgresult(result)
        rows: list[tuple[Any, ...]] = self.transformer.load_rows(0, result.ntuples, tuple)
        return rows

    def _give_up(self) -> None:
        """Close the connection, unless it is well: answers to this would be taken for others'."""
        try:
            self.connection.pgconn.exit_pipeline_mode()
        except errors.OperationalError:
            if self.connection.pgconn.status != ConnStatus.BAD:
                self.connection.pgconn.finish()

    def _dumped(self, value: Any) -> Dumped:
        dump = DUMPS.get(type(value))
        found = dump(value) if dump else None
        if found is None:
            dumper = self.transformer.get_dumper(value, PyFormat.TEXT)
            found = dumper.dump(value), dumper.oid
        return found


def _text(value: str) -> Dumped:
    if "\0" in value:  # libpq would end it there
        raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    return value.encode(), FOUND


def _list(values: list[Any]) -> Dumped | None:
    """Return a list of ids, texts or numbers, which are most; None for any other."""
    kinds = set(map(type, values))
    if kinds == {UUID}:
        return f"{{{','.join(map(str, values))}}}".encode(), IDS
    if kinds == {str}:
        quoted = ",".join(f'"{each.translate(_ESCAPES)}"' for each in values)
        return _text(f"{{{quoted}}}")
    return (str(values).translate(_BRACES).encode(), INTS) if kinds == {int} else None


_BRACES = str.maketrans("[]", "{}")
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\"})
DUMPS: Mapping[type, Callable[[Any], Dumped | None]] = {
    type(None): lambda _: (None, FOUND),
    str: _text,
    **dict.fromkeys((int, Int2, Int4, Int8), lambda value: (b"%d" % value, INT8)),
    bool: lambda value: (b"t" if value else b"f", BOOL),
    UUID: lambda value: (str(value).encode(), ID),
    list: _list,
}


@lru_cache(MOST_PREPARED)
def _numbered(sql: str) -> bytes:
    """Return the statement with its places as PostgreSQL numbers them."""
    numbers = count(1)
    return _PLACE.sub(lambda at: "%" if at[0] == "%%" else f"${next(numbers)}", sql).encode()
