"""Rows inserted by plain SQL, for what every hand writes.

The SQL of an insert is made once from the model, so that no column can be forgotten, and its values
pass through the model's fields as ever.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, JSONField, Model

from ledger.asked import Asked, pipelined
from ledger.sql import from_one_value

Values = Mapping[str, Any]  # of a row, by the names that a model has them under
MANY = 20  # rows
# Whose values are kept as they are, where they are of these types: their fields change nothing.
PLAIN_FIELDS = {
    *("AutoField", "BigAutoField", "BigIntegerField", "IntegerField", "PositiveIntegerField"),
    *("SmallIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField"),
    *("BooleanField", "CharField", "TextField"),
}
Keep = Callable[[Any], Any]
PLAIN: Mapping[type, Keep | None] = dict.fromkeys((int, str, bool, type(None)))


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
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS  # noqa: SLF001 (as the ORM does)

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
    database = connections[DEFAULT_DB_ALIAS]  # itself: `connection` looks it up at every touch
    as_rows = _as_one if len(rows) >= MANY and database.vendor == "postgresql" else _as_lines
    lines, values = as_rows(table, rows, database)
    return Asked(f"{table.into} {lines}{returning}", values, database)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that an insert names: `kept` says of types of values how the database keeps them.

    None where it is as they are; of other types the field says it.
    """

    field: "Field[Any, Any]"
    name: str
    attribute: str
    kept: Mapping[type, Keep | None]


@dataclass(frozen=True, slots=True)
class _Table:
    """How an insert begins, the columns that it names, the key that the database makes."""

    name: str
    into: str
    columns: Sequence[_Column]
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
        columns=[_Column(each, str(each.column), each.attname, _kept(each)) for each in fields],
        key=f'"{made.column}"' if made else "",
    )


def _kept(field: "Field[Any, Any]") -> Mapping[type, Keep | None]:
    while field.remote_field:
        field = field.target_field  # type: ignore[attr-defined] # of a foreign key
    kind = field.get_internal_type()
    if kind in PLAIN_FIELDS:
        return PLAIN
    as_id = None if connections[DEFAULT_DB_ALIAS].vendor == "postgresql" else attrgetter("hex")
    if kind == "UUIDField":
        return {UUID: as_id, type(None): None}
    if isinstance(field, JSONField) and field.encoder is None:
        return dict.fromkeys((dict, list), json.dumps)
    if kind == "DateTimeField":
        return {datetime: connections[DEFAULT_DB_ALIAS].ops.adapt_datetimefield_value}
    return {}


def _as_lines(table: _Table, rows: Sequence[Values], database: Any) -> tuple[str, list[Any]]:
    """Return the rows as SQL with a place for each value, and the values."""
    values = []
    for held in rows:
        for column in table.columns:
            value = held[column.attribute]
            if (kind := type(value)) not in column.kept:
                value = column.field.get_db_prep_save(value, database)
            elif keep := column.kept[kind]:
                value = keep(value)
            values.append(value)
    line = f"({', '.join(['%s'] * len(table.columns))})"
    return f"VALUES {', '.join([line] * len(rows))}", values


def _as_one(table: _Table, rows: Sequence[Values], _database: Any) -> tuple[str, list[Any]]:
    """Return the rows as SQL that reads them from one JSON value, and the value.

    The driver takes a statement to pieces at each place: thousands cost more than all the rest.
    """
    told = [
        {column.name: _as_json(column, held[column.attribute]) for column in table.columns}
        for held in rows
    ]
    lines = from_one_value(table.name, [column.name for column in table.columns])
    return lines, [json.dumps(told, default=str)]


def _as_json(column: _Column, value: Any) -> Any:
    if type(value) in column.kept:  # as they are, or as JSON and `default` tell them
        return value
    return value if type(value) is UUID else column.field.get_prep_value(value)
