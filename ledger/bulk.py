"""Many new postings at once, by the checks of `posting` and under the same guards of the database.

For whoever brings a whole season: a few statements for thousands of postings.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from django.db import transaction

from ledger.models import Book, Posting
from ledger.posting import (
    Draft,
    KeyReused,
    Move,
    lock_book,
    open_in,
    refuse,
    transfers_of,
    wrong,
)
from ledger.rows import insert

AT_ONCE = 500
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A posting that is to be made."""

    key: str
    moves: tuple[Move, ...]
    memo: str = ""
    actor: str = ""


@transaction.atomic
def post_many(book: Book, wishes: Sequence[Wish]) -> list[Posting]:
    """Post all of it or nothing, in this order. Every key must be new.

    Raises PostingRefused (the first posting that is wrong, with all that is), KeyReused.
    """
    drafts = [
        Draft(book_id=book.pk, key=each.key, moves=each.moves, memo=each.memo, actor=each.actor)
        for each in wishes
    ]
    for draft in drafts:
        refuse(wrong(draft))
    lock_book(book.pk)
    posted = []
    for some in batched(drafts, AT_ONCE):
        posted += _write(book, some)
    return posted


def _write(book: Book, drafts: Sequence[Draft]) -> list[Posting]:
    if taken := Posting.objects.filter(book=book, key__in=[each.key for each in drafts]).first():
        raise KeyReused(taken)
    accounts = open_in(book.pk, tuple(side for draft in drafts for side in draft.sides))
    postings = [
        Posting(
            book_id=book.pk,
            key=draft.key,
            digest=draft.digest,
            memo=draft.memo,
            actor=draft.actor,
        )
        for draft in drafts
    ]
    insert(*postings)
    told = zip(drafts, postings, strict=True)
    transfers = (row for draft, posting in told for row in transfers_of(draft, posting, accounts))
    for some in batched(transfers, 2 * AT_ONCE):
        insert(*some)
    return postings


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the rows in lists of this length."""
    waiting = iter(rows)
    while some := list(islice(waiting, size)):
        yield some
