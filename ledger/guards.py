"""Triggers as data: what an app wants its database to refuse, on SQLite and PostgreSQL.

A migration that rewrites guarded rows lifts the guards with `remove`; they are set again after it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper


@dataclass(frozen=True, slots=True)
class Guard:
    """A trigger, or what one needs; `shown` is the text that the database keeps of it."""

    name: str
    create: str
    drop: str
    shown: str


@dataclass(frozen=True, slots=True)
class Guards:
    """The guards of an app by the vendor of the database; their names start with the app's."""

    app: str
    tables: tuple[str, ...]
    of: Callable[[str], tuple[Guard, ...]] = field(repr=False)


# A connection plans the queries of a function once. Planned while a table is small, they read all
# of it, and go on to when it is large: with these off, rows are found by their keys from the start.
WHOLE_TABLES = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")

# All that stand, for whatever empties or checks the whole database.
REGISTERED: list[Guards] = []


def install(connection: BaseDatabaseWrapper, guards: Guards) -> None:
    """Create the guards anew where any is missing; where all stand, lock and touch nothing."""
    if not missing(connection, guards):
        return
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        _remove(cursor, guards.of(connection.vendor))
        for guard in guards.of(connection.vendor):
            cursor.execute(guard.create)


def remove(connection: BaseDatabaseWrapper, guards: Guards) -> None:
    """Drop the guards: for a flush in tests, and for a migration that has to rewrite rows."""
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        _remove(cursor, guards.of(connection.vendor))


def _remove(cursor: CursorWrapper, guards: tuple[Guard, ...]) -> None:
    for guard in reversed(guards):
        cursor.execute(guard.drop)


def missing(connection: BaseDatabaseWrapper, guards: Guards) -> list[str]:
    """Names of the guards that are absent, altered or disabled; none where the tables are not."""
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
    """Return the statement by which a trigger of SQLite refuses."""
    return f"SELECT RAISE(ABORT, '{text}') WHERE {where};"


def trigger(table: str, what: str, when: str, each: str, function: str) -> Guard:
    """Return a trigger of PostgreSQL, as pg_get_triggerdef spells it, so that they compare."""
    name = f"{table}_{what}"
    create = f"CREATE TRIGGER {name} {when} ON {table} {each} EXECUTE FUNCTION {function}()"
    return Guard(name, create, f"DROP TRIGGER IF EXISTS {name} ON {table}", create)


def function(name: str, statements: str, *, off: tuple[str, ...] = ()) -> Guard:
    """Return a function that a trigger of PostgreSQL calls, with these settings off in it."""
    body = f"BEGIN {statements} END"
    settings = "".join(f" SET {each} = off" for each in off)
    create = f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql{settings} AS $${body}$$"
    shown = " ".join([body, *(f"{each}=off" for each in off)])
    return Guard(name, create, f"DROP FUNCTION IF EXISTS {name}", shown)


def raising(message: str) -> str:
    """Return the statement by which a function of PostgreSQL refuses."""
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
