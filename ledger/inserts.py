"""Rows inserted by plain SQL, for what every hand writes.

The SQL of an insert is made once from the model, so that no column can be forgotten, and its values
pass through the model's fields as ever.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection, connections
from django.db.models import Field, JSONField, Model

from ledger.sql import Asked, from_one_value, pipelined

Fields = tuple["Field[Any, Any]", ...]
Values = Mapping[str, Any]  # of a row, by the names that a model has them under
MANY = 20  # rows
# Whose values are kept as they are, where they are of these types: their fields change nothing.
PLAIN_FIELDS = {
    *("AutoField", "BigAutoField", "BigIntegerField", "IntegerField", "PositiveIntegerField"),
    *("SmallIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField"),
    *("BooleanField", "CharField", "TextField"),
}
PLAIN_TYPES = frozenset({int, str, bool, type(None)})


def insert(*rows: Model) -> None:
    """Insert new rows of one model in one statement, and fill in the keys that are made."""
    insert_together(rows)


def insert_together(*models: Sequence[Model]) -> None:
    """Insert rows of several models, one after another, and fill in the keys that are made."""
    with pipelined():
        sent = [send(*rows) for rows in models if rows]
        for fill_keys in sent:
            fill_keys()


def send(*rows: Model) -> Callable[[], None]:
    """Insert new rows of one model; inside `pipelined` nothing waits for it.

    Returns what fills in the keys that are made, for who wants them.
    """
    table = _table(type(rows[0]))
    asked = _send(
        table, [vars(row) for row in rows], f" RETURNING {table.key}" if table.key else ""
    )
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 (as the ORM does)

    def fill_keys() -> None:
        for row, (made,) in zip(rows, asked.rows() if table.key else (), strict=False):
            row.pk = made

    return fill_keys


def send_values(model: type[Model], rows: Sequence[Values]) -> None:
    """Insert new rows of the model, told by the names of their columns, as `send` does.

    For rows that nobody looks at afterwards: to make a model of each takes longer than to write it.
    """
    _send(_table(model), rows, "")


def _send(table: "_Table", rows: Sequence[Values], returning: str) -> Asked:
    lines, values = _as_one(table, rows) if _is_long(rows) else _as_lines(table, rows)
    return Asked(f"{table.into} {lines}{returning}", values)


@dataclass(frozen=True, slots=True)
class _Table:
    """How an insert begins, the fields that it names, the key that the database makes."""

    name: str
    into: str
    fields: Fields
    are_plain: tuple[bool, ...]
    key: str


@cache
def _table(model: type[Model]) -> _Table:
    meta = model._meta  # noqa: SLF001 (made to be read)
    made = meta.auto_field
    fields = tuple(field for field in meta.concrete_fields if field is not made)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return _Table(
        name=meta.db_table,
        into=f'INSERT INTO "{meta.db_table}" ({columns})',
        fields=fields,
        are_plain=tuple(_is_plain(field) for field in fields),
        key=f'"{made.column}"' if made else "",
    )


def _is_plain(field: "Field[Any, Any]") -> bool:
    while field.remote_field:
        field = field.target_field  # type: ignore[attr-defined] # of a foreign key
    return field.get_internal_type() in PLAIN_FIELDS


def _is_long(rows: Sequence[Values]) -> bool:
    return len(rows) >= MANY and connection.vendor == "postgresql"


def _as_lines(table: _Table, rows: Sequence[Values]) -> tuple[str, list[Any]]:
    """Return the rows as SQL with a place for each value, and the values."""
    database = connections[connection.alias]  # itself: `connection` looks it up at every touch
    columns = tuple((field, field.attname, each) for field, each in _columns(table))
    values = []
    for held in rows:
        for field, name, is_plain in columns:
            value = held[name]
            if not (is_plain and type(value) in PLAIN_TYPES):
                value = field.get_db_prep_save(value, database)
            values.append(value)
    line = f"({', '.join(['%s'] * len(columns))})"
    return f"VALUES {', '.join([line] * len(rows))}", values


def _columns(table: _Table) -> "zip[tuple[Field[Any, Any], bool]]":
    return zip(table.fields, table.are_plain, strict=True)


def _as_one(table: _Table, rows: Sequence[Values]) -> tuple[str, list[Any]]:
    """Return the rows as SQL that reads them from one JSON value, and the value.

    The driver takes a statement to pieces at each place: thousands cost more than all the rest.
    """
    columns = tuple(
        (field, str(field.column), field.attname, each) for field, each in _columns(table)
    )
    told = [
        {
            column: value
            if (is_plain and type(value := held[name]) in PLAIN_TYPES)
            else _as_json(field, held[name])
            for field, column, name, is_plain in columns
        }
        for held in rows
    ]
    lines = from_one_value(table.name, [column for _, column, *_ in columns])
    return lines, [json.dumps(told, default=str)]


def _as_json(field: "Field[Any, Any]", value: Any) -> Any:
    if isinstance(field, JSONField) or type(value) is UUID:
        return value
    return field.get_prep_value(value)
