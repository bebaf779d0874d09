"""The database rejects changes to ledger rows by any client and any statement."""

# ruff: noqa: S608 (the statements are put together from names of this file)

import sqlite3
from contextlib import closing
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import utils

from ledger import guards, triggers
from ledger.audit import audit
from ledger.models import Account, Book, Posting, Transfer
from ledger.posting import post, reverse
from tests.helpers.league.books import BUY_IN, move, played

pytestmark = pytest.mark.django_db

MODELS = (Book, Account, Posting, Transfer)
SQLITE = connection.vendor == "sqlite"
only_sqlite = pytest.mark.skipif(not SQLITE, reason="SQLite's own trap")
only_postgresql = pytest.mark.skipif(SQLITE, reason="PostgreSQL's own trap")


def execute(sql, *values):
    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)


def refused(sql, *values, match="append-only"):
    before = everything()
    with pytest.raises(IntegrityError, match=match), transaction.atomic():
        execute(sql, *values)
    assert everything() == before


def everything():
    return [list(model.objects.order_by("pk").values_list()) for model in MODELS]


@pytest.mark.parametrize("model", MODELS)
def test_deleting_rows_is_refused(model):
    played()
    refused(f"DELETE FROM {model._meta.db_table}")


def test_only_rows_in_a_disposable_book_can_be_deleted():
    permanent, book = played(), played(disposable=True)
    refused(f"DELETE FROM {Transfer._meta.db_table}")
    for model in (Transfer, Posting, Account):
        model.objects.filter(book=book)._raw_delete("default")
    Book.objects.filter(pk=book.pk)._raw_delete("default")
    assert list(Book.objects.all()) == [permanent]
    assert audit() == []


@pytest.mark.parametrize("model", MODELS)
def test_changing_rows_is_refused(model):
    played()
    for field in model._meta.concrete_fields:
        refused(f"UPDATE {model._meta.db_table} SET {field.column} = {field.column}")


def test_error_message_states_what_to_do_instead():
    played()
    message = (
        "the ledger is append-only: UPDATE on ledger_transfer is refused, "
        "correct a posting by reversing it"
    )
    refused("UPDATE ledger_transfer SET amount = 1", match=message)


def test_changes_through_the_orm_are_refused():
    book = played()
    transfer = Transfer.objects.last()
    for change in (
        transfer.save,
        transfer.delete,
        book.postings.get(key="hand").save,
        lambda: Transfer.objects.update(amount=1),
        lambda: Transfer.objects.bulk_update([transfer], ["amount"]),
        lambda: Account.objects.update(kind="other"),
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()


@only_postgresql
@pytest.mark.parametrize("model", MODELS)
def test_truncating_tables_is_refused(model):
    played()
    connection.check_constraints()
    refused(f"TRUNCATE {model._meta.db_table} CASCADE")


@only_postgresql
def test_upsert_is_refused():
    played()
    refused(
        "INSERT INTO ledger_transfer SELECT * FROM ledger_transfer "
        "ON CONFLICT (id) DO UPDATE SET amount = 1"
    )


def columns(model, *, replaced):
    """Return an INSERT's columns and values that copy rows with some values replaced."""
    names = [field.column for field in model._meta.concrete_fields]
    return ", ".join(names), ", ".join(replaced.get(name, name) for name in names)


@only_sqlite
@pytest.mark.parametrize("recursive", ["ON", "OFF"])
@pytest.mark.parametrize(
    ("model", "replaced"),
    [
        (Book, {}),
        (Account, {"kind": "'other'"}),
        (Account, {"id": "NULL", "kind": "'other'"}),
        (Account, {"key": "key || 'x'"}),
        (Posting, {"memo": "'other'"}),
        (Posting, {"id": "NULL", "reverses_id": "NULL"}),
        (Posting, {"id": "NULL", "key": "key || 'x'", "reverses_id": "coalesce(reverses_id, 2)"}),
        (Transfer, {"amount": "1"}),
        (Transfer, {"id": "NULL", "reverses_id": "NULL"}),
        (
            Transfer,
            {"id": "NULL", "position": "id + 50", "reverses_id": "coalesce(reverses_id, 3)"},
        ),
    ],
)
def test_insert_or_replace_does_not_bypass_the_triggers(model, replaced, recursive):
    reverse(played().postings.get(key="hand"), "undo")
    into, values = columns(model, replaced=replaced)
    table = model._meta.db_table
    execute(f"PRAGMA recursive_triggers = {recursive}")
    try:
        refused(
            f"INSERT OR REPLACE INTO {table} ({into}) SELECT {values} FROM {table}",
            match="never replaced",
        )
    finally:
        execute("PRAGMA recursive_triggers = ON")


@only_sqlite
def test_update_or_replace_and_upserts_do_not_bypass_the_triggers():
    played()
    refused("UPDATE OR REPLACE ledger_transfer SET id = 1")
    refused("UPDATE OR REPLACE ledger_account SET id = 1")
    refused("UPDATE OR IGNORE ledger_transfer SET amount = 1")
    refused(
        "INSERT INTO ledger_transfer SELECT * FROM ledger_transfer WHERE true "
        "ON CONFLICT (id) DO UPDATE SET amount = 1",
        match="never replaced",
    )


@pytest.mark.django_db(transaction=True)
@only_sqlite
def test_changes_through_a_raw_connection_are_refused():
    played()
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as raw:
        for sql, message in (
            ("UPDATE ledger_transfer SET amount = 1", "append-only"),
            ("DELETE FROM ledger_transfer", "append-only"),
            ("REPLACE INTO ledger_transfer SELECT * FROM ledger_transfer", "never replaced"),
            ("REPLACE INTO ledger_account SELECT * FROM ledger_account", "never replaced"),
        ):
            with pytest.raises(sqlite3.IntegrityError, match=message):
                raw.execute(sql)
    assert audit() == []


@only_sqlite
@pytest.mark.parametrize("amount", ["1.5", "'many'"])
def test_amount_that_is_not_an_integer_is_refused(amount):
    played()
    into, values = columns(Transfer, replaced={"id": "NULL", "position": "99", "amount": amount})
    refused(
        f"INSERT INTO ledger_transfer ({into}) SELECT {values} FROM ledger_transfer LIMIT 1",
        match="whole number|is_positive",
    )


def test_conflict_raises_integrity_error_unless_conflicts_are_ignored():
    book = played()
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(book=book, key="tab:ann", kind="other")
    keys = ("tab:ann", "tab:cat", "tab:bob")
    Account.objects.bulk_create(
        [Account(book=book, key=key, kind="tab") for key in keys], ignore_conflicts=True
    )
    assert book.accounts.filter(kind="tab").count() == 3
    account, made = Account.objects.get_or_create(book=book, key="tab:cat")
    assert (account.kind, made) == ("tab", False)


def test_every_trigger_exists_and_is_named_after_its_table():
    assert guards.missing(connection, triggers.GUARDS) == []
    assert triggers.check_guards(databases=["default"]) == []


def test_only_missing_guards_are_created(
    django_assert_num_queries,
):
    guards.remove(connection, triggers.GUARDS)
    assert set(guards.missing(connection, triggers.GUARDS)) == {
        guard.name for guard in triggers.GUARDS.for_vendor(connection.vendor)
    }
    guards.install(connection, triggers.GUARDS)
    assert guards.missing(connection, triggers.GUARDS) == []
    with django_assert_num_queries(2):
        guards.install(connection, triggers.GUARDS)


def weaker(name):
    """Replace a trigger on the transfer table with a no-op trigger of the same name."""
    if SQLITE:
        execute(f"DROP TRIGGER {name}")
        execute(f"CREATE TRIGGER {name} BEFORE UPDATE ON ledger_transfer BEGIN SELECT 1; END")
    else:
        execute(f"ALTER TABLE ledger_transfer DISABLE TRIGGER {name}")


def test_altered_or_disabled_trigger_is_reported_as_missing():
    weaker("ledger_transfer_fixed")
    assert guards.missing(connection, triggers.GUARDS) == ["ledger_transfer_fixed"]
    assert [each.code for each in audit()] == ["unguarded"]
    assert [each.id for each in triggers.check_guards(databases=["default"])] == ["ledger.W001"]
    guards.install(connection, triggers.GUARDS)
    assert guards.missing(connection, triggers.GUARDS) == []


@only_postgresql
def test_altered_trigger_function_is_reported_as_missing():
    execute(
        "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql "
        "AS $$BEGIN RETURN NEW; END$$"
    )
    assert guards.missing(connection, triggers.GUARDS) == ["ledger_refuse"]
    guards.install(connection, triggers.GUARDS)
    assert guards.missing(connection, triggers.GUARDS) == []


@only_postgresql
@pytest.mark.parametrize("planned_from", ["statistics", "nothing"])
def test_guards_do_not_read_more_rows_as_the_ledger_grows(planned_from):
    """A connection keeps a query plan that was created while the ledger was small."""
    book = played()
    if planned_from == "statistics":
        execute("ANALYZE ledger_posting, ledger_transfer, ledger_account")
    short = rows_read_by_guards()
    for number in range(60):
        post(book, f"hand {number}", [move("stack:ann", f"pot:{number}", 1)])
    assert rows_read_by_guards() == short


def rows_read_by_guards():
    """Return how many ledger rows are read when another transfer is added to the last posting."""
    last = Transfer.objects.latest("pk")
    before = rows_read()
    Transfer.objects.create(
        book_id=last.book_id,
        posting_id=last.posting_id,
        position=9,
        debit_id=last.debit_id,
        credit_id=last.credit_id,
        amount=1,
    )
    return rows_read() - before


def rows_read():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))"
            " FROM pg_stat_xact_user_tables WHERE relname LIKE 'ledger_%'"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
@only_sqlite
def test_rebuilt_table_loses_its_triggers_until_the_next_migrate():
    book = played()
    with connection.schema_editor() as editor:
        editor._remake_table(Transfer)
    lost = {name.partition("_")[2] for name in guards.missing(connection, triggers.GUARDS)}
    assert lost == {
        f"transfer_{what}" for what in ("kept", "fixed", "not_replaced", "checked", "whole")
    }
    output = StringIO()
    call_command("check", databases=["default"], tags=["database"], stderr=output)
    call_command("migrate", verbosity=0)
    assert "ledger.W001" in output.getvalue()
    assert guards.missing(connection, triggers.GUARDS) == []
    assert audit(book) == []


@pytest.fixture
def later_version(settings):
    """Migrate the ledger to a later version, and back after the test."""
    settings.MIGRATION_MODULES = {"ledger": "tests.ledger.later.migrations"}
    yield lambda: call_command("migrate", "ledger", verbosity=0)
    call_command("migrate", "ledger", "0003", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_migration_of_every_table_leaves_rows_and_guards_unchanged(later_version):
    reverse(played().postings.get(key="hand"), "undo")
    before = everything()
    later_version()
    assert guards.missing(connection, triggers.GUARDS) == []
    assert audit() == []
    assert everything() == before
    for model in MODELS:
        refused(f"DELETE FROM {model._meta.db_table}")


def test_database_without_ledger_tables_reports_no_missing_guards():
    with transaction.atomic():
        for table in reversed(triggers.TABLES):
            execute(f"DROP TABLE {table}" + ("" if SQLITE else " CASCADE"))
        assert guards.missing(connection, triggers.GUARDS) == []
        guards.install(connection, triggers.GUARDS)
        transaction.set_rollback(True)
    assert guards.missing(connection, triggers.GUARDS) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_again", range(2))
def test_flush_between_tests_empties_the_ledger_and_keeps_its_guards(_again):
    assert not Book.objects.exists()
    assert guards.missing(connection, triggers.GUARDS) == []
    reverse(played().postings.get(key="hand"), "undo")
    call_command("flush", interactive=False, inhibit_post_migrate=True)
    assert not Book.objects.exists()
    assert guards.missing(connection, triggers.GUARDS) == []
    played()


@pytest.mark.django_db(transaction=True)
def test_flush_outside_a_test_run_is_refused():
    book = played()
    state = utils._TestState.saved_data
    del utils._TestState.saved_data
    try:
        with pytest.raises(CommandError, match="append-only"):
            call_command("flush", interactive=False)
    finally:
        utils._TestState.saved_data = state
    assert post(book, "buy-in", BUY_IN) == book.postings.get(key="buy-in")
