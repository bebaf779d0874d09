"""Balances are sums of transfers computed by the database."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.balances import Entry, accounts_with_chips, balances, statement
from ledger.models import Account
from ledger.posting import open_book, post, reverse
from tests.helpers.league.books import BUY_IN, move, played

pytestmark = pytest.mark.django_db


def test_balance_is_credits_minus_debits():
    chips = balances(played())
    assert (chips["stack:ann"], chips["tab:ann"], chips["pot:1"]) == (70, -100, 0)


def test_account_without_transfers_has_a_balance_of_zero():
    book = open_book()
    ann = Account.objects.create(book=book, key="tab:ann", kind="tab")
    assert statement(ann) == []
    assert balances(book) == {"tab:ann": 0}
    assert accounts_with_chips(book).get().chips == 0


def test_balances_can_be_filtered_by_kind_key_and_nonzero_amount():
    book, other = played(), played()
    post(other, "more", BUY_IN)
    tabs, stacks = {"tab:ann": -100, "tab:bob": -100}, {"stack:ann": 70, "stack:bob": 130}
    assert balances(book) == tabs | stacks | {"pot:1": 0}
    assert balances(book, nonzero=True) == tabs | stacks
    assert balances(book, kind="stack") == stacks
    assert balances(book, kind="pot", nonzero=True) == {}
    assert balances(book, keys=["tab:ann", "pot:1", "nobody"]) == {"tab:ann": -100, "pot:1": 0}
    assert balances(book, kind="tab", keys=["stack:ann"]) == balances(book, keys=[]) == {}


def test_balances_are_python_integers_of_any_size():
    book = open_book()
    for number in range(20):
        post(book, str(number), [move("tab:ann", "stack:ann", 10**15)])
    ann = book.accounts.get(key="stack:ann")
    amounts = [balances(book)["stack:ann"], statement(ann)[-1].balance]
    amounts.append(accounts_with_chips(book).get(key="stack:ann").chips)
    assert amounts == [20 * 10**15] * 3
    assert {type(each) for each in amounts} == {int}


def test_statement_lists_entries_from_the_oldest_up_to_the_current_balance():
    book = played()
    hand = book.postings.get(key="hand")
    undo = reverse(hand, "undo", memo="misread")
    bob = book.accounts.get(key="stack:bob")
    entries = statement(bob)
    assert [(each.posting, each.other, each.amount, each.balance) for each in entries] == [
        ("buy-in", "tab:bob", 100, 100),
        ("hand", "pot:1", -30, 70),
        ("hand", "pot:1", 60, 130),
        ("undo", "pot:1", 30, 160),
        ("undo", "pot:1", -60, 100),
    ]
    last = undo.transfers.get(position=2)
    assert entries[-1] == Entry(last.pk, "undo", undo.made_at, "misread", "pot:1", -60, 100)
    assert statement(bob, last=2) == entries[-2:]
    assert statement(bob, last=0) == []
    assert statement(bob, last=99) == entries


def plan(question):
    """Return the query plan of the only query, with table scans disabled."""
    with CaptureQueriesContext(connection) as queries:
        question()
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"{explain} {queries[0]['sql']}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_balances_are_computed_with_an_index_only_scan():
    book = played()
    only = "Index Only Scan using" if connection.vendor == "postgresql" else "USING COVERING INDEX"
    one = plan(lambda: balances(book, keys=["stack:ann"]))
    many = plan(lambda: balances(book, kind="stack"))
    paged = plan(lambda: list(accounts_with_chips(book)))
    for query_plan in one, many, paged:
        assert f"{only} ledger_transfer_debits" in query_plan
        assert f"{only} ledger_transfer_credits" in query_plan
    # For such a small table, PostgreSQL may choose any of the indexes.
    assert "ledger_account_kind" in many or connection.vendor == "postgresql"
