"""Laws for any sequence of postings and reversals."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.audit import audit
from ledger.balances import balances, statement
from ledger.posting import open_book, post, reverse
from tests.helpers.laws.examples import examples
from tests.helpers.league.books import move, total

pytestmark = pytest.mark.django_db

accounts = st.sampled_from(["tab:ann", "tab:bob", "stack:ann", "stack:bob", "pot:1", "drift:1"])
sides = st.lists(accounts, min_size=2, max_size=2, unique=True)
chips = st.integers(1, 1_000) | st.integers(1, 10**15)
moves = st.lists(st.builds(lambda pair, amount: move(*pair, amount), sides, chips), max_size=5)
nights = st.lists(st.tuples(moves, st.booleans()), max_size=5)


def play(book, night, order=None):
    """Post the night's moves in order under their keys, then post its reversals."""
    for key in order or range(len(night)):
        post(book, f"post {key}", night[key][0])
    for key, (_, back) in enumerate(night):
        if back:
            reverse(book.postings.get(key=f"post {key}"), f"undo {key}")


def expected(night):
    sums = Counter()
    for wanted, back in night:
        for transfer in wanted:
            sums[transfer.debit.key] -= 0 if back else transfer.amount
            sums[transfer.credit.key] += 0 if back else transfer.amount
    return dict(sums)


@given(nights)
def test_every_book_adds_up_to_zero_and_balances_match_a_model(night):
    book = open_book()
    play(book, night)
    assert balances(book) == expected(night)
    assert total(book) == 0
    assert audit(book) == []


@given(nights)
def test_repeating_all_postings_changes_nothing(night):
    book = open_book()
    play(book, night)
    before = list(book.transfers.order_by("pk").values_list())
    play(book, night)
    assert list(book.transfers.order_by("pk").values_list()) == before


@settings(max_examples=examples(40))
@given(nights, st.randoms())
def test_order_of_postings_and_moves_does_not_change_balances(night, chance: Random):
    one, other = open_book(), open_book()
    play(one, night)
    order = list(range(len(night)))
    chance.shuffle(order)
    shuffled = [(chance.sample(wanted, len(wanted)), back) for wanted, back in night]
    play(other, shuffled, order)
    assert balances(one) == balances(other)
    play(one, shuffled, order)
    assert audit(one) == audit(other) == []


@given(nights)
def test_statement_lists_all_transfers_and_ends_with_the_balance(night):
    book = open_book()
    play(book, night)
    chips = balances(book)
    for account in book.accounts.all():
        entries = statement(account)
        assert sum(each.amount for each in entries) == chips[account.key] == entries[-1].balance
        assert [each.amount for each in entries[1:]] == [
            after.balance - before.balance for before, after in pairwise(entries)
        ]
