"""Postings are atomic, idempotent and corrected only by reversal."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from django.db import transaction

from ledger import sql
from ledger.balances import balances
from ledger.models import Account, Book, NewPosting, NewTransfer, Posting, Transfer
from ledger.posting import open_book, post, post_many, reverse
from ledger.validation import AlreadyReversedError, KeyReusedError, ReversalOfReversalError
from tests.helpers.league.books import BUY_IN, HAND, at, move, played

pytestmark = pytest.mark.django_db


def test_chips_leave_the_debit_account_and_enter_the_credit_account():
    book = open_book()
    post(book, "a", [move("tab:ann", "stack:ann", 40)])
    assert balances(book) == {"tab:ann": -40, "stack:ann": 40}


def test_posting_stores_its_description_and_time_in_order():
    before = datetime.now(UTC)
    posting = post(open_book(), "a", HAND, memo="Hand 1", actor="scorekeeper")
    assert (posting.key, posting.memo, posting.actor) == ("a", "Hand 1", "scorekeeper")
    assert before <= posting.made_at <= datetime.now(UTC)
    rows = posting.transfers.order_by("position").values_list("debit__key", "credit__key", "amount")
    assert [move(*row) for row in rows] == list(HAND)


def test_posting_to_an_existing_key_reuses_the_account():
    book = played()
    ann = book.accounts.get(key="stack:ann")
    assert ann.kind == "stack"
    post(book, "b", [NewTransfer(ann, at("tab:ann"), 5)])
    assert book.accounts.filter(key="tab:ann").count() == 1


def test_new_rows_get_their_own_keys_in_whatever_order_the_database_returns_them(monkeypatch):
    book, answer = open_book(), sql.query
    monkeypatch.setattr(sql, "query", lambda *statement: answer(*statement)[::-1])
    with transaction.atomic():
        postings = post_many(book, [NewPosting(key=key, transfers=HAND) for key in "abc"])
    stored = Posting.objects.values_list("pk", "key")
    assert [(each.pk, each.key) for each in postings] == list(stored.order_by("key"))
    posted = book.transfers.values_list("posting__key", "debit__key", "credit__key", "amount")
    assert Counter(posted) == Counter(
        (key, row.debit.key, row.credit.key, row.amount) for key in "abc" for row in HAND
    )


def test_posting_again_with_the_same_key_and_content_changes_nothing():
    book = open_book()
    first = post(book, "a", HAND, memo="first", actor="phone")
    again = post(book, "a", HAND[::-1], memo="second", actor="worker")
    assert again == first
    assert (again.memo, again.actor) == ("first", "phone")
    assert Transfer.objects.count() == len(HAND)


@pytest.mark.parametrize(
    "other",
    [
        [move("tab:ann", "stack:ann", 101), BUY_IN[1]],
        [move("stack:ann", "tab:ann", 100), BUY_IN[1]],
        BUY_IN[:1],
        [*BUY_IN, BUY_IN[0]],
        [],
    ],
)
def test_posting_different_content_under_the_same_key_is_refused(other):
    book = open_book()
    first = post(book, "a", BUY_IN)
    with pytest.raises(KeyReusedError) as refused:
        post(book, "a", other)
    assert refused.value.posting == first
    assert Transfer.objects.count() == len(BUY_IN)


def test_two_books_can_use_the_same_key():
    one, two = open_book(), open_book()
    assert post(one, "a", BUY_IN) != post(two, "a", BUY_IN)
    assert balances(one) == balances(two)


def test_posting_without_moves_is_idempotent():
    book = open_book()
    assert post(book, "a", []) == post(book, "a", [])
    with pytest.raises(KeyReusedError):
        post(book, "a", BUY_IN)


def test_posting_is_rolled_back_with_its_transaction():
    book = open_book()
    with transaction.atomic():
        post(book, "a", BUY_IN)
        transaction.set_rollback(True)
    assert not Posting.objects.exists()
    assert not Account.objects.exists()


def test_posting_to_a_book_that_was_never_opened_is_refused():
    with pytest.raises(Book.DoesNotExist):
        post(Book(), "a", BUY_IN)


def test_reversal_mirrors_and_references_each_transfer():
    book = played()
    hand = book.postings.get(key="hand")
    reversal = reverse(hand, "undo", memo="misread", actor="host")
    assert (reversal.reverses, reversal.memo, reversal.actor) == (hand, "misread", "host")
    assert hand.reversal == reversal
    mirrored = [
        (transfer.debit, transfer.credit, transfer.amount) for transfer in reversal.transfers.all()
    ]
    named = [transfer.reverses for transfer in reversal.transfers.all()]
    assert mirrored == [(transfer.credit, transfer.debit, transfer.amount) for transfer in named]
    assert named == list(hand.transfers.all())
    assert balances(book, kind="stack") == {"stack:ann": 100, "stack:bob": 100}


def test_reversing_twice_with_the_same_key_changes_nothing():
    hand = played().postings.get(key="hand")
    assert reverse(hand, "undo") == reverse(hand, "undo", memo="other words")
    assert Posting.objects.count() == 3


def test_reversing_twice_with_different_keys_is_refused():
    hand = played().postings.get(key="hand")
    reversal = reverse(hand, "undo")
    with pytest.raises(AlreadyReversedError) as refused:
        reverse(hand, "undo again")
    assert refused.value.reversal == reversal


def test_reversal_cannot_be_reversed():
    book = played()
    reversal = reverse(book.postings.get(key="hand"), "undo")
    with pytest.raises(ReversalOfReversalError) as refused:
        reverse(reversal, "redo")
    assert refused.value.posting == reversal
    post(book, "hand, second revision", HAND)
    assert balances(book, kind="stack") == {"stack:ann": 70, "stack:bob": 130}


def test_reversal_with_the_key_of_another_posting_is_refused():
    book = played()
    post(book, "lookalike", [NewTransfer(each.credit, each.debit, each.amount) for each in HAND])
    with pytest.raises(KeyReusedError):
        reverse(book.postings.get(key="hand"), "lookalike")


def test_posting_again_with_the_key_of_a_reversed_posting_changes_nothing():
    book = played()
    hand = book.postings.get(key="hand")
    reverse(hand, "undo")
    assert post(book, "hand", HAND) == hand
    assert balances(book, kind="stack") == {"stack:ann": 100, "stack:bob": 100}


def test_posting_without_moves_can_be_reversed():
    posting = post(open_book(), "a", [])
    assert reverse(posting, "b") == reverse(posting, "b")
