"""The database rejects invalid rows, even from a writer that bypasses `post`."""

import pytest
from django.db import IntegrityError, transaction

from ledger.models import Posting, Transfer
from ledger.posting import open_book, post, reverse
from tests.helpers.league.books import played

pytestmark = pytest.mark.django_db


@pytest.fixture
def book():
    return played()


def attempt(book, *, match, **other):
    """Try to write a transfer for the hand, valid except for these fields, and expect an error."""
    fields = {
        "book_id": book.pk,
        "posting": book.postings.get(key="hand"),
        "position": 50,
        "debit": book.accounts.get(key="stack:ann"),
        "credit": book.accounts.get(key="stack:bob"),
        "amount": 5,
    }
    with pytest.raises(IntegrityError, match=match), transaction.atomic():
        Transfer.objects.create(**fields | other)


@pytest.mark.parametrize("amount", [0, -1, 10**15 + 1])
def test_amount_is_positive_and_limited(book, amount):
    attempt(book, amount=amount, match="ledger_transfer_amount_is_positive")


def test_transfer_requires_two_distinct_accounts(book):
    ann = book.accounts.get(key="stack:ann")
    attempt(book, credit=ann, match="ledger_transfer_has_two_accounts")


@pytest.mark.parametrize("side", ["debit", "credit"])
def test_both_accounts_of_a_transfer_must_belong_to_its_book(book, side):
    stranger = played().accounts.get(key="tab:ann")
    attempt(book, **{side: stranger}, match="belong to one book")


def test_posting_of_a_transfer_must_belong_to_the_same_book(book):
    attempt(book, posting=played().postings.first(), match="belong to one book")
    attempt(book, book_id=open_book().pk, match="belong to one book")


def test_key_is_unique_in_a_book(book):
    with pytest.raises(IntegrityError), transaction.atomic():
        Posting.objects.create(book=book, key="hand", digest="")


def test_only_a_reversal_can_reference_a_reversed_posting(book):
    hand, other = book.postings.get(key="hand"), played().postings.get(key="hand")
    undo = reverse(hand, "undo")
    for wrong in undo, other:
        with pytest.raises(IntegrityError, match="a reversal names"), transaction.atomic():
            Posting.objects.create(book=book, key="x", digest="", reverses=wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        Posting.objects.create(book=book, key="x", digest="", reverses=hand)


def test_only_a_mirror_transfer_can_reference_a_reversed_transfer(book):
    buy_in = book.postings.get(key="buy-in")
    paid = book.transfers.get(posting=buy_in, debit__key="tab:ann")
    other = book.transfers.get(posting=buy_in, debit__key="tab:bob")
    undo = Posting.objects.create(book=book, key="undo", digest="", reverses=buy_in)
    right = {"posting": undo, "debit": paid.credit, "credit": paid.debit, "amount": 100}
    for fields in (
        {"reverses": None},
        {"reverses": other},
        {"reverses": paid, "amount": 99},
        {"reverses": paid, "debit": paid.debit, "credit": paid.credit},
        {"reverses": paid, "posting": buy_in},
        {"reverses": paid, "posting": post(book, "plain", [])},
    ):
        attempt(book, **right | fields, match="a reversal mirrors")
    Transfer.objects.create(book=book, position=0, reverses=paid, **right)
