"""Database triggers that reject changes to the league's sealed rows.

The ledger's triggers (ledger/triggers.py) protect chips, and these triggers protect the other
records. They are generated from the journal's tables and, like the ledger's, installed after every
migration.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection, connections
from django.db.migrations import Migration
from django.db.models import Model, UniqueConstraint

from league.integrity.row_owners import LINK, path_to_league
from ledger import guards
from ledger.guards import (
    Guard,
    Guards,
    postgresql_function,
    postgresql_raise,
    postgresql_trigger,
    sqlite_abort,
    sqlite_trigger,
)
from ledger.triggers import DISPOSABLE

KEPT = "what was bought, counted, closed, planned and noted is kept as it was: {what} is refused"
# SQL condition that works on both databases: the column now references a user, and was empty or
# referenced a different user.
OTHER = "coalesce({new}.{column} <> {old}.{column}, {new}.{column} IS NOT NULL)"
CHANGED = {
    "sqlite": '{new}."{column}" IS NOT {old}."{column}"',
    "postgresql": '{new}."{column}" IS DISTINCT FROM {old}."{column}"',
}
STANDS = """EXISTS (SELECT 1 FROM league_closing c WHERE c.night_id = {new}.id AND NOT EXISTS
        (SELECT 1 FROM ledger_posting p WHERE p.reverses_id = c.posting_id))"""
CLOSED = "EXISTS (SELECT 1 FROM league_night n WHERE n.id = {new}.night_id AND n.state = 'closed')"
TAKEN = """EXISTS (SELECT 1 FROM league_seat s WHERE s.id <> {new}.id
        AND s.night_id = {new}.night_id AND s.position = {new}.position AND s.left_at IS NULL)"""
# Rejected state changes, by table: conditions on the old and the new row.
NEVER = {
    "league_closing": "{new}.hash <> {old}.hash AND {old}.hash <> ''",
    "league_night": "({new}.state = 'closed') <> " + STANDS,
    "league_seat": f"{CLOSED} OR ({{new}}.left_at IS NULL AND {TAKEN})",
    "league_revision": "{new}.current AND NOT {old}.current",
    "league_payment": """{new}.state <> {old}.state AND NOT (
        ({old}.state IN ('promised', 'disputed') AND {new}.state IN ('confirmed', 'withdrawn'))
        OR ({old}.state = 'promised' AND {new}.state = 'disputed')
        OR ({old}.state = 'confirmed' AND {new}.state = 'withdrawn'))
        OR coalesce({new}.posting_id <> {old}.posting_id, {new}.posting_id IS NULL)
            AND {old}.posting_id IS NOT NULL
        OR {old}.posting_id IS NULL AND {new}.posting_id IS NOT NULL
            AND ({new}.state <> 'confirmed' OR EXISTS (SELECT 1 FROM league_payment o
                WHERE o.posting_id = {new}.posting_id AND o.id <> {new}.id))""",
    "league_conflictingrecord": "{old}.state <> 'waiting' AND ({new}.state <> {old}.state"
    " OR coalesce({new}.decided_at <> {old}.decided_at, {new}.decided_at IS NOT NULL))",
    "league_journalhead": "{new}.sequence <> {old}.sequence + 1",
}
# The condition of each partial unique index.
PARTIAL = {
    "league_revision_current_once": "{row}.current",
    "league_seat_taken_by_one": "{row}.left_at IS NULL",
}
# The condition for deleting a game document, which does not belong to a league.
UNUSED = " AND ".join(
    f"NOT EXISTS (SELECT 1 FROM {table} u WHERE u.document_id = OLD.hash)"  # noqa: S608
    for table in ("league_revision", "league_conflictingrecord", "league_housegameversion")
)
COUNTERS = {"version"}  # counters increase with every write and are not part of the content
# On PostgreSQL, an erasure or renaming sets this variable in its transaction. The variable only
# allows texts to be rewritten.
RENAMING = "league.renaming"


@dataclass(frozen=True, slots=True)
class ProtectedTable:
    """A protected table. Only `renaming` allows changes to `words`.

    `who` may be emptied, and `free` may change. `kept` is an SQL condition on the old row under
    which a deletion is rejected, or "".
    """

    table: str
    fixed: tuple[str, ...]
    words: tuple[str, ...]
    who: tuple[str, ...]
    later: tuple[str, ...]
    free: tuple[str, ...]
    keys: tuple[str, ...]
    kept: str


def install_after_migrate(using: str, **_: object) -> None:
    """Handle post_migrate: install the triggers."""
    guards.install(connections[using], league())


def remove_before_migrate(using: str, plan: list[tuple[Migration, bool]], **_: object) -> None:
    """Handle pre_migrate: remove the triggers on SQLite.

    SQLite can't rename a table that another table's trigger references.
    """
    if connections[using].vendor == "sqlite" and any(
        migration.app_label in {"league", "ledger"} for migration, _ in plan
    ):
        guards.remove(connections[using], league())


def league() -> Guards:
    """Return the triggers for the league tables."""
    return Guards("league", tuple(each.table for each in _protected_tables()), _of)


@contextmanager
def renaming() -> Iterator[None]:
    """Allow an erasure or a new name to rewrite words in sealed rows, in this transaction.

    On PostgreSQL, the triggers stay, because removing them would wait for the transactions of all
    active players. SQLite runs one writing transaction at a time.
    """
    connection.check_constraints()
    if connection.vendor == "sqlite":
        guards.remove(connection, league())
        yield
        guards.install(connection, league())
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, 'on', true)", [RENAMING])
        yield
        cursor.execute("SELECT set_config(%s, '', true)", [RENAMING])


@cache
def _protected_tables() -> tuple[ProtectedTable, ...]:
    from league.journal.sealed_rows import TABLES  # noqa: PLC0415
    from league.models import (  # noqa: PLC0415 (ready by now)
        ClosingSignature,
        JournalEntry,
        JournalHead,
        Player,
        SigningKey,
    )
    from ledger.models import Posting  # noqa: PLC0415

    tables = [
        _table(
            table.model,
            tuple(name for name in table.fixed if name not in table.rewritable),
            (*table.words, *table.rewritable),
            table.who,
            table.later,
            deletable=table.deletable,
        )
        for table in TABLES
        # Players can change. Postings are protected by the ledger.
        if table.model not in {Player, Posting}
    ]
    signed = ("closing_id", "key_id", "statement", "signature", "imported_at")
    return (
        *tables,
        _table(JournalEntry, _columns(JournalEntry)),
        _table(JournalHead, ("chain", "league_id")),
        _table(SigningKey, _columns(SigningKey)),
        _table(ClosingSignature, signed, words=("salt", "names")),
    )


def _columns(model: type[Model]) -> tuple[str, ...]:
    return tuple(each.attname for each in model._meta.concrete_fields)  # noqa: SLF001 (public)


def _table(
    model: type[Model],
    fixed: tuple[str, ...],
    words: tuple[str, ...] = (),
    who: tuple[str, ...] = (),
    later: tuple[str, ...] = (),
    *,
    deletable: bool = False,
) -> ProtectedTable:
    meta = model._meta  # noqa: SLF001 (public)
    columns = {each.attname: str(each.column) for each in meta.concrete_fields}
    protected = {*fixed, *words, *who}
    # the conditions under which an existing row has the same unique key as the new row
    keys = [_same(str(column.column)) for column in meta.concrete_fields if column.unique]
    for constraint in meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            names = [str(meta.get_field(name).column) for name in constraint.fields]  # type: ignore[union-attr]
            where = PARTIAL[constraint.name] if constraint.condition else ""
            both = [where.format(row=row) for row in ("r", "NEW") if where]
            keys.append(" AND ".join([*map(_same, names), *both]))
    return ProtectedTable(
        meta.db_table,
        fixed=tuple(columns[name] for name in fixed),
        words=tuple(columns[name] for name in words),
        who=tuple(columns[name] for name in who),
        later=tuple(columns[name] for name in later),
        free=tuple(column for name, column in columns.items() if name not in protected | COUNTERS),
        keys=tuple(keys),
        kept="" if deletable else f"NOT ({_deletable(model)})",
    )


def _deletable(model: type[Model]) -> str:
    """Return the SQL condition for deletable rows: their league has a disposable book."""
    way = path_to_league(model)
    if not way:
        return UNUSED
    key = ""
    for name in (*way.split(LINK), "book"):
        meta = model._meta  # noqa: SLF001 (public)
        field: Any = meta.get_field(name)
        if key:
            column, pk = field.column, meta.pk.column
            key = f"(SELECT r.{column} FROM {meta.db_table} r WHERE r.{pk} = {key})"  # noqa: S608
        else:
            key = f"OLD.{field.column}"
        model = field.related_model
    return DISPOSABLE.format(book=key)


def _same(column: str) -> str:
    return f'r."{column}" = NEW."{column}"'


def _of(vendor: str) -> tuple[Guard, ...]:
    return tuple({"sqlite": _sqlite, "postgresql": _postgresql}[vendor]())


def _changes(table: ProtectedTable, vendor: str) -> Iterator[str]:
    """Yield the conditions under which a change to a row is rejected."""
    sides = {"new": "NEW", "old": "OLD"}
    for column in table.fixed:
        yield CHANGED[vendor].format(column=column, **sides)
    for column in table.words:
        changed = CHANGED[vendor].format(column=column, **sides)
        still = f" AND coalesce(current_setting('{RENAMING}', true), '') <> 'on'"
        yield changed if vendor == "sqlite" else f"({changed}{still})"
    for column in table.who:
        other = OTHER.format(column=column, **sides)
        yield f"({other} AND OLD.state <> 'waiting')" if column in table.later else other
    if never := NEVER.get(table.table):
        touched = " OR ".join(
            CHANGED[vendor].format(column=column, **sides) for column in table.free
        )
        yield f"(({touched}) AND ({never.format(**sides)}))"


def _refusal(table: str, event: str) -> str:
    return KEPT.format(what=f"{event} on {table}")


def _sqlite() -> Iterator[Guard]:
    for protected in _protected_tables():
        table, columns = (
            protected.table,
            ", ".join(f'"{each}"' for each in _watched(protected)),
        )
        update = sqlite_abort(
            _refusal(table, "UPDATE"), where=" OR ".join(_changes(protected, "sqlite"))
        )
        taken = " UNION ALL ".join(f"SELECT 1 FROM {table} r WHERE {key}" for key in protected.keys)  # noqa: S608
        if protected.kept:
            refused = sqlite_abort(_refusal(table, "DELETE"), where=protected.kept)
            yield sqlite_trigger(table, "kept", "BEFORE DELETE", refused)
        yield sqlite_trigger(table, "fixed", f"BEFORE UPDATE OF {columns}", update)
        # A comment in ledger/triggers.py explains why this only rejects replaced rows.
        yield sqlite_trigger(
            table, "not_replaced", "BEFORE INSERT", f"INSERT INTO ledger_guard {taken};"
        )


def _watched(table: ProtectedTable) -> tuple[str, ...]:
    """Return the columns that the trigger checks for changes."""
    free = table.free if table.table in NEVER else ()
    return (*table.fixed, *table.words, *table.who, *free)


def _postgresql() -> Iterator[Guard]:
    refuse = postgresql_raise(f"format('{KEPT.format(what='%s on %s')}', TG_OP, TG_TABLE_NAME)")
    yield postgresql_function("league_refuse", refuse)
    for protected in _protected_tables():
        table = protected.table
        changed = " OR ".join(_changes(protected, "postgresql"))
        yield postgresql_function(f"{table}_fix", f"IF {changed} THEN {refuse} END IF; RETURN NEW;")
        columns = ", ".join(map(_quoted, _watched(protected)))
        update = f"BEFORE UPDATE OF {columns}"
        yield postgresql_trigger(table, "fixed", update, "FOR EACH ROW", f"{table}_fix")
        if protected.kept:
            keep = f"IF {protected.kept} THEN {refuse} END IF; RETURN OLD;"
            yield postgresql_function(f"{table}_keep", keep)
            yield postgresql_trigger(
                table, "kept", "BEFORE DELETE", "FOR EACH ROW", f"{table}_keep"
            )
            yield postgresql_trigger(
                table, "filled", "BEFORE TRUNCATE", "FOR EACH STATEMENT", "league_refuse"
            )


def _quoted(column: str) -> str:
    """Return the name as PostgreSQL displays it."""
    return f'"{column}"' if column == "position" else column
