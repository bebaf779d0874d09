"""Plain SQL for what every hand costs: how it is sent, and how many rows go at once.

Ids are held as text the way the database keeps them, so that those of a row and those that a
record names are equal: dashed on PostgreSQL, bare digits on SQLite.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NoReturn, TypeVar
from uuid import UUID

from django.db import connection

from ledger.rows import from_one_value, prepared

MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766
T = TypeVar("T")


def native() -> bool:
    """Tell whether the database knows what an id is; else it keeps the digits as text."""
    return connection.vendor == "postgresql"


def plain(key: UUID | str) -> str:
    """Return an id as text, the way this database keeps it."""
    text = str(key)
    return text if native() else text.replace("-", "")


def query(sql: str, values: Sequence[Any] = (), *, again: bool = False) -> list[tuple[Any, ...]]:
    """Return the rows of a query; `again`: it is sent over and over, so its plan is kept."""
    with prepared() if again else connection.cursor() as cursor:
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


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the rows in lists of this length."""
    waiting = iter(rows)
    while some := list(islice(waiting, size)):
        yield some


def delete(table: str, column: str, ids: Sequence[int]) -> None:
    """Delete the rows in which the column is one of these."""
    if ids:
        execute(f"DELETE FROM {table} WHERE {column} IN {places(ids)}", ids)


def insert(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
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
