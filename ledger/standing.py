"""What a book has already of what is to be posted, asked for with its lock."""

from collections.abc import Sequence
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS

from ledger.asked import Asked, ask, pipelined
from ledger.models import Account, Book
from ledger.rows import row_of
from ledger.sql import locked

_BOOK = "SELECT id FROM ledger_book WHERE id = %s"
_POSTINGS = "SELECT id FROM ledger_posting WHERE book_id = %s AND key IN %s"
_ACCOUNTS = "SELECT id, key, kind, name FROM ledger_account WHERE book_id = %s AND key IN %s"

_NAMES = ("id", "book_id", "key", "kind", "name")  # the columns of an account


class Standing:
    """The postings of some keys and the accounts of others, as the book's last writer left them.

    The book is locked until the transaction ends, so that its rows stand in commit order. What is
    asked inside `pipelined` is waited for when it is wanted.
    """

    def __init__(self, book_id: UUID, postings: Sequence[str], accounts: Sequence[str]) -> None:
        self.book_id = book_id
        self.asked_for = frozenset(accounts)
        with pipelined():
            self._book = ask(locked(_BOOK), book_id)
            self._postings = ask(_POSTINGS, book_id, postings) if postings else None
            self._accounts = _ask_accounts(book_id, accounts) if accounts else None

    @property
    def postings(self) -> list[int]:
        """Return the ids of the postings that stand under these keys."""
        self.wait()
        return [number for (number,) in self._postings.rows()] if self._postings else []

    def accounts(self, keys: Sequence[str]) -> dict[str, Account]:
        """Return the accounts that the book has, by key; a key is asked for once."""
        self.wait()
        rows = self._accounts.rows() if self._accounts else []
        if missing := [key for key in keys if key not in self.asked_for]:
            rows = rows + _ask_accounts(self.book_id, missing).rows()
        wanted = set(keys)
        return {
            key: row_of(Account, _NAMES, (number, self.book_id, key, kind, name), DEFAULT_DB_ALIAS)
            for number, key, kind, name in rows
            if key in wanted
        }

    def wait(self) -> None:
        """Wait for the lock. Raises Book.DoesNotExist."""
        if not self._book.rows():
            raise Book.DoesNotExist(f"there is no book {self.book_id}")


def lock_book(book_id: UUID) -> None:
    """Make the writers of one book wait for each other, so that its rows stand in commit order."""
    Standing(book_id, (), ()).wait()


def _ask_accounts(book_id: UUID, keys: Sequence[str]) -> Asked:
    return ask(_ACCOUNTS, book_id, list(keys))
