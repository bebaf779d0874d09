"""Rows written and read by plain SQL: for what every hand of every table does, over and over.

The ORM makes the SQL of a query anew each time, which costs more than the database takes to run
it. Here the SQL of an insert is made once from the model, so that no column can be forgotten, and
its values pass through the model's fields as ever; what is read is SQL that both databases know.

Where ids are held as text they are as the database keeps them, so that those of a row and those
that a record names are equal: dashed on PostgreSQL, bare digits on SQLite.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from itertools import islice
from typing import Any, NoReturn, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, JSONField, Model

Value = UUID | str | int | None
T = TypeVar("T")
Fields = tuple["Field[Any, Any]", ...]
MANY = 20  # rows
MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766
SNAPSHOT = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",
}


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


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the rows in lists of this length."""
    waiting = iter(rows)
    while some := list(islice(waiting, size)):
        yield some


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
    return f'SELECT {named} FROM json_populate_recordset(NULL::"{table}", %s)'


def _as_json(field: "Field[Any, Any]", value: Any) -> Any:
    return value if isinstance(field, JSONField) else field.get_prep_value(value)


@cache
def _table(model: type[Model]) -> tuple[str, Fields, str]:
    """Return how an insert begins, the fields that it names, the key that the database makes."""
    meta = model._meta  # noqa: SLF001 (made to be read)
    made = meta.auto_field
    fields = tuple(field for field in meta.concrete_fields if field is not made)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    return f'INSERT INTO "{meta.db_table}" ({columns})', fields, f'"{made.column}"' if made else ""


# --- reading ------------------------------------------------------------------------------------


def select(sql: str, *values: Value | Sequence[Value]) -> list[tuple[Any, ...]]:
    """Return the rows of a query; a sequence among the values stands for `IN %s`."""
    bound: list[Value] = []
    spots = []
    for value in values:
        many = value if isinstance(value, list | tuple) else None
        bound += map(_bound, [value] if many is None else many)
        spots.append("%s" if many is None else places(many))
    return query(sql % tuple(spots), bound)


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


def prepared(database: str = DEFAULT_DB_ALIAS) -> AbstractContextManager[CursorWrapper]:
    """Return a cursor of which the database keeps how each statement is run.

    PostgreSQL takes longer to read and plan one of ours than to run it. It binds the values
    itself then, so a list is `= ANY(%s::uuid[])`: the same words for however many.
    """
    asked = connections[database]
    if asked.vendor != "postgresql":
        return asked.cursor()
    from psycopg import Cursor  # noqa: PLC0415 (whoever has SQLite waits for no other driver)

    asked.close_if_health_check_failed()
    asked.ensure_connection()
    cursor: Any = Cursor(asked.connection)
    if asked.queries_logged:
        return asked.make_debug_cursor(cursor)
    return asked.make_cursor(cursor)


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
    return value if isinstance(value, UUID) else UUID(value)


def _bound(value: Any) -> Any:
    native = connection.features.has_native_uuid_field
    return value.hex if isinstance(value, UUID) and not native else value


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
