"""The audits find violations that the triggers normally prevent. The tests remove the triggers."""

from contextlib import contextmanager

import pytest
from django.db import connection

from ledger import guards, triggers
from ledger.audit import (
    Finding,
    altered,
    audit,
    half_reversals,
    impossible,
    in_other_books,
    unbalanced,
    unguarded,
    wrong_mirrors,
)
from ledger.models import Account, Posting, Transfer
from ledger.posting import open_book, post, reverse
from tests.helpers.league.books import played

pytestmark = pytest.mark.django_db


@pytest.fixture
def book():
    """Return a book with a reversed hand. There is a second book, and the triggers are removed."""
    played()
    book = played()
    reverse(book.postings.get(key="hand"), "undo")
    assert audit() == audit(book) == []
    connection.check_constraints()
    guards.remove(connection, triggers.GUARDS)
    return book


def codes(findings):
    return {each.code for each in findings if each.code != "unguarded"}


@contextmanager
def without_constraint(name):
    """Disable check constraints inside the block: all of them on SQLite, this one on PostgreSQL."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if sqlite:
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:
            cursor.execute(f"ALTER TABLE ledger_transfer DROP CONSTRAINT {name}")
        yield
        if sqlite:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


def test_missing_guards_are_found(book):
    names = {guard.name for guard in triggers.GUARDS.for_vendor(connection.vendor)}
    assert {each.ids[0] for each in unguarded()} == names
    assert {each.code for each in audit(book)} == {"unguarded"}


def test_altered_amount_is_found(book):
    transfer = book.transfers.filter(posting__key="buy-in").first()
    Transfer.objects.filter(pk=transfer.pk).update(amount=1)
    posting = str(transfer.posting_id)
    text = f"the transfers of posting {posting} do not match its digest"
    assert altered() == altered(book) == [Finding("altered", text, (posting,))]
    assert codes(audit()) == {"altered"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"key": "another"}, {"altered"}),
        ({"digest": "0" * 64}, {"altered"}),
        ({"reverses": None}, {"altered", "crooked-mirror"}),
    ],
)
def test_altered_posting_is_found(book, change, expected):
    book.postings.filter(key="undo").update(**change)
    assert codes(audit()) == codes(audit(book)) == expected


def test_altered_account_is_found(book):
    book.accounts.filter(key="stack:ann").update(key="stack:eve")
    assert [each.ids for each in altered()] == [
        (str(pk),) for pk in book.postings.order_by("pk").values_list("pk", flat=True)
    ]


def test_deleted_transfer_is_found(book):
    Transfer.objects.filter(posting__key="undo").first().delete()
    assert codes(audit()) == {"altered", "half-reversal"}


def test_inserted_transfer_in_an_old_posting_is_found(book):
    transfer = book.transfers.filter(posting__key="buy-in").first()
    transfer.pk, transfer.position = None, 99
    transfer.save()
    assert codes(audit()) == {"altered"}


def test_transfer_between_books_is_found(book):
    other = open_book()
    ann = Account.objects.create(book=other, key="stack:ann", kind="stack")
    transfer = book.transfers.filter(posting__key="buy-in", credit__key="stack:ann").get()
    Transfer.objects.filter(pk=transfer.pk).update(credit=ann)
    assert in_other_books()[0].ids == (str(transfer.pk),)
    assert {each.ids for each in unbalanced()} == {(str(book.pk),), (str(other.pk),)}
    assert [each.ids for each in unbalanced(other)] == [(str(other.pk),)]
    assert codes(audit()) == {"in-other-books", "unbalanced"}


@pytest.mark.parametrize("field", ["book", "posting"])
def test_transfer_moved_to_another_book_is_found(book, field):
    other = open_book()
    place = {"book": other, "posting": post(other, "x", [])}
    transfer = book.transfers.filter(posting__key="buy-in").first()
    Transfer.objects.filter(pk=transfer.pk).update(**{field: place[field]})
    assert [each.ids for each in in_other_books()] == [(str(transfer.pk),)]


def test_reversal_with_a_different_amount_is_found(book):
    wrong = book.transfers.filter(posting__key="undo", amount=30).first()
    Transfer.objects.filter(pk=wrong.pk).update(amount=29)
    assert [each.ids for each in wrong_mirrors()] == [(str(wrong.pk),)]
    assert codes(audit(book)) == {"altered", "crooked-mirror"}


def test_reversal_whose_transfers_do_not_reference_the_original_is_found(book):
    undo = book.postings.get(key="undo")
    Transfer.objects.filter(posting=undo).update(reverses=None)
    assert [each.ids for each in half_reversals()] == [(str(undo.pk),)]


def test_reversal_of_a_reversal_is_found(book):
    undo = reverse(post(book, "empty", []), "undo empty")
    wrong = Posting.objects.create(book=book, key="redo", reverses=undo, digest="")
    assert [each.ids for each in half_reversals()] == [(str(wrong.pk),)]


def test_reversal_in_a_different_book_is_found(book):
    empty = post(book, "empty", [])
    wrong = Posting.objects.create(book=open_book(), key="a", reverses=empty, digest="")
    assert [each.ids for each in half_reversals()] == [(str(wrong.pk),)]


@pytest.mark.parametrize("amount", [0, -5, 10**15 + 1])
def test_impossible_amounts_are_found(book, amount):
    transfer = book.transfers.filter(posting__key="buy-in").first()
    with without_constraint("ledger_transfer_amount_is_positive"):
        Transfer.objects.filter(pk=transfer.pk).update(amount=amount)
        assert [each.ids for each in impossible()] == [(str(transfer.pk),)]


def test_transfer_from_an_account_to_itself_is_found(book):
    transfer = book.transfers.filter(posting__key="buy-in").first()
    with without_constraint("ledger_transfer_has_two_accounts"):
        Transfer.objects.filter(pk=transfer.pk).update(credit=transfer.debit)
        assert [each.ids for each in impossible()] == [(str(transfer.pk),)]


def test_audit_of_one_book_ignores_other_books(book):
    Transfer.objects.exclude(book=book).update(amount=1)
    assert codes(audit(book)) == set()
    assert codes(audit()) == {"altered"}


def test_empty_ledger_has_no_findings():
    assert not Account.objects.exists()
    assert audit() == []
    assert audit(open_book()) == []
