"""Build, install, remove and check database triggers that reject changes to rows.

The triggers themselves are in ledger/triggers.py and league/integrity/triggers.py. A guard
describes a trigger, or an object that a trigger needs, as data. Guards are installed after every
migration, because SQLite silently drops a table's triggers when Django rebuilds the table. A
migration that rewrites guarded rows first drops them with `remove`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper


@dataclass(frozen=True, slots=True)
class Guard:
    """A database object: a trigger, or a function or table that a trigger uses.

    `definition` is the object's definition as the database's catalog returns it.
    """

    name: str
    create: str
    drop: str
    definition: str


@dataclass(frozen=True, slots=True)
class Guards:
    """All guards of one app. Their names start with the app's name."""

    app: str
    tables: tuple[str, ...]
    for_vendor: Callable[[str], tuple[Guard, ...]] = field(repr=False)


# PostgreSQL plans the queries in a function once per connection. A plan made while a table is small
# scans the whole table, even after the table has grown. Turning these planner settings off makes it
# look up rows by key.
PLANNER_SETTINGS_OFF = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")

# These return the name and definition of every installed guard, as in `Guard.definition`.
CATALOG_QUERIES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE name LIKE '{app}_%'",
    "postgresql": """
        SELECT tgname, pg_get_triggerdef(t.oid, true) FROM pg_trigger t
        JOIN pg_class c ON c.oid = t.tgrelid
        WHERE t.tgenabled IN ('O', 'A') AND NOT t.tgisinternal AND pg_table_is_visible(c.oid)
        UNION ALL
        SELECT proname, concat_ws(' ', prosrc, array_to_string(proconfig, ' ')) FROM pg_proc
        WHERE proname LIKE '{app}_%' AND pg_function_is_visible(oid)""",
}

# The guards of all apps, used by code that empties or checks the whole database.
REGISTERED: list[Guards] = []


def install(connection: BaseDatabaseWrapper, guards: Guards) -> None:
    """Recreate all guards if any is missing. Otherwise nothing is changed or locked."""
    if not missing(connection, guards):
        return
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        _remove(cursor, guards.for_vendor(connection.vendor))
        for guard in guards.for_vendor(connection.vendor):
            cursor.execute(guard.create)


def remove(connection: BaseDatabaseWrapper, guards: Guards) -> None:
    """Drop the guards before code that changes guarded rows.

    Such code is a migration that rewrites rows, a backup that replaces all data, or a test flush.
    """
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        _remove(cursor, guards.for_vendor(connection.vendor))


def _remove(cursor: CursorWrapper, guards: tuple[Guard, ...]) -> None:
    for guard in reversed(guards):
        cursor.execute(guard.drop)


def missing(connection: BaseDatabaseWrapper, guards: Guards) -> list[str]:
    """Return the names of guards that are missing, altered or disabled.

    The list is empty if the tables do not exist yet.
    """
    with connection.cursor() as cursor:
        if not set(guards.tables) <= set(connection.introspection.table_names(cursor)):
            return []
        cursor.execute(CATALOG_QUERIES[connection.vendor].format(app=guards.app))
        installed = dict(cursor.fetchall())
    wanted = guards.for_vendor(connection.vendor)
    return [guard.name for guard in wanted if installed.get(guard.name) != guard.definition]


def sqlite_trigger(table: str, what: str, when: str, body: str) -> Guard:
    name = f"{table}_{what}"
    create = f"CREATE TRIGGER {name} {when} ON {table} BEGIN\n    {body}\nEND"
    return Guard(name, create, f"DROP TRIGGER IF EXISTS {name}", create)


def sqlite_abort(text: str, *, where: str = "1") -> str:
    """Return the SQL statement that raises an error in an SQLite trigger."""
    return f"SELECT RAISE(ABORT, '{text}') WHERE {where};"


def postgresql_trigger(table: str, what: str, when: str, level: str, function: str) -> Guard:
    """Return a guard for a PostgreSQL trigger.

    Its SQL is spelled as in the result of `pg_get_triggerdef`, so that the two can be compared.
    """
    name = f"{table}_{what}"
    create = f"CREATE TRIGGER {name} {when} ON {table} {level} EXECUTE FUNCTION {function}()"
    return Guard(name, create, f"DROP TRIGGER IF EXISTS {name} ON {table}", create)


def postgresql_function(name: str, statements: str, *, off: tuple[str, ...] = ()) -> Guard:
    """Return a guard for a PostgreSQL trigger function that disables the settings in `off`."""
    body = f"BEGIN {statements} END"
    settings = "".join(f" SET {setting} = off" for setting in off)
    create = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql{settings} AS $${body}$$"
    definition = " ".join([body, *(f"{setting}=off" for setting in off)])
    return Guard(name, create, f"DROP FUNCTION IF EXISTS {name}", definition)


def postgresql_raise(message: str) -> str:
    """Return the statement that raises an error in a PostgreSQL function."""
    return f"RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = {message};"
