"""Concurrent postings in real threads, each with its own connection."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from ledger.audit import audit
from ledger.balances import balances
from ledger.models import Account, Posting
from ledger.posting import open_book, post, reverse
from ledger.validation import AlreadyReversedError, KeyReusedError, LedgerError
from tests.helpers.league.books import BUY_IN, HAND, move, played, total

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 6


def at_once(work: Callable[[int], object]) -> list[object]:
    """Run the function in many threads at the same time. Return the result or error of each."""
    ready = Barrier(MANY)

    def one(number: int) -> object:
        try:
            connection.ensure_connection()
            ready.wait()
            return work(number)
        except LedgerError as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(MANY) as threads:
        return list(threads.map(one, range(MANY)))


@pytest.mark.parametrize("_round", range(3))
def test_posting_sent_many_times_at_once_is_posted_once(_round):
    book = open_book()
    assert set(at_once(lambda _: post(book, "a", BUY_IN))) == {Posting.objects.get()}
    assert balances(book, kind="stack") == {"stack:ann": 100, "stack:bob": 100}


def test_only_one_of_many_concurrent_postings_with_one_key_succeeds():
    book = open_book()
    got = at_once(lambda number: post(book, "a", [move("tab:ann", "stack:ann", number + 1)]))
    assert got.count(Posting.objects.get()) == 1
    assert sum(isinstance(each, KeyReusedError) for each in got) == MANY - 1


def test_account_opened_by_many_threads_is_created_once():
    book = open_book()
    at_once(lambda number: [post(book, f"{number} {again}", BUY_IN) for again in range(5)])
    assert Account.objects.count() == 4
    assert balances(book, kind="stack") == {"stack:ann": 500 * MANY, "stack:bob": 500 * MANY}
    assert total(book) == 0


def test_posting_reversed_by_many_threads_is_reversed_once():
    book = played()
    hand = book.postings.get(key="hand")
    got = at_once(lambda number: reverse(hand, f"undo {number}"))
    assert got.count(hand.reversal) == 1
    assert sum(isinstance(each, AlreadyReversedError) for each in got) == MANY - 1
    assert audit() == []


def test_rows_of_a_book_are_numbered_in_commit_order():
    book = open_book()
    at_once(lambda number: [post(book, f"{number} {again}", HAND) for again in range(5)])
    numbers = list(book.transfers.order_by("id").values_list("posting", flat=True))
    assert numbers == sorted(numbers)
    assert audit() == []
