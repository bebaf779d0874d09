"""The only writer of the ledger: books, accounts, postings and their reversals.

Chips leave the debit account and enter the credit account; a balance is credits less debits.
A transfer takes from one account what it gives to another, so no sequence of postings can put a
book out of balance. Rows are only ever added. A posting is written whole or not at all, and once:
the caller makes its key before sending it, so that a second try is answered with the first result.
To post one is to post many of one.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.db import transaction

from ledger.errors import (
    AlreadyReversed,
    KeyReused,
    LedgerError,
    PostingRefused,
    Problem,
    ReversalOfReversal,
    refuse,
)
from ledger.inserts import Values, insert_together, send_values
from ledger.models import LONGEST_NAME, Account, Book, Posting, Transfer
from ledger.rows import new_row
from ledger.sql import batched
from ledger.standing import Standing, lock_book
from ledger.validation import (
    LONGEST_MEMO,
    MOST_MOVES,
    AccountRef,
    Move,
    mistaken_accounts,
    wrong_posting,
    wrong_side,
    wrong_text,
)

__all__ = [
    "LONGEST_MEMO",
    "MOST_MOVES",
    "AccountRef",
    "AlreadyReversed",
    "KeyReused",
    "LedgerError",
    "Move",
    "NewPosting",
    "PostingRefused",
    "Problem",
    "ReversalOfReversal",
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

AT_ONCE = 500  # postings of one statement


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPosting:
    """A posting that is to be made; `mirrored` are the transfers that its moves undo."""

    key: str
    moves: tuple[Move, ...]
    memo: str = ""
    actor: str = ""
    reverses: Posting | None = None
    mirrored: tuple[Transfer, ...] = ()

    @property
    def sides(self) -> Iterator[Account | AccountRef]:
        for move in self.moves:
            yield move.debit
            yield move.credit

    def digest(self, book_id: UUID) -> str:
        lines = ((move.debit.key, move.credit.key, move.amount) for move in self.moves)
        return digest(book_id, self.key, lines, self.reverses.key if self.reverses else None)


def open_book(name: str = "") -> Book:
    """Open an empty book. PostingRefused where the name can't be one."""
    refuse(wrong_text("name", name, LONGEST_NAME))
    return Book.objects.create(name=name)


@transaction.atomic
def open_accounts(book: Book, refs: Iterable[AccountRef]) -> dict[str, Account]:
    """Find or open the accounts, by key. PostingRefused where one is of another kind."""
    refs = tuple(refs)
    refuse(problem for ref in refs for problem in wrong_side(book.pk, ref))
    return _opened(Standing(book.pk, (), tuple({ref.key for ref in refs})), refs)


def rename(row: Book | Account, name: str) -> None:
    """Show the book or account under another name: the one thing about it that may change."""
    refuse(wrong_text("name", name, LONGEST_NAME))
    row.name = name
    row.save(update_fields=["name"])


def post(
    book: Book, key: str, moves: Iterable[Move], *, memo: str = "", actor: str = ""
) -> Posting:
    """Move chips, all moves or none, once for each key; no moves at all is a posting too.

    The same key with the same moves, in any order, returns the posting that stands, with its first
    memo and actor. Raises KeyReused (other moves), PostingRefused (with all that is wrong).
    """
    new = NewPosting(key=key, moves=tuple(moves), memo=memo, actor=actor)
    [posting] = post_many(book, [new])
    return posting


@transaction.atomic
def post_many(book: Book, wanted: Sequence[NewPosting]) -> list[Posting]:
    """Post all of it or nothing, in this order, each as `post` does; no key stands in it twice.

    A few statements for thousands. PostingRefused tells what is wrong with the first that is.
    """
    return post_in_transaction(book, wanted)


def post_in_transaction(
    book: Book, wanted: Sequence[NewPosting], standing: Standing | None = None
) -> list[Posting]:
    """Post as `post_many` does, in a transaction of the caller's that ends with any error here.

    `standing` is what the caller has asked of these keys since the book is locked.
    """
    for new in wanted:
        refuse(_wrong(book.pk, new))
    if standing is not None:
        return _once(standing, wanted)
    return [
        posting
        for some in batched(wanted, AT_ONCE)
        for posting in _once(_standing_of(book.pk, some), some)
    ]


@transaction.atomic
def reverse(posting: Posting, key: str, *, memo: str = "", actor: str = "") -> Posting:
    """Post the mirror image of a posting, each transfer naming the one it reverses.

    The same key again returns the reversal that stands. Raises AlreadyReversed (under another
    key), ReversalOfReversal, KeyReused, PostingRefused.
    """
    if posting.reverses_id is not None:
        raise ReversalOfReversal(posting)
    new = _mirror(posting, key, memo=memo, actor=actor)
    refuse(_wrong(posting.book_id, new))
    standing = _standing_of(posting.book_id, [new])
    if found := _posted(standing, [new]):
        return found[key]
    if reversal := Posting.objects.filter(reverses=posting).first():
        raise AlreadyReversed(reversal)
    [made] = _written(standing, [new])
    return made


def digest(
    book_id: UUID, key: str, lines: Iterable[tuple[str, str, int]], reverses: str | None
) -> str:
    """SHA-256 of what a posting does and where: lines are (debit key, credit key, amount)."""
    content = [str(book_id), key, reverses, sorted(lines)]
    return sha256(json.dumps(content).encode()).hexdigest()


def _wrong(book_id: UUID, new: NewPosting) -> Iterator[Problem]:
    return wrong_posting(book_id, new.key, new.moves, memo=new.memo, actor=new.actor)


def _mirror(posting: Posting, key: str, *, memo: str, actor: str) -> NewPosting:
    done = tuple(posting.transfers.select_related("debit", "credit").order_by("position"))
    return NewPosting(
        key=key,
        moves=tuple(Move(each.credit, each.debit, each.amount) for each in done),
        memo=memo,
        actor=actor,
        reverses=posting,
        mirrored=done,
    )


def _standing_of(book_id: UUID, wanted: Sequence[NewPosting]) -> Standing:
    accounts = {side.key for new in wanted for side in new.sides}
    return Standing(book_id, [new.key for new in wanted], tuple(accounts))


def _once(standing: Standing, wanted: Sequence[NewPosting]) -> list[Posting]:
    """Write what does not stand yet; return all of it."""
    found = _posted(standing, wanted)
    if not found:
        return _written(standing, wanted)
    fresh = [new for new in wanted if new.key not in found]
    found |= {each.key: each for each in _written(standing, fresh)}
    return [found[new.key] for new in wanted]


def _posted(standing: Standing, wanted: Sequence[NewPosting]) -> dict[str, Posting]:
    """Return what was posted before, by key. Raises KeyReused."""
    if not (ids := standing.postings):
        return {}
    found = {posting.key: posting for posting in Posting.objects.filter(pk__in=ids)}
    for new in wanted:
        if new.key in found and found[new.key].digest != new.digest(standing.book_id):
            raise KeyReused(found[new.key])
    return found


def _written(standing: Standing, wanted: Sequence[NewPosting]) -> list[Posting]:
    postings = [_posting(standing.book_id, new) for new in wanted]
    accounts = _opened(standing, tuple(side for new in wanted for side in new.sides), postings)
    pairs = zip(wanted, postings, strict=True)
    transfers = (row for new, posting in pairs for row in _transfers(new, posting, accounts))
    for some in batched(transfers, 2 * AT_ONCE):
        send_values(Transfer, some)
    return postings


def _posting(book_id: UUID, new: NewPosting) -> Posting:
    posting = new_row(
        Posting,
        book_id=book_id,
        key=new.key,
        digest=new.digest(book_id),
        memo=new.memo,
        actor=new.actor,
    )
    if new.reverses:
        posting.reverses = new.reverses
    return posting


def _transfers(new: NewPosting, posting: Posting, accounts: dict[str, Account]) -> Iterator[Values]:
    for position, move in enumerate(new.moves):
        yield {
            "book_id": posting.book_id,
            "posting_id": posting.pk,
            "position": position,
            "debit_id": accounts[move.debit.key].pk,
            "credit_id": accounts[move.credit.key].pk,
            "amount": move.amount,
            "reverses_id": new.mirrored[position].pk if new.mirrored else None,
        }


def _opened(
    standing: Standing, sides: Sequence[Account | AccountRef], beside: Sequence[Posting] = ()
) -> dict[str, Account]:
    """Return the accounts by key, opened where the book has none; write the postings beside them.

    Both are written together: what refers to them waits for the keys of both.
    """
    wanted = {side.key: side for side in sides}
    found = standing.accounts(tuple(wanted))
    refuse(mistaken_accounts(sides, found))
    new = [
        new_row(Account, book_id=standing.book_id, key=side.key, kind=side.kind, name=side.name)
        for side in wanted.values()
        if side.key not in found
    ]
    insert_together(new, beside)
    return found | {account.key: account for account in new}
