"""Rows that are made at once are those that the ORM makes."""

from typing import Any
from uuid import uuid4

import pytest
from django.db.models import Model
from django.db.models.signals import post_init

from ledger.models import Account, Posting
from ledger.posting import open_book
from ledger.rows import new_row, row_of

pytestmark = pytest.mark.django_db

ACCOUNT = {"book_id": uuid4(), "key": "a", "kind": "pot"}
POSTING = {"book_id": uuid4(), "key": "a", "digest": "d", "memo": "m", "actor": ""}


def columns(row: Model) -> dict[str, object]:
    return {key: value for key, value in vars(row).items() if key not in {"_state", "made_at"}}


@pytest.mark.parametrize(("model", "values"), [(Account, ACCOUNT), (Posting, POSTING)])
def test_a_new_row_has_the_columns_and_defaults_of_the_orm(model: Any, values: Any) -> None:
    made, told = new_row(model, **values), model(**values)
    assert columns(made) == columns(told)
    assert vars(made).keys() == vars(told).keys()
    assert made._state.adding


def test_a_new_row_knows_the_row_that_it_refers_to(django_assert_num_queries: Any) -> None:
    book = open_book("home")
    with django_assert_num_queries(0):
        made = new_row(Account, book=book, key="a", kind="pot")
        assert (made.book, made.book_id) == (book, book.pk)
    assert columns(made) == columns(Account(book=book, key="a", kind="pot"))


def test_what_a_column_is_by_default_is_made_anew() -> None:
    first, second = (new_row(Posting, **POSTING) for _ in range(2))
    assert first.made_at < second.made_at


def test_a_row_that_was_read_is_saved_and_refers_as_any_other() -> None:
    book = open_book("home")
    account = Account.objects.create(book=book, key="a", kind="pot")
    names = [each.attname for each in Account._meta.concrete_fields]
    read = row_of(Account, names, [vars(account)[name] for name in names], "default")
    assert (read, read.book) == (account, book)
    assert not read._state.adding
    read.name = "Ann"
    read.save(update_fields=["name"])
    assert Account.objects.get().name == "Ann"


def test_a_column_that_was_not_read_is_read_when_it_is_wanted() -> None:
    account = Account.objects.create(book=open_book(), key="a", kind="pot", name="Ann")
    read = row_of(Account, ["id", "key"], [account.pk, "a"], "default")
    assert read.get_deferred_fields() == {"book_id", "kind", "name"}
    assert read.name == "Ann"


def test_who_listens_to_rows_hears_of_these() -> None:
    heard: list[str] = []

    def hear(instance: Account, **_: Any) -> None:
        heard.append(instance.key)

    post_init.connect(hear, sender=Account)
    try:
        new_row(Account, **ACCOUNT)
    finally:
        post_init.disconnect(hear, sender=Account)
    assert heard == ["a"]
