"""Guards: triggers as data, which make SQLite or PostgreSQL refuse changes of rows.

A migration that rewrites guarded rows drops the guards by `remove`; `migrate` installs them again
at its end.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper


@dataclass(frozen=True, slots=True)
class Guard:
    """A trigger, or a function or table of one; `shown` is its text in the database's catalog."""

    name: str
    create: str
    drop: str
    shown: str


@dataclass(frozen=True, slots=True)
class Guards:
    """The guards of an app by database vendor. Their names start with the app's."""

    app: str
    tables: tuple[str, ...]
    of: Callable[[str], tuple[Guard, ...]] = field(repr=False)


# A connection plans the queries of a function once. A plan made while a table is small reads the
# whole table, and stays when it is large. With these settings off, rows are found by their keys.
WHOLE_TABLES = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")

# Those of all apps, for code that empties or checks the whole database.
REGISTERED: list[Guards] = []


def install(connection: BaseDatabaseWrapper, guards: Guards) -> None:
    """Create all guards again if any is missing. Otherwise lock and change nothing."""
    if not missing(connection, guards):
        return
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        _remove(cursor, guards.of(connection.vendor))
        for guard in guards.of(connection.vendor):
            cursor.execute(guard.create)


def remove(connection: BaseDatabaseWrapper, guards: Guards) -> None:
    """Drop the guards, for a flush in tests or a migration that rewrites rows."""
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        _remove(cursor, guards.of(connection.vendor))


def _remove(cursor: CursorWrapper, guards: tuple[Guard, ...]) -> None:
    for guard in reversed(guards):
        cursor.execute(guard.drop)


def missing(connection: BaseDatabaseWrapper, guards: Guards) -> list[str]:
    """Return names of guards that are absent, altered or disabled; none before the tables exist."""
    with connection.cursor() as cursor:
        if not set(guards.tables) <= set(connection.introspection.table_names(cursor)):
            return []
        cursor.execute(SHOWN[connection.vendor].format(app=guards.app))
        shown = dict(cursor.fetchall())
    return [
        guard.name for guard in guards.of(connection.vendor) if shown.get(guard.name) != guard.shown
    ]


def sqlite_trigger(table: str, what: str, when: str, body: str) -> Guard:
    """Return a trigger of SQLite."""
    name = f"{table}_{what}"
    create = f"CREATE TRIGGER {name} {when} ON {table} BEGIN\n    {body}\nEND"
    return Guard(name, create, f"DROP TRIGGER IF EXISTS {name}", create)


def abort(text: str, *, where: str = "1") -> str:
    """Return the statement by which a trigger of SQLite raises an error."""
    return f"SELECT RAISE(ABORT, '{text}') WHERE {where};"


def trigger(table: str, what: str, when: str, level: str, function: str) -> Guard:
    """Return a trigger of PostgreSQL, spelled as by pg_get_triggerdef, for comparison."""
    name = f"{table}_{what}"
    create = f"CREATE TRIGGER {name} {when} ON {table} {level} EXECUTE FUNCTION {function}()"
    return Guard(name, create, f"DROP TRIGGER IF EXISTS {name} ON {table}", create)


def function(name: str, statements: str, *, off: tuple[str, ...] = ()) -> Guard:
    """Return a function for a trigger of PostgreSQL; these settings are off while it runs."""
    body = f"BEGIN {statements} END"
    settings = "".join(f" SET {setting} = off" for setting in off)
    create = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql{settings} AS $${body}$$"
    shown = " ".join([body, *(f"{setting}=off" for setting in off)])
    return Guard(name, create, f"DROP FUNCTION IF EXISTS {name}", shown)


def raising(message: str) -> str:
    """Return the statement by which a function of PostgreSQL raises an error."""
    return f"RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = {message};"


SHOWN = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE name LIKE '{app}_%'",
    "postgresql": """
        SELECT tgname, pg_get_triggerdef(t.oid, true) FROM pg_trigger t
        JOIN pg_class c ON c.oid = t.tgrelid
        WHERE t.tgenabled IN ('O', 'A') AND NOT t.tgisinternal AND pg_table_is_visible(c.oid)
        UNION ALL
        SELECT proname, concat_ws(' ', prosrc, array_to_string(proconfig, ' ')) FROM pg_proc
        WHERE proname LIKE '{app}_%' AND pg_function_is_visible(oid)""",
}
