"""Rows written and read by plain SQL: for what every hand of every table does, over and over.

The ORM makes the SQL of a query anew each time, which costs more than the database takes to run
it. Here the SQL of an insert is made once from the model, so that no column can be forgotten, and
its values pass through the model's fields as ever; what is read is SQL that both databases know.
"""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection, connections
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, JSONField, Model

Value = UUID | str | int | None
Fields = tuple["Field[Any, Any]", ...]
MANY = 20  # rows


def insert(*rows: Model) -> None:
    """Insert new rows of one model in one statement, and fill in the keys that are made."""
    if not rows:
        return
    model = type(rows[0])
    into, fields, key = _table(model)
    lines, values = _as_one(model, fields, rows) if _is_long(rows) else _as_lines(fields, rows)
    returning = f" RETURNING {key}" if key else ""
    with connection.cursor() as cursor:
        cursor.execute(f"{into} {lines}{returning}", values)
        keys = cursor.fetchall() if key else ()
    for row, (made,) in zip(rows, keys, strict=False):
        row.pk = made
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 (as the ORM does)


def _is_long(rows: Sequence[Model]) -> bool:
    return len(rows) >= MANY and connection.vendor == "postgresql"


def _as_lines(fields: Fields, rows: Sequence[Model]) -> tuple[str, list[Any]]:
    """Return the rows as SQL with a place for each value, and the values."""
    database = connections[connection.alias]  # itself: `connection` looks it up at every touch
    values = [
        field.get_db_prep_save(getattr(row, field.attname), database)
        for row in rows
        for field in fields
    ]
    line = f"({', '.join(['%s'] * len(fields))})"
    return f"VALUES {', '.join([line] * len(rows))}", values


def _as_one(model: type[Model], fields: Fields, rows: Sequence[Model]) -> tuple[str, list[Any]]:
    """Return the rows as SQL that reads them from one JSON value, and the value.

    The driver takes a statement to pieces at each place: thousands cost more than all the rest.
    """
    told = [
        {field.column: _as_json(field, getattr(row, field.attname)) for field in fields}
        for row in rows
    ]
    table = model._meta.db_table  # noqa: SLF001 (made to be read)
    lines = from_one_value(table, [str(field.column) for field in fields])
    return lines, [json.dumps(told, default=str)]


def from_one_value(table: str, columns: Sequence[str]) -> str:
    """Return how PostgreSQL reads rows of the table from one JSON value, a list of objects."""
    named = ", ".join(f'"{column}"' for column in columns)
    return f'SELECT {named} FROM json_populate_recordset(NULL::"{table}", %s)'  # noqa: S608


def _as_json(field: "Field[Any, Any]", value: Any) -> Any:
    return value if isinstance(field, JSONField) else field.get_prep_value(value)


def select(sql: str, *values: Value | Sequence[Value]) -> list[tuple[Any, ...]]:
    """Return the rows of a query; a sequence among the values stands for `IN %s`."""
    found: list[Value] = []
    places = []
    for value in values:
        many = value if isinstance(value, list | tuple) else None
        found += map(_bound, [value] if many is None else many)
        places.append("%s" if many is None else f"({', '.join(['%s'] * len(many))})")
    with connection.cursor() as cursor:
        cursor.execute(sql % tuple(places), found)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def prepared() -> AbstractContextManager[CursorWrapper]:
    """Return a cursor of which the database keeps how each statement is run.

    PostgreSQL takes longer to read and plan one of ours than to run it. It binds the values
    itself then, so a list is `= ANY(%s::uuid[])`: the same words for however many.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    from psycopg import Cursor  # noqa: PLC0415 (whoever has SQLite waits for no other driver)

    connection.ensure_connection()
    cursor: Any = Cursor(connection.connection)
    if connection.queries_logged:
        return connection.make_debug_cursor(cursor)
    return connection.make_cursor(cursor)


def locked(sql: str) -> str:
    """Return the query such that its rows are locked for writers of whatever refers to them.

    SQLite has no row locks and needs none: it lets one transaction write at a time.
    """
    return f"{sql} FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else sql


def as_uuid(value: UUID | str) -> UUID:
    """Return a key as it was read, as a UUID: SQLite keeps its digits."""
    return value if isinstance(value, UUID) else UUID(value)


def _bound(value: Any) -> Any:
    native = connection.features.has_native_uuid_field
    return value.hex if isinstance(value, UUID) and not native else value


@cache
def _table(model: type[Model]) -> tuple[str, Fields, str]:
    """Return how an insert begins, the fields that it names, the key that the database makes."""
    meta = model._meta  # noqa: SLF001 (made to be read)
    made = meta.auto_field
    fields = tuple(field for field in meta.concrete_fields if field is not made)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return f'INSERT INTO "{meta.db_table}" ({columns})', fields, f'"{made.column}"' if made else ""
