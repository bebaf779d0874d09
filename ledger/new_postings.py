"""The postings that callers request, with their transfers and accounts."""

from dataclasses import dataclass

from ledger.models import Account


@dataclass(frozen=True, slots=True)
class AccountRef:
    """Refers to an account by key. If the book has no such account, posting creates it."""

    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class NewTransfer:
    """A transfer to make: `amount` whole chips from the debit account to the credit account."""

    debit: Account | AccountRef
    credit: Account | AccountRef
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPosting:
    """A posting to make. `memo` and `actor` are as in `models.Posting`."""

    key: str
    transfers: tuple[NewTransfer, ...]
    memo: str = ""
    actor: str = ""
