"""Writes the ledger: books, accounts, postings and their reversals. No other module writes it.

Chips leave the debit account and enter the credit account. A balance is credits less debits. Each
transfer subtracts from one account what it adds to another, so every book sums to zero.

Rows are only added. The caller generates the key of a posting before sending it. Posting the same
key again returns the first result. A buy-in of 100 chips, and its reversal:

    ann_tab, ann_stack = AccountRef("tab:ann", "tab"), AccountRef("stack:ann", "stack")
    buy_in = post(book, "buy-in:1", [Move(ann_tab, ann_stack, 100)])  # ann_tab -100, ann_stack +100
    reverse(buy_in, "undo:1")                                         # both are 0 again

Every writer first locks the book, so writers of one book run one after another. Keys and accounts
that a writer has looked up stay valid until its transaction ends, and rows are numbered in commit
order.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.db import transaction

from ledger.models import LONGEST_NAME, Account, Book, Posting, Transfer
from ledger.sql import batched, fetch, insert, locked
from ledger.validation import (
    LONGEST_MEMO,
    MOST_MOVES,
    AccountRef,
    AlreadyReversedError,
    KeyReusedError,
    LedgerError,
    NewTransfer,
    PostingRefusedError,
    Problem,
    ReversalOfReversalError,
    mistaken_accounts,
    refuse,
    wrong_posting,
    wrong_side,
    wrong_text,
)

__all__ = [
    "LONGEST_MEMO",
    "MOST_MOVES",
    "AccountRef",
    "AlreadyReversedError",
    "KeyReusedError",
    "LedgerError",
    "NewPosting",
    "NewTransfer",
    "PostingRefusedError",
    "Problem",
    "ReversalOfReversalError",
    "digest",
    "lock_book",
    "open_accounts",
    "open_book",
    "post",
    "post_in_transaction",
    "post_many",
    "rename",
    "reverse",
]

MOST_POSTINGS = 500  # per statement
MOST_TRANSFERS = 1_000

_BOOK = "SELECT id FROM ledger_book WHERE id = %s"
_POSTED = "SELECT id FROM ledger_posting WHERE book_id = %s AND key IN %s"
_ACCOUNTS = "SELECT id, key, kind, name FROM ledger_account WHERE book_id = %s AND key IN %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPosting:
    """A posting to create. `mirrored` contains the transfers that its moves reverse."""

    key: str
    moves: tuple[NewTransfer, ...]
    memo: str = ""
    actor: str = ""
    reverses: Posting | None = None
    mirrored: tuple[Transfer, ...] = ()

    def digest(self, book_id: UUID) -> str:
        """Return the digest of the posting."""
        lines = ((move.debit.key, move.credit.key, move.amount) for move in self.moves)
        return digest(book_id, self.key, lines, self.reverses.key if self.reverses else None)


# --- books and accounts -------------------------------------------------------------------------


def open_book(name: str = "", *, disposable: bool = False) -> Book:
    """Create an empty book. Raises PostingRefusedError if the name can't be stored."""
    refuse(wrong_text("name", name, LONGEST_NAME))
    return Book.objects.create(name=name, disposable=disposable)


@transaction.atomic
def open_accounts(book: Book, refs: Iterable[AccountRef]) -> dict[str, Account]:
    """Find or create the accounts and return them by key.

    Raises PostingRefusedError if the kind of an existing account differs.
    """
    refs = tuple(refs)
    refuse(problem for ref in refs for problem in wrong_side(book.pk, ref))
    lock_book(book.pk)
    return _accounts(book.pk, refs)


def rename(row: Book | Account, name: str) -> None:
    """Rename a book or an account. No other field can change."""
    refuse(wrong_text("name", name, LONGEST_NAME))
    row.name = name
    row.save(update_fields=["name"])


def lock_book(book_id: UUID) -> None:
    """Lock the book until the transaction ends. Raises Book.DoesNotExist."""
    if not fetch(locked(_BOOK), book_id):
        raise Book.DoesNotExist(f"there is no book {book_id}")


# --- postings -----------------------------------------------------------------------------------


def post(
    book: Book, key: str, moves: Iterable[NewTransfer], *, memo: str = "", actor: str = ""
) -> Posting:
    """Post all moves or none. A key is posted only once. A posting may have no moves.

    The same key with the same moves, in any order, returns the first posting with its original memo
    and actor. Raises KeyReusedError if the moves differ, or PostingRefusedError with all problems.
    """
    new = NewPosting(key=key, moves=tuple(moves), memo=memo, actor=actor)
    [posting] = post_many(book, [new])
    return posting


@transaction.atomic
def post_many(book: Book, new_postings: Sequence[NewPosting]) -> list[Posting]:
    """Post all of `new_postings` in order, or none. Each is posted like in `post`; keys must
    differ.

    Thousands of postings take only a few statements. PostingRefusedError contains the problems of
    the
    first invalid posting.
    """
    return post_in_transaction(book, new_postings)


def post_in_transaction(book: Book, new_postings: Sequence[NewPosting]) -> list[Posting]:
    """Post like `post_many`, in the caller's transaction, which any error must roll back."""
    for new in new_postings:
        refuse(wrong_posting(book.pk, new.key, new.moves, memo=new.memo, actor=new.actor))
    lock_book(book.pk)
    return [
        posting
        for batch in batched(new_postings, MOST_POSTINGS)
        for posting in _post(book.pk, batch)
    ]


@transaction.atomic
def reverse(posting: Posting, key: str, *, memo: str = "", actor: str = "") -> Posting:
    """Post the mirror image of a posting. Each transfer references the one that it reverses.

    The same key again returns the first reversal. Raises AlreadyReversedError (under another key),
    ReversalOfReversalError, KeyReusedError, PostingRefusedError.
    """
    if posting.reverses_id is not None:
        raise ReversalOfReversalError(posting)
    mirrored = tuple(posting.transfers.select_related("debit", "credit").order_by("position"))
    new = NewPosting(
        key=key,
        moves=tuple(NewTransfer(done.credit, done.debit, done.amount) for done in mirrored),
        memo=memo,
        actor=actor,
        reverses=posting,
        mirrored=mirrored,
    )
    refuse(wrong_posting(posting.book_id, new.key, new.moves, memo=memo, actor=actor))
    lock_book(posting.book_id)
    earlier = Posting.objects.filter(reverses=posting).first()
    if earlier and not _posted(posting.book_id, [new]):
        raise AlreadyReversedError(earlier)
    [reversal] = _post(posting.book_id, [new])
    return reversal


def digest(
    book_id: UUID, key: str, lines: Iterable[tuple[str, str, int]], reverses: str | None
) -> str:
    """Return the SHA-256 digest of a posting's content.

    `lines` are (debit key, credit key, amount).
    """
    content = [str(book_id), key, reverses, sorted(lines)]
    return sha256(json.dumps(content).encode()).hexdigest()


def _post(book_id: UUID, new_postings: Sequence[NewPosting]) -> list[Posting]:
    """Write the postings whose keys are new. Return all postings. The book must be locked."""
    postings = _posted(book_id, new_postings)
    unposted = [new for new in new_postings if new.key not in postings]
    sides = [side for new in unposted for move in new.moves for side in (move.debit, move.credit)]
    accounts = _accounts(book_id, sides)
    written = [
        Posting(
            book_id=book_id,
            key=new.key,
            digest=new.digest(book_id),
            memo=new.memo,
            actor=new.actor,
            reverses=new.reverses,
        )
        for new in unposted
    ]
    insert(written)
    transfers = (
        Transfer(
            book_id=book_id,
            posting_id=posting.pk,
            position=position,
            debit_id=accounts[move.debit.key].pk,
            credit_id=accounts[move.credit.key].pk,
            amount=move.amount,
            reverses_id=new.mirrored[position].pk if new.mirrored else None,
        )
        for new, posting in zip(unposted, written, strict=True)
        for position, move in enumerate(new.moves)
    )
    for batch in batched(transfers, MOST_TRANSFERS):
        insert(batch)
    postings |= {posting.key: posting for posting in written}
    return [postings[new.key] for new in new_postings]


def _posted(book_id: UUID, new_postings: Sequence[NewPosting]) -> dict[str, Posting]:
    """Return the existing postings with these keys. Raises KeyReusedError."""
    ids = fetch(_POSTED, book_id, [new.key for new in new_postings])
    if not ids:
        return {}
    postings = {row.key: row for row in Posting.objects.filter(pk__in=[pk for (pk,) in ids])}
    for new in new_postings:
        posting = postings.get(new.key)
        if posting and posting.digest != new.digest(book_id):
            raise KeyReusedError(posting)
    return postings


def _accounts(book_id: UUID, sides: Sequence[Account | AccountRef]) -> dict[str, Account]:
    """Return the book's accounts by key, and create missing ones. The book must be locked."""
    sides_by_key = {side.key: side for side in sides}
    if not sides_by_key:
        return {}
    accounts = {
        key: Account(id=pk, book_id=book_id, key=key, kind=kind, name=name)
        for pk, key, kind, name in fetch(_ACCOUNTS, book_id, list(sides_by_key))
    }
    refuse(mistaken_accounts(sides, accounts))
    opened = [
        Account(book_id=book_id, key=key, kind=side.kind, name=side.name)
        for key, side in sides_by_key.items()
        if key not in accounts
    ]
    insert(opened)
    return accounts | {account.key: account for account in opened}
