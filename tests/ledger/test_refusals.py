"""An invalid posting is rejected with all its errors before anything is written."""

from decimal import Decimal

import pytest

from ledger.models import MOST_CHIPS, Account, AccountRef, Book, NewTransfer, Posting
from ledger.posting import open_book, post
from ledger.validation import MOST_TRANSFERS, PostingRefusedError
from tests.helpers.league.books import BUY_IN, at, move, played

pytestmark = pytest.mark.django_db


def codes(book, moves=BUY_IN, key="a", **words):
    before = Posting.objects.count()
    with pytest.raises(PostingRefusedError) as refused:
        post(book, key, moves, **words)
    assert Posting.objects.count() == before
    return [(problem.where, problem.code) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (0, "not-positive"),
        (-5, "not-positive"),
        pytest.param(-(10**5000), "not-positive", id="endless debt"),
        (MOST_CHIPS + 1, "too-large"),
        (10**30, "too-large"),
        pytest.param(10**5000, "too-large", id="endless"),
        (1.5, "not-whole"),
        (2.0, "not-whole"),
        (float("nan"), "not-whole"),
        (Decimal(5), "not-whole"),
        (True, "not-whole"),
        ("5", "not-whole"),
        (None, "not-whole"),
    ],
)
def test_amount_that_is_not_a_positive_whole_number_is_refused(amount, code):
    assert codes(open_book(), [move("tab:ann", "stack:ann", amount)]) == [("transfers/0", code)]


def test_largest_allowed_amount_can_be_posted():
    post(open_book(), "a", [move("tab:ann", "stack:ann", MOST_CHIPS)])


def test_all_invalid_moves_are_reported():
    book, other = open_book(), played()
    stranger = other.accounts.get(key="tab:ann")
    moves = [
        move("tab:ann", "stack:ann", 5),
        move("tab:ann", "tab:ann", -5),
        NewTransfer(stranger, at("stack:ann"), 5),
        ("tab:ann", "stack:ann", 5),
        NewTransfer("tab:ann", None, 5),
        NewTransfer(Account(book=book, key="tab:x", kind="tab"), at("stack:ann"), 5),
    ]
    assert codes(book, moves) == [
        ("transfers/1", "not-positive"),
        ("transfers/1", "same-account"),
        ("transfers/2", "other-book"),
        ("transfers/3", "not-a-transfer"),
        ("transfers/4", "not-an-account"),
        ("transfers/4", "not-an-account"),
        ("transfers/5", "no-such-account"),
    ]
    assert not book.accounts.exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        pytest.param("x" * 201, "too-long", id="201"),
        pytest.param("x" * 10_000, "too-long", id="10000"),
        pytest.param("a\0b", "unstorable", id="nul"),
        pytest.param("a\ud800b", "unstorable", id="surrogate"),
        (7, "not-text"),
        (None, "not-text"),
    ],
)
def test_key_that_is_too_long_or_cannot_be_stored_is_refused(text, code):
    book = open_book()
    assert codes(book, key=text) == [("key", code)]
    assert codes(book, [NewTransfer(AccountRef(text, "tab"), at("stack:ann"), 5)]) == [
        ("transfers/0", code)
    ]
    assert codes(book, [NewTransfer(AccountRef("x", text), at("stack:ann"), 5)]) == [
        ("transfers/0", code)
    ]


def test_description_is_optional_and_limited_in_length():
    book = open_book()
    post(book, "a", BUY_IN, memo="", actor="")
    wrong = codes(book, key="b", memo="x" * 10_000, actor="a\0")
    assert wrong == [("memo", "too-long"), ("actor", "unstorable")]


def test_book_name_can_use_any_script():
    book = open_book("Ǆ 👩‍👩‍👧 ٣")
    book.refresh_from_db()
    assert book.name == "Ǆ 👩‍👩‍👧 ٣"
    with pytest.raises(PostingRefusedError):
        open_book("x" * 201)
    with pytest.raises(PostingRefusedError):
        open_book("half \udc00")


def test_posting_with_too_many_moves_is_refused():
    endless = [move("tab:ann", "stack:ann", 1)] * (MOST_TRANSFERS + 1)
    assert codes(open_book(), endless) == [("transfers", "too-many-transfers")]
    post(open_book(), "a", endless[1:])


def test_account_kind_cannot_be_changed():
    book = played()
    before = book.accounts.count()
    moves = [NewTransfer(AccountRef("tab:ann", "stack"), at("new"), 5)]
    assert codes(book, moves) == [("account", "other-kind")]
    moves = [
        NewTransfer(AccountRef("x", "tab"), at("y"), 5),
        NewTransfer(at("z"), AccountRef("x", "stack"), 5),
    ]
    assert codes(book, moves) == [("account", "other-kind")]
    assert book.accounts.count() == before


def test_account_whose_key_was_altered_in_memory_is_refused():
    book = played()
    ann = book.accounts.get(key="tab:ann")
    ann.key = "tab:bob"
    assert codes(book, [NewTransfer(ann, at("stack:ann"), 5)]) == [("account", "no-such-account")]


def test_error_message_states_the_reason():
    message = r"^transfer 0: the amount is not above zero; transfer 1: "
    with pytest.raises(PostingRefusedError, match=message):
        post(Book(), "a", [move("a", "b", 0), move("a", "a", 1)])
