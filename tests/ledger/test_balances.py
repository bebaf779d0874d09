"""Balances are sums that the database computes from the rows."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.balances import Entry, balance, balance_at, balances, statement, total
from ledger.models import Account
from ledger.posting import open_accounts, open_book, post, reverse
from tests.helpers.league.books import BUY_IN, at, move, played

pytestmark = pytest.mark.django_db


def test_balance_is_credits_less_debits():
    book = played()
    assert balance(book.accounts.get(key="stack:ann")) == 70
    assert balance(book.accounts.get(key="tab:ann")) == -100
    assert balance(book.accounts.get(key="pot:1")) == 0


def test_account_without_transfers_has_balance_zero():
    book = open_book()
    ann = open_accounts(book, [at("tab:ann")])["tab:ann"]
    assert balance(ann) == total(book) == 0
    assert statement(ann) == []
    assert balances(book) == {"tab:ann": 0}


def test_unknown_account_has_no_balance():
    with pytest.raises(Account.DoesNotExist):
        balance(Account(pk=1))


def test_balances_are_found_by_kind_by_key_and_by_nonzero_amount():
    book, other = played(), played()
    post(other, "more", BUY_IN)
    tabs, stacks = {"tab:ann": -100, "tab:bob": -100}, {"stack:ann": 70, "stack:bob": 130}
    assert balances(book) == tabs | stacks | {"pot:1": 0}
    assert balances(book, nonzero=True) == tabs | stacks
    assert balances(book, kind="stack") == stacks
    assert balances(book, kind="pot", nonzero=True) == {}
    assert balances(book, keys=["tab:ann", "pot:1", "nobody"]) == {"tab:ann": -100, "pot:1": 0}
    assert balances(book, kind="tab", keys=["stack:ann"]) == balances(book, keys=[]) == {}


def test_totals_are_found_by_kind_and_by_key():
    book = played()
    assert total(book) == 0
    assert total(book, kind="stack") == 200
    assert total(book, keys=["tab:ann", "stack:ann"]) == -30
    assert total(book, keys=[]) == 0


def test_balances_are_python_integers_of_any_size():
    book = open_book()
    for number in range(20):
        post(book, str(number), [move("tab:ann", "stack:ann", 10**15)])
    ann = book.accounts.get(key="stack:ann")
    amounts = [balance(ann), total(book, kind="stack"), balances(book)["stack:ann"]]
    amounts += [balance_at(ann, datetime.now(UTC)), statement(ann)[-1].balance]
    assert amounts == [20 * 10**15] * 5
    assert {type(each) for each in amounts} == {int}


def test_balance_at_a_time_includes_earlier_postings():
    book = played()
    ann = book.accounts.get(key="stack:ann")
    bought, played_at = book.postings.order_by("id").values_list("made_at", flat=True)
    assert balance_at(ann, bought - timedelta(microseconds=1)) == 0
    assert balance_at(ann, bought) == 100
    assert balance_at(ann, played_at) == 70


def test_a_statement_runs_from_the_oldest_entry_to_the_balance():
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
    """Return the database's plan for the one query, with table scans disabled."""
    with CaptureQueriesContext(connection) as queries:
        question()
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"{explain} {queries[0]['sql']}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_sums_are_read_from_the_index_only():
    book = played()
    ann = book.accounts.get(key="stack:ann")
    only = "Index Only Scan using" if connection.vendor == "postgresql" else "USING COVERING INDEX"
    one, many = plan(lambda: balance(ann)), plan(lambda: balances(book, kind="stack"))
    for query_plan in one, many:
        assert f"{only} ledger_transfer_debits" in query_plan
        assert f"{only} ledger_transfer_credits" in query_plan
    # PostgreSQL's choice among the indexes of such a small table is random.
    assert "ledger_account_kind" in many or connection.vendor == "postgresql"
