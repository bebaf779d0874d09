"""What is asked together is answered as if each had been asked alone (docs/decisions/0032)."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import (
    DatabaseError,
    DataError,
    OperationalError,
    connection,
    connections,
    transaction,
)
from django.test.utils import CaptureQueriesContext

from ledger.asked import Asked, ask, pipelined
from ledger.models import Account, Book
from ledger.posting import open_book

pytestmark = pytest.mark.django_db
only_postgresql = pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite answers each at once"
)

NAMED = "UPDATE ledger_book SET name = %s WHERE id = %s RETURNING name"
NAME = "SELECT name FROM ledger_book WHERE id = %s"
KEYS = "SELECT key FROM ledger_account WHERE book_id = %s AND key IN %s ORDER BY id"
WRONG = "INSERT INTO ledger_account (key) VALUES (%s)"
ODD = ('a"b', "{a,b}", "a\\b", "100 %s %%", "NULL", "", "žluťoučký 🂡", "it's")


def names(*asked: Asked) -> list[Any]:
    return [each.rows()[0][0] for each in asked]


def test_each_sees_what_those_before_it_wrote() -> None:
    book = open_book("first")
    with pipelined():
        before, named, after = ask(NAME, book.pk), ask(NAMED, "second", book.pk), ask(NAME, book.pk)
        assert names(before, named, after) == ["first", "second", "second"]
        last = ask(NAMED, "third", book.pk)
    assert names(last) == ["third"]
    assert Book.objects.get(pk=book.pk).name == "third"


def test_what_else_is_sent_meanwhile_goes_after_them() -> None:
    book = open_book("first")
    with pipelined():
        ask(NAMED, "second", book.pk)
        assert Book.objects.get(pk=book.pk).name == "second"
        Book.objects.filter(pk=book.pk).update(name="third")
        assert names(ask(NAME, book.pk)) == ["third"]


def test_one_that_fails_is_told_and_none_after_it_is_run() -> None:
    book = open_book("first")
    for waits in (True, True, False):  # when they are new, and known; told at the end
        with pytest.raises(DatabaseError):
            fail(book, waits=waits)
        assert names(ask(NAME, book.pk), ask(NAMED, "first", book.pk)) == ["first", "first"]


@transaction.atomic
def fail(book: Book, *, waits: bool) -> None:
    with pipelined():
        named = ask(NAMED, "second", book.pk)
        ask(WRONG, "key")
        ask(NAMED, "third", book.pk)
        if waits:
            named.rows()


@only_postgresql  # SQLite has done each at once, and the transaction is rolled back
def test_nothing_is_sent_where_the_block_ends_with_an_error() -> None:
    book = open_book("first")
    with pytest.raises(ZeroDivisionError), pipelined():
        _ = ask(NAMED, "second", book.pk), 1 / 0
    assert names(ask(NAME, book.pk)) == ["first"]


@pytest.mark.parametrize("together", [False, True])
def test_values_come_back_as_they_were_sent(together: bool) -> None:
    book = open_book()
    Account.objects.bulk_create(Account(book=book, key=key or "-", kind="pot") for key in ODD)
    for text in ODD:
        with pipelined() if together else transaction.atomic():
            asked = ask(NAMED, text, book.pk), ask(NAME, book.pk)
        assert names(*asked) == [text, text]
    wanted = [key for key in ODD if key]
    assert [key for (key,) in ask(KEYS, book.pk, wanted).rows()] == wanted
    assert ask(KEYS, book.pk, [*wanted[:1], "another"]).rows() == [(wanted[0],)]
    assert ask(NAME, uuid4()).rows() == []


@only_postgresql  # SQLite takes it as it is
def test_a_nul_is_refused_and_cuts_nothing_off() -> None:
    book = open_book("first")
    for values in (("a\0b", book.pk), (["a\0b"], book.pk)):
        with pytest.raises(DataError):
            Asked(NAMED, values)
    assert names(ask(NAME, book.pk)) == ["first"]


def test_more_are_asked_than_are_kept_ready() -> None:
    book = open_book("first")
    for _ in range(2):
        for number in range(300):
            sql = f"{NAME} AND {number} = {number}"
            assert names(ask(sql, book.pk)) == ["first"]


def test_megabytes_go_and_come() -> None:
    book, text = open_book(), "x" * 3_000_000
    large = "SELECT CAST(%s AS text) FROM ledger_book WHERE id = %s"
    with pipelined():
        asked = [ask(large, text, book.pk) for _ in range(4)]
    assert names(*asked) == [text] * 4


def test_who_counts_queries_sees_each() -> None:
    book = open_book("first")
    with CaptureQueriesContext(connection) as seen, pipelined():
        ask(NAME, book.pk)
        ask(NAMED, "second", book.pk)
    assert len(seen) == 2


@only_postgresql  # SQLite has no server that goes
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("before", [0, 2])
def test_a_server_that_goes_is_told_and_a_new_connection_is_as_good(before: int) -> None:
    book = open_book("first")
    with pytest.raises(OperationalError):
        end_the_connection(book, before)
    connection.close_if_unusable_or_obsolete()
    assert names(ask(NAME, book.pk), ask(NAMED, "first", book.pk)) == ["first", "first"]


@transaction.atomic
def end_the_connection(book: Book, before: int) -> None:
    with pipelined():
        for _ in range(before):
            ask(NAMED, "second", book.pk)
        ask("SELECT pg_terminate_backend(pg_backend_pid())")
        ask(NAMED, "third", book.pk)


@only_postgresql  # on SQLite nothing waits
def test_no_transaction_begins_or_ends_among_those_that_wait(monkeypatch: Any) -> None:
    book = open_book("first")
    with pytest.raises(RuntimeError, match="transaction"), pipelined():
        ask(NAME, book.pk), monkeypatch.setattr(connections["default"], "in_atomic_block", False)
    monkeypatch.undo()
    assert names(ask(NAME, book.pk)) == ["first"]
