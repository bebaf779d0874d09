"""Plain SQL that both databases support, for sums and for the statements that every hand runs.

The ORM builds the SQL of a query each time it runs. For the few short statements that every hand
runs, that takes longer than the database. Everything else uses the ORM.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model

Row = tuple[Any, ...]
T = TypeVar("T")
SNAPSHOT = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",
}


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the rows in lists of at most `size`."""
    waiting = iter(rows)
    while batch := list(islice(waiting, size)):
        yield batch


# --- reading ------------------------------------------------------------------------------------


def query_by_keys(
    sql: str, *keys: UUID | str | int | Sequence[UUID] | Sequence[str] | None
) -> list[Row]:
    """Return the rows of a statement that has one placeholder per key or list of keys.

    A list of keys fills an `IN %s`, and a UUID is converted to the database's form. `query` does
    neither.
    """
    spots: list[str] = []
    bound: list[Any] = []
    for key in keys:
        if isinstance(key, list | tuple):
            spots.append(placeholders(key))
            bound += key
        else:
            spots.append("%s")
            bound.append(key)
    if not is_postgresql():
        bound = [value.hex if isinstance(value, UUID) else value for value in bound]
    return query(sql % tuple(spots), bound)


def query(sql: str, values: Sequence[Any] = (), database: str = DEFAULT_DB_ALIAS) -> list[Row]:
    """Return the rows of a statement that has one placeholder per value."""
    with connections[database].cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[Row] = cursor.fetchall()
    return rows


def execute(sql: str, values: Sequence[Any] = ()) -> None:
    """Run a statement that does not return rows."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def placeholders(values: Sequence[Any]) -> str:
    """Return the placeholders for a list of values. An empty list matches nothing."""
    return f"({', '.join(['%s'] * len(values)) or 'NULL'})"  # PostgreSQL rejects `IN ()`


def locked(sql: str) -> str:
    """Return the query with a lock on its rows. Rows that reference them can still be inserted.

    SQLite has no row locks and needs none, because it runs one writing transaction at a time.
    """
    return f"{sql} FOR NO KEY UPDATE" if connection.features.has_select_for_no_key_update else sql


@contextmanager
def snapshot() -> Iterator[None]:
    """Read from one database snapshot, regardless of concurrent writes. Writers are not blocked.

    Inside the caller's transaction this does nothing. No transaction can begin inside it.
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


# --- inserting ----------------------------------------------------------------------------------


def insert(models: Sequence[Model], *, by: str = "") -> None:
    """Insert new rows of one model in one statement.

    Generated keys are set only if `by` is given. It names a column whose values differ in all
    rows, because neither database guarantees the order in which INSERT returns its rows.
    """
    if not models:
        return
    into, fields, key = _insertion(type(models[0]))
    values = [
        field.get_db_prep_save(getattr(model, field.attname), connection)
        for model in models
        for field in fields
    ]
    lines = ", ".join([placeholders(fields)] * len(models))
    if by:
        keys: dict[Any, Any] = dict(
            query(f'{into} VALUES {lines} RETURNING "{by}", "{key}"', values)
        )
        for model in models:
            model.pk = keys[getattr(model, by)]
    else:
        execute(f"{into} VALUES {lines}", values)
    for model in models:
        model._state.adding, model._state.db = False, DEFAULT_DB_ALIAS  # noqa: SLF001 (as the ORM)


@cache
def _insertion(model: type[Model]) -> tuple[str, list["Field[Any, Any]"], str]:
    """Return the start of the INSERT statement, its fields, and the generated key column or ""."""
    meta = model._meta  # noqa: SLF001 (documented)
    fields = [field for field in meta.concrete_fields if field is not meta.auto_field]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    key = str(meta.auto_field.column) if meta.auto_field else ""
    return f'INSERT INTO "{meta.db_table}" ({columns})', fields, key


# --- ids and lists ------------------------------------------------------------------------------


def is_postgresql() -> bool:
    """Return whether the database is PostgreSQL, which has a UUID type. SQLite stores text."""
    return connection.vendor == "postgresql"


def uuid_text(key: UUID | str) -> str:
    """Return an id as text, in the form in which this database stores or prints it."""
    text = str(key)
    return text if is_postgresql() else text.replace("-", "")


def as_uuid(value: UUID | str) -> UUID:
    """Return an id read from the database as a UUID. SQLite returns its digits."""
    return value if isinstance(value, UUID) else _uuid(value)


_uuid = lru_cache(maxsize=4096)(UUID)  # cached, because many rows contain the same players

_LISTED = {"postgresql": "json_agg({})", "sqlite": "json_group_array({})"}


def json_list(expression: str) -> str:
    """Return SQL that collects an expression over several rows into a JSON list."""
    return f"CAST({_LISTED[connection.vendor].format(expression)} AS text)"


_decode = json.JSONDecoder().raw_decode


def parse_json(text: str) -> Any:
    """Return the value of JSON that the database generated, which has no surrounding whitespace.

    For short strings, `json.loads` spends half of its time on skipping whitespace.
    """
    return _decode(text)[0]
