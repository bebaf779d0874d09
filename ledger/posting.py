"""Writes the ledger: books, accounts, postings and their reversals. No other module writes it.

The caller generates the key of a posting before sending it. Posting the same key again returns the
first result. A mistake is corrected by a reversal. A buy-in of 100 chips, and its reversal:

    ann_tab, ann_stack = AccountRef("tab:ann", "tab"), AccountRef("stack:ann", "stack")
    buy_in = post(book, "buy-in:1", [NewTransfer(ann_tab, ann_stack, 100)])  # tab -100, stack +100
    reverse(buy_in, "undo:1")                                # both balances are 0 again

Every writer locks the book before it looks up keys and accounts, so writers of one book run one
after another. What a writer has looked up stays valid until its transaction ends, and the rows of a
book are numbered in commit order.
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from uuid import UUID

from django.db import transaction

from ledger.models import (
    LONGEST_NAME,
    Account,
    AccountRef,
    Book,
    NewPosting,
    NewTransfer,
    Posting,
    Transfer,
)
from ledger.sql import batched, insert, locked, query_by_keys
from ledger.validation import (
    AlreadyReversedError,
    KeyReusedError,
    ReversalOfReversalError,
    refuse,
    wrong_accounts,
    wrong_posting,
    wrong_text,
)

# Maximum number of rows in one INSERT statement.
POSTINGS_PER_STATEMENT = 500
TRANSFERS_PER_STATEMENT = 1_000

_BOOK = "SELECT id FROM ledger_book WHERE id = %s"
_KNOWN = "SELECT id FROM ledger_posting WHERE book_id = %s AND key IN %s"
_ACCOUNTS = "SELECT id, key, kind FROM ledger_account WHERE book_id = %s AND key IN %s"


def open_book(name: str = "", *, disposable: bool = False) -> Book:
    """Create an empty book. Raises PostingRefusedError if the name can't be stored.

    The rows of a `disposable` book can be deleted. Rows of other books can't.
    """
    refuse(wrong_text("name", name, LONGEST_NAME))
    return Book.objects.create(name=name, disposable=disposable)


def lock_book(book_id: UUID) -> None:
    """Lock the book until the transaction ends. Raises Book.DoesNotExist."""
    if not query_by_keys(locked(_BOOK), book_id):
        raise Book.DoesNotExist(f"there is no book {book_id}")


@transaction.atomic
def post(
    book: Book, key: str, transfers: Iterable[NewTransfer], *, memo: str = "", actor: str = ""
) -> Posting:
    """Post all transfers or none. A key is posted only once. A posting may have no transfers.

    The same key with the same transfers, in any order, returns the first posting with its original
    memo and actor. Raises KeyReusedError if the transfers differ, or PostingRefusedError with all
    problems.
    """
    new = NewPosting(key=key, transfers=tuple(transfers), memo=memo, actor=actor)
    [posting] = post_many(book, [new])
    return posting


def post_many(book: Book, new_postings: Sequence[NewPosting]) -> list[Posting]:
    """Post all of `new_postings` in order, each as `post` does. Their keys must differ.

    The caller must have opened a transaction, which any error must roll back. There is no
    savepoint, because it would slow down every hand. Thousands of postings take only a few
    statements. PostingRefusedError contains the problems of the first invalid posting.
    """
    for new in new_postings:
        refuse(wrong_posting(book.pk, new))
    lock_book(book.pk)
    return [
        posting
        for batch in batched(new_postings, POSTINGS_PER_STATEMENT)
        for posting in _write(book.pk, batch)
    ]


@transaction.atomic
def reverse(posting: Posting, key: str, *, memo: str = "", actor: str = "") -> Posting:
    """Post the mirror image of a posting. Each transfer references the transfer that it reverses.

    Posting the same key again returns the first reversal. Raises AlreadyReversedError (for a
    different key), ReversalOfReversalError, KeyReusedError, PostingRefusedError.
    """
    if posting.reverses_id is not None:
        raise ReversalOfReversalError(posting)
    originals = tuple(posting.transfers.select_related("debit", "credit").order_by("position"))
    mirrored = tuple(NewTransfer(row.credit, row.debit, row.amount) for row in originals)
    new = NewPosting(key=key, transfers=mirrored, memo=memo, actor=actor)
    refuse(wrong_posting(posting.book_id, new))
    lock_book(posting.book_id)
    earlier = Posting.objects.filter(reverses=posting).first()
    if earlier and earlier.key != key:
        raise AlreadyReversedError(earlier)
    [reversal] = _write(posting.book_id, [new], reverses=posting, originals=originals)
    return reversal


def digest(
    book_id: UUID, key: str, lines: Iterable[tuple[str, str, int]], reverses: str | None
) -> str:
    """Return the SHA-256 digest of a posting's content.

    `lines` are (debit key, credit key, amount). `reverses` is the key of the reversed posting.
    """
    content = [str(book_id), key, reverses, sorted(lines)]
    return sha256(json.dumps(content).encode()).hexdigest()


def _write(
    book_id: UUID,
    new_postings: Sequence[NewPosting],
    *,
    reverses: Posting | None = None,
    originals: Sequence[Transfer] = (),
) -> list[Posting]:
    """Write the postings whose keys are new. Return all postings. The book must be locked.

    For a reversal, `reverses` is the reversed posting, and `originals` contains its transfers in
    the order of the new ones.
    """
    reversed_key = reverses.key if reverses else None
    digests = {}
    for new in new_postings:
        lines = ((row.debit.key, row.credit.key, row.amount) for row in new.transfers)
        digests[new.key] = digest(book_id, new.key, lines, reversed_key)
    known = _existing(book_id, digests)
    unposted = [new for new in new_postings if new.key not in known]
    sides = [side for new in unposted for row in new.transfers for side in (row.debit, row.credit)]
    accounts = _accounts(book_id, sides)
    postings = [
        Posting(
            book_id=book_id,
            key=new.key,
            digest=digests[new.key],
            memo=new.memo,
            actor=new.actor,
            reverses=reverses,
        )
        for new in unposted
    ]
    insert(postings, by="key")
    transfers = (
        Transfer(
            book_id=book_id,
            posting_id=posting.pk,
            position=position,
            debit_id=accounts[row.debit.key].pk,
            credit_id=accounts[row.credit.key].pk,
            amount=row.amount,
            reverses_id=originals[position].pk if originals else None,
        )
        for new, posting in zip(unposted, postings, strict=True)
        for position, row in enumerate(new.transfers)
    )
    for batch in batched(transfers, TRANSFERS_PER_STATEMENT):
        insert(batch)
    by_key = known | {posting.key: posting for posting in postings}
    return [by_key[new.key] for new in new_postings]


def _existing(book_id: UUID, digests: dict[str, str]) -> dict[str, Posting]:
    """Return the existing postings with these keys. Raises KeyReusedError if a digest differs."""
    # For a new key, the usual case, this short statement is all that runs.
    ids = query_by_keys(_KNOWN, book_id, list(digests))
    if not ids:
        return {}
    postings = {row.key: row for row in Posting.objects.filter(pk__in=[pk for (pk,) in ids])}
    for key, posting in postings.items():
        if posting.digest != digests[key]:
            raise KeyReusedError(posting)
    return postings


def _accounts(book_id: UUID, sides: Sequence[Account | AccountRef]) -> dict[str, Account]:
    """Return the book's accounts, keyed by account key.

    Missing accounts are created. The book must be locked.
    """
    sides_by_key = {side.key: side for side in sides}
    if not sides_by_key:
        return {}
    accounts = {
        key: Account(id=pk, book_id=book_id, key=key, kind=kind)
        for pk, key, kind in query_by_keys(_ACCOUNTS, book_id, list(sides_by_key))
    }
    refuse(wrong_accounts(sides, accounts))
    opened = [
        Account(book_id=book_id, key=key, kind=side.kind)
        for key, side in sides_by_key.items()
        if key not in accounts
    ]
    insert(opened, by="key")
    return accounts | {account.key: account for account in opened}
