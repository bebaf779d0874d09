"""Short notation for accounts and postings in ledger tests."""

from typing import Any

from ledger.balances import balances
from ledger.models import AccountRef, Book, NewTransfer
from ledger.posting import open_book, post


def at(key: str) -> AccountRef:
    """Return the account with this key. Its kind is the part before the colon."""
    return AccountRef(key, key.partition(":")[0])


def move(debit: str, credit: str, amount: int) -> NewTransfer:
    return NewTransfer(at(debit), at(credit), amount)


BUY_IN = (move("tab:ann", "stack:ann", 100), move("tab:bob", "stack:bob", 100))
HAND = (
    move("stack:ann", "pot:1", 30),
    move("stack:bob", "pot:1", 30),
    move("pot:1", "stack:bob", 60),
)


def played(*, disposable: bool = False) -> Book:
    """Create a book with two buy-ins and a hand that Bob won."""
    book = open_book("Thursdays", disposable=disposable)
    post(book, "buy-in", BUY_IN)
    post(book, "hand", HAND)
    return book


def total(book: Book, **chosen: Any) -> int:
    """Return the sum of all account balances, or of the balances selected by `chosen`."""
    return sum(balances(book, **chosen).values())
