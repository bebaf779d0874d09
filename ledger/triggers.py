"""The ledger's own triggers, with which the database itself keeps the ledger append-only.

ledger/guards.py has the functions that install triggers. `install` runs after every migration,
because SQLite silently drops a table's triggers when Django rebuilds the table. `missing` compares
the database with this module.
"""

from collections.abc import Iterator

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration

from ledger import guards
from ledger.guards import (
    WHOLE_TABLES,
    Guard,
    Guards,
    abort,
    function,
    raising,
    sqlite_trigger,
    trigger,
)

TABLES = ("ledger_book", "ledger_account", "ledger_posting", "ledger_transfer")
# The unique keys of each table.
SAME_ROW = {
    "ledger_book": ("id",),
    "ledger_account": ("id", "book_id, key"),
    "ledger_posting": ("id", "book_id, key", "reverses_id"),
    "ledger_transfer": ("id", "posting_id, position", "reverses_id"),
}
# The immutable columns of tables in which only the name may change.
NAMED = {
    "ledger_book": ("id", "created", "disposable"),
    "ledger_account": ("id", "book_id", "key", "kind"),
}

APPEND_ONLY = "the ledger is append-only: {what} is refused, correct a posting by reversing it"
ONE_BOOK = "a transfer, its posting and both of its accounts belong to one book"
EXACT_MIRROR = "a reversal mirrors each transfer of the posting that it reverses"
REVERSED_ONCE = "a reversal names a posting of its book that is no reversal itself"
NEVER_REPLACED = "the ledger has this row already, and rows are never replaced"

# Conditions for a {new} row, in SQL for both databases. Referenced rows are looked up by id only:
# with more conditions, a planner may read all accounts of a book.
STAYS_IN_ITS_BOOK = """coalesce(
        {new}.book_id = (SELECT p.book_id FROM ledger_posting p WHERE p.id = {new}.posting_id)
        AND {new}.book_id = (SELECT d.book_id FROM ledger_account d WHERE d.id = {new}.debit_id)
        AND {new}.book_id = (SELECT c.book_id FROM ledger_account c WHERE c.id = {new}.credit_id),
        FALSE)"""
MIRRORS_EXACTLY = """EXISTS (
        SELECT 1 FROM ledger_posting p LEFT JOIN ledger_transfer r ON r.id = {new}.reverses_id
        WHERE p.id = {new}.posting_id AND coalesce(p.reverses_id, 0) = coalesce(r.posting_id, 0)
        AND ({new}.reverses_id IS NULL OR (r.debit_id = {new}.credit_id
            AND r.credit_id = {new}.debit_id AND r.amount = {new}.amount)))"""
REVERSES_A_POSTING = """({new}.reverses_id IS NULL OR coalesce(
        (SELECT r.book_id = {new}.book_id AND r.reverses_id IS NULL
        FROM ledger_posting r WHERE r.id = {new}.reverses_id), FALSE))"""
# Whether the book with this id is disposable: its rows may be deleted, and those of no other book.
DISPOSABLE = "coalesce((SELECT b.disposable FROM ledger_book b WHERE b.id = {book}), FALSE)"
CHECKED = {
    "ledger_posting": ((REVERSES_A_POSTING, REVERSED_ONCE),),
    "ledger_transfer": ((STAYS_IN_ITS_BOOK, ONE_BOOK), (MIRRORS_EXACTLY, EXACT_MIRROR)),
}


def install(connection: BaseDatabaseWrapper) -> None:
    """Recreate all guards if any is missing. Otherwise take no lock and change nothing."""
    guards.install(connection, LEDGER)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop the guards before a test flush or a migration that rewrites rows."""
    guards.remove(connection, LEDGER)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of guards that are missing, altered or disabled.

    The list is empty if the tables do not exist yet.
    """
    return guards.missing(connection, LEDGER)


def lift_before_migrate(using: str, plan: list[tuple[Migration, bool]], **_: object) -> None:
    """Handle pre_migrate: drop the triggers that reference other tables.

    SQLite can't rename a table that a trigger of another table references.
    """
    if connections[using].vendor != "sqlite":
        return
    if any(migration.app_label == "ledger" for migration, _ in plan):
        with connections[using].cursor() as cursor:
            for table in TABLES:
                for what in ("checked", "kept"):
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{what}")


def install_after_migrate(using: str, **_: object) -> None:
    """Handle post_migrate: install the guards."""
    install(connections[using])


def _sqlite() -> Iterator[Guard]:
    # RAISE would also stop INSERT OR IGNORE. A statement inside a trigger inherits the conflict
    # clause of the outer one, and for a CHECK constraint "OR REPLACE" means abort. So writing to
    # this table, which is always empty, rejects only INSERT OR REPLACE and plain INSERT.
    create = (
        f'CREATE TABLE ledger_guard (taken CONSTRAINT "{NEVER_REPLACED}" CHECK (taken IS NULL))'
    )
    yield Guard("ledger_guard", create, "DROP TABLE IF EXISTS ledger_guard", create)
    for table in TABLES:
        kept = abort(_refusal(table, "DELETE"), where=f"NOT {DISPOSABLE.format(book=_book(table))}")
        yield sqlite_trigger(table, "kept", "BEFORE DELETE", kept)
        fixed = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in NAMED.get(table, ()))
        update = abort(_refusal(table, "UPDATE"), where=fixed or "1")
        yield sqlite_trigger(table, "fixed", "BEFORE UPDATE", update)
        yield sqlite_trigger(table, "not_replaced", "BEFORE INSERT", _sqlite_not_replaced(table))
    for table, checks in CHECKED.items():
        body = "\n    ".join(
            abort(text, where="NOT " + check.format(new="NEW")) for check, text in checks
        )
        yield sqlite_trigger(table, "checked", "AFTER INSERT", body)
    whole = abort("an amount is a whole number", where="typeof(NEW.amount) <> 'integer'")
    yield sqlite_trigger("ledger_transfer", "whole", "AFTER INSERT", whole)


def _sqlite_not_replaced(table: str) -> str:
    taken = " UNION ALL ".join(
        f"SELECT 1 FROM {table} WHERE "  # noqa: S608 (names of this file alone)
        + " AND ".join(f"{column} = NEW.{column}" for column in key.split(", "))
        for key in SAME_ROW[table]
    )
    return f"INSERT INTO ledger_guard {taken};"


def _book(table: str) -> str:
    """Return the id of the book of the deleted row, in SQL."""
    return "OLD.id" if table == "ledger_book" else "OLD.book_id"


def _refusal(table: str, event: str) -> str:
    return APPEND_ONLY.format(what=f"{event} on {table}")


def _postgresql() -> Iterator[Guard]:
    refuse = raising(f"format('{APPEND_ONLY.format(what='%s on %s')}', TG_OP, TG_TABLE_NAME)")
    yield function("ledger_refuse", refuse)
    changed = "to_jsonb(NEW) - 'name' IS DISTINCT FROM to_jsonb(OLD) - 'name'"
    yield function("ledger_fixed", f"IF {changed} THEN {refuse} END IF; RETURN NEW;")
    for table in TABLES:
        kept = DISPOSABLE.format(book=_book(table))
        yield function(f"{table}_keep", f"IF NOT {kept} THEN {refuse} END IF; RETURN OLD;")
        fixed = "ledger_fixed" if table in NAMED else "ledger_refuse"
        yield trigger(table, "kept", "BEFORE DELETE", "FOR EACH ROW", f"{table}_keep")
        yield trigger(table, "fixed", "BEFORE UPDATE", "FOR EACH ROW", fixed)
        yield trigger(table, "filled", "BEFORE TRUNCATE", "FOR EACH STATEMENT", "ledger_refuse")
    for table, checks in CHECKED.items():
        yield function(f"{table}_check", _checks_sql(checks) + " RETURN NULL;", off=WHOLE_TABLES)
        # Runs once per statement, which is faster than once per row.
        each = "REFERENCING NEW TABLE AS added FOR EACH STATEMENT"
        yield trigger(table, "checked", "AFTER INSERT", each, f"{table}_check")


def _checks_sql(checks: tuple[tuple[str, str], ...]) -> str:
    return " ".join(
        f"IF EXISTS (SELECT 1 FROM added WHERE NOT {check.format(new='added')})"  # noqa: S608
        f" THEN {raising(repr(text))} END IF;"
        for check, text in checks
    )


GUARDS = {"sqlite": tuple(_sqlite()), "postgresql": tuple(_postgresql())}
LEDGER = Guards("ledger", TABLES, GUARDS.__getitem__)
