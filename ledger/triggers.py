"""The ledger's triggers, which reject invalid changes by any program.

A row can't be changed or replaced. It can be deleted only if its book is disposable. A new transfer
must stay in its book. In a reversal it must mirror a transfer of the reversed posting.

The triggers do not reject a new transfer in an old posting, or a reversal that omits transfers,
because a trigger sees one statement and not the whole posting. `ledger.audit` finds both.
"""

from collections.abc import Iterator, Sequence

from django.core import checks
from django.db import connections
from django.db.migrations import Migration

from ledger import guards
from ledger.guards import (
    PLANNER_SETTINGS_OFF,
    Guard,
    Guards,
    postgresql_function,
    postgresql_raise,
    postgresql_trigger,
    sqlite_abort,
    sqlite_trigger,
)

# The name of a trigger says what it keeps true of a row or a table: kept (not deleted), fixed (not
# updated), filled (not truncated), checked. These names are in databases, so they don't change.
TABLES = ("ledger_book", "ledger_account", "ledger_posting", "ledger_transfer")
# Unique columns that could cause INSERT OR REPLACE to replace a row.
UNIQUE_KEYS = {
    "ledger_book": ("id",),
    "ledger_account": ("id", "book_id, key"),
    "ledger_posting": ("id", "book_id, key", "reverses_id"),
    "ledger_transfer": ("id", "posting_id, position", "reverses_id"),
}

APPEND_ONLY = "the ledger is append-only: {what} is refused, correct a posting by reversing it"
ONE_BOOK = "a transfer, its posting and both of its accounts belong to one book"
EXACT_MIRROR = "each transfer of a reversal mirrors one of the posting that it reverses"
REVERSES_AN_ORIGINAL = "a reversal names a posting of its book that is not itself a reversal"
NEVER_REPLACED = "the ledger has this row already, and rows are never replaced"

# Conditions on a {new} row, in SQL that works on both databases. Referenced rows are looked up only
# by id. With more conditions, a query planner might read all accounts of a book.
STAYS_IN_ITS_BOOK = """coalesce(
        {new}.book_id = (SELECT p.book_id FROM ledger_posting p WHERE p.id = {new}.posting_id)
        AND {new}.book_id = (SELECT d.book_id FROM ledger_account d WHERE d.id = {new}.debit_id)
        AND {new}.book_id = (SELECT c.book_id FROM ledger_account c WHERE c.id = {new}.credit_id),
        FALSE)"""
# A transfer of an ordinary posting reverses nothing. Every transfer of a reversal mirrors one of
# the reversed posting: the same amount in the other direction.
MIRRORS_EXACTLY = """EXISTS (
        SELECT 1 FROM ledger_posting p LEFT JOIN ledger_transfer r ON r.id = {new}.reverses_id
        WHERE p.id = {new}.posting_id AND coalesce(p.reverses_id, 0) = coalesce(r.posting_id, 0)
        AND ({new}.reverses_id IS NULL OR (r.debit_id = {new}.credit_id
            AND r.credit_id = {new}.debit_id AND r.amount = {new}.amount)))"""
REVERSES_A_POSTING = """({new}.reverses_id IS NULL OR coalesce(
        (SELECT r.book_id = {new}.book_id AND r.reverses_id IS NULL
        FROM ledger_posting r WHERE r.id = {new}.reverses_id), FALSE))"""
# Whether the book with this id is disposable. Only rows of disposable books can be deleted.
DISPOSABLE = "coalesce((SELECT b.disposable FROM ledger_book b WHERE b.id = {book}), FALSE)"
# Conditions on a new row in these tables, each with the error raised if it is violated.
CONDITIONS = {
    "ledger_posting": ((REVERSES_A_POSTING, REVERSES_AN_ORIGINAL),),
    "ledger_transfer": ((STAYS_IN_ITS_BOOK, ONE_BOOK), (MIRRORS_EXACTLY, EXACT_MIRROR)),
}


def install_after_migrate(using: str, **_: object) -> None:
    """Handle post_migrate: install the guards."""
    guards.install(connections[using], GUARDS)


def remove_before_migrate(using: str, plan: list[tuple[Migration, bool]], **_: object) -> None:
    """Handle pre_migrate: remove the guards on SQLite.

    SQLite can't rename a table that a trigger of another table references.
    """
    connection = connections[using]
    migrates = any(migration.app_label == "ledger" for migration, _ in plan)
    if migrates and connection.vendor == "sqlite":
        guards.remove(connection, GUARDS)


def check_guards(databases: Sequence[str] | None = None, **_: object) -> list[checks.CheckMessage]:
    """Return a system check warning for each database that lacks guards.

    This is not an error, because `migrate` runs the checks before it installs the guards.
    """
    return [
        checks.Warning(
            f"The database {alias!r} lacks guards of the ledger: {', '.join(names)}.",
            hint="Run migrate: it installs them again.",
            id="ledger.W001",
        )
        for alias in databases or ()
        if (names := guards.missing(connections[alias], GUARDS))
    ]


def _sqlite() -> Iterator[Guard]:
    # INSERT OR REPLACE would delete the old row without running its delete trigger. INSERT OR
    # IGNORE changes nothing, so it may pass, but RAISE would stop it too. Therefore, the trigger
    # inserts into this table, which is always empty. A statement inside a trigger inherits the
    # conflict clause of the outer statement. If a CHECK constraint fails, "OR IGNORE" skips the
    # row, and "OR REPLACE" and a plain INSERT abort.
    create = (
        f'CREATE TABLE ledger_guard (taken CONSTRAINT "{NEVER_REPLACED}" CHECK (taken IS NULL))'
    )
    yield Guard("ledger_guard", create, "DROP TABLE IF EXISTS ledger_guard", create)
    for table in TABLES:
        no_delete = sqlite_abort(
            _refusal(table, "DELETE"), where=f"NOT {DISPOSABLE.format(book=_book(table))}"
        )
        yield sqlite_trigger(table, "kept", "BEFORE DELETE", no_delete)
        no_update = sqlite_abort(_refusal(table, "UPDATE"))
        yield sqlite_trigger(table, "fixed", "BEFORE UPDATE", no_update)
        taken = " UNION ALL ".join(
            f"SELECT 1 FROM {table} WHERE "  # noqa: S608 (names of this file alone)
            + " AND ".join(f"{column} = NEW.{column}" for column in key.split(", "))
            for key in UNIQUE_KEYS[table]
        )
        not_replaced = f"INSERT INTO ledger_guard {taken};"
        yield sqlite_trigger(table, "not_replaced", "BEFORE INSERT", not_replaced)
    for table, conditions in CONDITIONS.items():
        body = "\n    ".join(
            sqlite_abort(text, where="NOT " + condition.format(new="NEW"))
            for condition, text in conditions
        )
        yield sqlite_trigger(table, "checked", "AFTER INSERT", body)
    whole = sqlite_abort("an amount is a whole number", where="typeof(NEW.amount) <> 'integer'")
    yield sqlite_trigger("ledger_transfer", "whole", "AFTER INSERT", whole)


def _book(table: str) -> str:
    """Return the SQL for the book id of the deleted row."""
    return "OLD.id" if table == "ledger_book" else "OLD.book_id"


def _refusal(table: str, event: str) -> str:
    return APPEND_ONLY.format(what=f"{event} on {table}")


def _postgresql() -> Iterator[Guard]:
    refusal = postgresql_raise(
        f"format('{APPEND_ONLY.format(what='%s on %s')}', TG_OP, TG_TABLE_NAME)"
    )
    yield postgresql_function("ledger_refuse", refusal)
    for table in TABLES:
        may_delete = DISPOSABLE.format(book=_book(table))
        yield postgresql_function(
            f"{table}_keep", f"IF NOT {may_delete} THEN {refusal} END IF; RETURN OLD;"
        )
        yield postgresql_trigger(table, "kept", "BEFORE DELETE", "FOR EACH ROW", f"{table}_keep")
        yield postgresql_trigger(table, "fixed", "BEFORE UPDATE", "FOR EACH ROW", "ledger_refuse")
        yield postgresql_trigger(
            table, "filled", "BEFORE TRUNCATE", "FOR EACH STATEMENT", "ledger_refuse"
        )
    for table, conditions in CONDITIONS.items():
        statements = " ".join(
            f"IF EXISTS (SELECT 1 FROM added WHERE NOT {condition.format(new='added')})"  # noqa: S608
            f" THEN {postgresql_raise(repr(text))} END IF;"
            for condition, text in conditions
        )
        body = f"{statements} RETURN NULL;"
        yield postgresql_function(f"{table}_check", body, off=PLANNER_SETTINGS_OFF)
        # Runs once per statement, which is faster than once per row.
        each = "REFERENCING NEW TABLE AS added FOR EACH STATEMENT"
        yield postgresql_trigger(table, "checked", "AFTER INSERT", each, f"{table}_check")


_BY_VENDOR = {"sqlite": tuple(_sqlite()), "postgresql": tuple(_postgresql())}
GUARDS = Guards("ledger", TABLES, _BY_VENDOR.__getitem__)
