"""Rows written and read by plain SQL: for what every hand of every table does, over and over.

The ORM makes the SQL of a query anew each time, which costs more than the database takes to run
it. Here the SQL of an insert is made once from the model, so that no column can be forgotten, and
its values pass through the model's fields as ever; what is read is SQL that both databases know.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection, connections
from django.db.models import Field, Model

Value = UUID | str | int | None


def insert(*rows: Model) -> None:
    """Insert new rows of one model in one statement, and fill in the keys that are made."""
    if not rows:
        return
    model = type(rows[0])
    into, fields, key = _table(model)
    database = connections[connection.alias]  # itself: `connection` looks it up at every touch
    values = [
        field.get_db_prep_save(getattr(row, field.attname), database)
        for row in rows
        for field in fields
    ]
    line = f"({', '.join(['%s'] * len(fields))})"
    returning = f" RETURNING {key}" if key else ""
    with connection.cursor() as cursor:
        cursor.execute(f"{into} VALUES {', '.join([line] * len(rows))}{returning}", values)
        keys = cursor.fetchall() if key else ()
    for row, (made,) in zip(rows, keys, strict=False):
        row.pk = made
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 (as the ORM does)


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
def _table(model: type[Model]) -> tuple[str, tuple["Field[Any, Any]", ...], str]:
    """Return how an insert begins, the fields that it names, the key that the database makes."""
    meta = model._meta  # noqa: SLF001 (made to be read)
    made = meta.auto_field
    fields = tuple(field for field in meta.concrete_fields if field is not made)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return f'INSERT INTO "{meta.db_table}" ({columns})', fields, f'"{made.column}"' if made else ""
