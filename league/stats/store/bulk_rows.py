"""Many rows of a table, written and deleted by plain SQL."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from django.db import connection

from ledger.sql import batched, execute, native, places, query

MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766


def delete(table: str, column: str, ids: Sequence[int]) -> None:
    """Delete the rows in which the column is one of these."""
    if ids:
        execute(f"DELETE FROM {table} WHERE {column} IN {places(ids)}", ids)


def copy_in(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows in the fastest way that the database has for many of them.

    PostgreSQL reads them while they are made, so making them must not query the database.
    """
    if not native():
        _insert_together(table, columns, rows)
        return
    copying = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
    # a query in between would wait for the driver, and the driver for these rows
    refusing = connection.execute_wrapper(_refuse)
    with connection.cursor() as cursor, cursor.copy(copying) as copy, refusing:
        for row in rows:
            copy.write_row(row)


def _refuse(*_: object) -> NoReturn:
    raise RuntimeError("the database was queried during a COPY")


def _insert_together(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert many rows a statement into SQLite, which halves the time of each.

    The driver is called directly: Django searches every statement for placeholders first.
    """
    line = f"({', '.join('?' * len(columns))})"
    for batch in batched(rows, MOST_VALUES // len(columns)):
        lines = ", ".join([line] * len(batch))
        with connection.wrap_database_errors:
            connection.connection.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES {lines}",
                [value for row in batch for value in row],
            )


def inserting(table: str, columns: Sequence[str]) -> str:
    """Return the INSERT by which PostgreSQL reads rows from one JSON value, a list of objects.

    The driver parses a statement at each placeholder, which would take longer than the rows.
    """
    named = ", ".join(columns)
    given = f"SELECT {named} FROM json_populate_recordset(NULL::{table}, %s)"
    return f"INSERT INTO {table} ({named}) {given}"


def as_one_value(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as one JSON value, for `inserting`."""
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows])


def reserve(table: str, number: int) -> list[int]:
    """Return n ids that no other row of the table has or will get, ascending.

    On SQLite the caller's transaction is the only one that writes.
    """
    if native():
        sql = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        return [row[0] for row in query(sql, [table, number])]
    found = query("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
    last = found[0][0] if found else 0
    return list(range(last + 1, last + 1 + number))
