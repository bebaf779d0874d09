"""Plain SQL that both databases know: for what every hand of every table asks, over and over.

The ORM makes the SQL of a query anew each time, which costs more than the database takes to run
it. `inserts` writes rows so.

Where ids are held as text they are as the database keeps them, so that those of a row and those
that a record names are equal: dashed on PostgreSQL, bare digits on SQLite.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, NoReturn, TypeVar
from uuid import UUID

from django.db import connection

Value = UUID | str | int | None
T = TypeVar("T")
MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766
SNAPSHOT = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",
}


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the rows in lists of this length."""
    waiting = iter(rows)
    while some := list(islice(waiting, size)):
        yield some


def from_one_value(table: str, columns: Sequence[str]) -> str:
    """Return how PostgreSQL reads rows of the table from one JSON value, a list of objects."""
    named = ", ".join(f'"{column}"' for column in columns)
    return f'SELECT {named} FROM json_populate_recordset(NULL::"{table}", %s)'


# --- reading ------------------------------------------------------------------------------------


def select(sql: str, *values: Value | Sequence[Value]) -> list[tuple[Any, ...]]:
    """Return the rows of a query; a sequence among the values stands for `IN %s`."""
    return query(*filled(sql, values))


def filled(sql: str, values: Sequence[Value | Sequence[Value]]) -> tuple[str, list[Value]]:
    """Return the SQL with a place for each value of a sequence, and all values."""
    is_native = connection.features.has_native_uuid_field
    bound: list[Value] = []
    spots = []
    for value in values:
        many = value if isinstance(value, list | tuple) else (value,)
        bound += many if is_native else map(_as_digits, many)
        spots.append("%s" if many is not value else places(many))
    return sql % tuple(spots), bound


def query(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return the rows of a query; `ledger.asked` has one that is sent over and over."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def execute(sql: str, values: Sequence[Any] = ()) -> None:
    """Run a statement that returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def places(values: Sequence[Any]) -> str:
    """Return the placeholders of a list of values."""
    return f"({', '.join(['%s'] * len(values))})"


_LISTED = {"postgresql": "json_agg({})", "sqlite": "json_group_array({})"}


def listed(each: str) -> str:
    """Return how the values of some rows are told as one JSON list."""
    return f"CAST({_LISTED[connection.vendor].format(each)} AS text)"


_decode = json.JSONDecoder().raw_decode


def parsed(text: str) -> Any:
    """Return what JSON says that the database holds: nothing stands before or after it.

    Where the text is short, to look whether anything does takes `json.loads` half of its time.
    """
    return _decode(text)[0]


@contextmanager
def snapshot() -> Iterator[None]:
    """Read as everything stands at one moment: whoever writes meanwhile neither waits nor is seen.

    Inside a transaction of the caller's it is that one. Nothing in it may open another.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(SNAPSHOT[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def locked(sql: str) -> str:
    """Return the query such that its rows are locked for writers of whatever refers to them.

    SQLite has no row locks and needs none: it lets one transaction write at a time.
    """
    return f"{sql} FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else sql


# --- ids ----------------------------------------------------------------------------------------


def native() -> bool:
    """Tell whether the database knows what an id is; else it keeps the digits as text."""
    return connection.vendor == "postgresql"


def plain(key: UUID | str) -> str:
    """Return an id as text, the way this database keeps it."""
    text = str(key)
    return text if native() else text.replace("-", "")


def as_uuid(value: UUID | str) -> UUID:
    """Return a key as it was read, as a UUID: SQLite keeps its digits."""
    return value if isinstance(value, UUID) else _uuid(value)


_uuid = lru_cache(maxsize=4096)(UUID)  # the same players stand in many rows


def _as_digits(value: Any) -> Any:
    return value.hex if isinstance(value, UUID) else value


# --- many rows of a table -------------------------------------------------------------------------


def delete(table: str, column: str, ids: Sequence[int]) -> None:
    """Delete the rows in which the column is one of these."""
    if ids:
        execute(f"DELETE FROM {table} WHERE {column} IN {places(ids)}", ids)


def copy_in(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows the quickest way that the database has for many of them.

    PostgreSQL takes them in as they are made, so nobody may ask it for anything to make them.
    """
    if not native():
        _insert_together(table, columns, rows)
        return
    copying = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
    # who asked meanwhile would wait for the driver, and that for them
    refusing = connection.execute_wrapper(_refuse)
    with connection.cursor() as cursor, cursor.copy(copying) as copy, refusing:
        for row in rows:
            copy.write_row(row)


def _refuse(*_: object) -> NoReturn:
    raise RuntimeError("the database was asked while it took rows in")


def _insert_together(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows into SQLite: many a statement cost half of what each takes by itself.

    Straight through the driver, since Django looks for every placeholder before each statement.
    """
    line = f"({', '.join('?' * len(columns))})"
    for some in batched(rows, MOST_VALUES // len(columns)):
        lines = ", ".join([line] * len(some))
        with connection.wrap_database_errors:
            connection.connection.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES {lines}",
                [value for row in some for value in row],
            )


def inserting(table: str, columns: Sequence[str]) -> str:
    """Return how PostgreSQL inserts rows that are told as one value.

    The driver takes a statement to pieces at each placeholder, which took longer than the rows.
    """
    return f"INSERT INTO {table} ({', '.join(columns)}) {from_one_value(table, columns)}"


def as_one_value(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return the rows as the one value that they are told as."""
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows])


def reserve(table: str, number: int) -> list[int]:
    """Return so many ids that no other row of the table has or will get, ascending.

    On SQLite one transaction writes at a time, and the caller's does.
    """
    if native():
        sql = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        return [row[0] for row in query(sql, [table, number])]
    found = query("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
    last = found[0][0] if found else 0
    return list(range(last + 1, last + 1 + number))
