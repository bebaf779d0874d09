"""The only writer of the ledger: books, accounts, postings and their reversals.

Chips leave the debit account and enter the credit account; a balance is credits less debits.
A transfer takes from one account what it gives to another, so no sequence of postings can put a
book out of balance. Rows are only ever added. A posting is written whole or not at all, and once:
the caller makes its key before sending it, so that a second try is answered with the first result.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from uuid import UUID

from django.db import transaction

from ledger.models import (
    LONGEST_KEY,
    LONGEST_KIND,
    LONGEST_NAME,
    MOST_CHIPS,
    Account,
    Book,
    Posting,
    Transfer,
)
from ledger.rows import insert, locked, select

MOST_MOVES = 1_000
LONGEST_MEMO = 2_000
# PostgreSQL stores no NUL, and neither database a lone surrogate.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class AccountRef:
    """An account by its key; posting opens it, of this kind and name, where the book has none."""

    key: str
    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """A wish: `amount` whole chips leave the debit account and enter the credit account."""

    debit: Account | AccountRef
    credit: Account | AccountRef
    amount: int


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse: `move` counts from 0, None where the posting as a whole is wrong."""

    code: str
    text: str
    move: int | None = None


class LedgerError(Exception):
    """Nothing was written; the ledger is as it was."""


class PostingRefused(LedgerError):
    """The posting can't be written; `problems` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.text for problem in self.problems))


class KeyReused(LedgerError):
    """The key stands already for other content: `posting`."""

    def __init__(self, posting: Posting) -> None:
        self.posting = posting
        super().__init__(f"the key {posting.key!r} was used before, for other content")


class AlreadyReversed(LedgerError):
    """The posting was reversed before, under another key: `reversal`."""

    def __init__(self, reversal: Posting) -> None:
        self.reversal = reversal
        super().__init__(f"the posting was reversed before, by {reversal.key!r}")


class ReversalOfReversal(LedgerError):
    """A reversal is not reversed: what should stand again is posted again, under a new key."""

    def __init__(self, posting: Posting) -> None:
        self.posting = posting
        super().__init__(f"{posting.key!r} is a reversal; post what should stand under a new key")


def open_book(name: str = "") -> Book:
    """Open an empty book. PostingRefused where the name can't be one."""
    refuse(_wrong_text("name", name, LONGEST_NAME))
    return Book.objects.create(name=name)


@transaction.atomic
def open_accounts(book: Book, refs: Iterable[AccountRef]) -> dict[str, Account]:
    """Find or open the accounts, by key. PostingRefused where one is of another kind."""
    refs = tuple(refs)
    refuse(problem for ref in refs for problem in _wrong_side(book.pk, ref))
    lock_book(book.pk)
    return open_in(book.pk, refs)


def rename(row: Book | Account, name: str) -> None:
    """Show the book or account under another name: the one thing about it that may change."""
    refuse(_wrong_text("name", name, LONGEST_NAME))
    row.name = name
    row.save(update_fields=["name"])


@transaction.atomic
def post(
    book: Book, key: str, moves: Iterable[Move], *, memo: str = "", actor: str = ""
) -> Posting:
    """Move chips, all moves or none, once for each key; no moves at all is a posting too.

    The same key with the same moves, in any order, returns the posting that stands, with its first
    memo and actor. Raises KeyReused (other moves), PostingRefused (with all that is wrong).
    """
    return post_along(book, key, moves, memo=memo, actor=actor)


def post_along(
    book: Book, key: str, moves: Iterable[Move], *, memo: str = "", actor: str = ""
) -> Posting:
    """Post as `post` does, inside a transaction of the caller's that ends with any error here."""
    draft = Draft(book_id=book.pk, key=key, moves=tuple(moves), memo=memo, actor=actor)
    refuse(wrong(draft))
    lock_book(book.pk)
    return _done_already(draft) or _write(draft)


@transaction.atomic
def reverse(posting: Posting, key: str, *, memo: str = "", actor: str = "") -> Posting:
    """Post the mirror image of a posting, each transfer naming the one it reverses.

    The same key again returns the reversal that stands. Raises AlreadyReversed (under another
    key), ReversalOfReversal, KeyReused, PostingRefused.
    """
    if posting.reverses_id is not None:
        raise ReversalOfReversal(posting)
    draft = _mirror(posting, key, memo=memo, actor=actor)
    refuse(wrong(draft))
    lock_book(posting.book_id)
    return _done_already(draft) or _write_reversal(draft, posting)


def digest(
    book_id: UUID, key: str, lines: Iterable[tuple[str, str, int]], reverses: str | None
) -> str:
    """SHA-256 of what a posting does and where: lines are (debit key, credit key, amount)."""
    content = [str(book_id), key, reverses, sorted(lines)]
    return sha256(json.dumps(content).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A posting that is not written yet; `mirrored` are the transfers that its moves undo."""

    book_id: UUID
    key: str
    moves: tuple[Move, ...]
    memo: str
    actor: str
    reverses: Posting | None = None
    mirrored: tuple[Transfer, ...] = ()

    @property
    def sides(self) -> Iterator[Account | AccountRef]:
        for move in self.moves:
            yield move.debit
            yield move.credit

    @property
    def digest(self) -> str:
        lines = ((move.debit.key, move.credit.key, move.amount) for move in self.moves)
        reverses = self.reverses.key if self.reverses else None
        return digest(self.book_id, self.key, lines, reverses)


def _mirror(posting: Posting, key: str, *, memo: str, actor: str) -> Draft:
    done = tuple(posting.transfers.select_related("debit", "credit").order_by("position"))
    return Draft(
        book_id=posting.book_id,
        key=key,
        moves=tuple(Move(each.credit, each.debit, each.amount) for each in done),
        memo=memo,
        actor=actor,
        reverses=posting,
        mirrored=done,
    )


def lock_book(book_id: UUID) -> None:
    """Make the writers of one book wait for each other, so that its rows stand in commit order."""
    if not select(locked("SELECT id FROM ledger_book WHERE id = %s"), book_id):
        raise Book.DoesNotExist(f"there is no book {book_id}")


def _done_already(draft: Draft) -> Posting | None:
    sql = "SELECT id FROM ledger_posting WHERE book_id = %s AND key = %s"
    if not (rows := select(sql, draft.book_id, draft.key)):
        return None
    found = Posting.objects.get(pk=rows[0][0])
    if found.digest != draft.digest:
        raise KeyReused(found)
    return found


def _write_reversal(draft: Draft, posting: Posting) -> Posting:
    reversal = Posting.objects.filter(reverses=posting).first()
    if reversal:
        raise AlreadyReversed(reversal)
    return _write(draft)


def _write(draft: Draft) -> Posting:
    accounts = open_in(draft.book_id, tuple(draft.sides))
    posting = Posting(
        book_id=draft.book_id,
        key=draft.key,
        digest=draft.digest,
        memo=draft.memo,
        actor=draft.actor,
        reverses=draft.reverses,
    )
    insert(posting)
    insert(*transfers_of(draft, posting, accounts))
    return posting


def transfers_of(
    draft: Draft, posting: Posting, accounts: dict[str, Account]
) -> Iterator[Transfer]:
    for position, move in enumerate(draft.moves):
        yield Transfer(
            book_id=draft.book_id,
            posting_id=posting.pk,
            position=position,
            debit_id=accounts[move.debit.key].pk,
            credit_id=accounts[move.credit.key].pk,
            amount=move.amount,
            reverses_id=draft.mirrored[position].pk if draft.mirrored else None,
        )


def open_in(book_id: UUID, sides: Sequence[Account | AccountRef]) -> dict[str, Account]:
    """The accounts by key, opened where the book has none; the caller holds the book's lock."""
    wanted = {side.key: side for side in sides}
    found = _accounts(book_id, tuple(wanted))
    refuse(_mistaken(sides, found))
    new = [
        Account(book_id=book_id, key=side.key, kind=side.kind, name=side.name)
        for side in wanted.values()
        if side.key not in found
    ]
    insert(*new)
    return found | {account.key: account for account in new}


def _accounts(book_id: UUID, keys: Sequence[str]) -> dict[str, Account]:
    """The accounts that the book has, by key."""
    sql = "SELECT id, key, kind, name FROM ledger_account WHERE book_id = %s AND key IN %s"
    rows = select(sql, book_id, keys) if keys else []
    return {
        key: Account(id=number, book_id=book_id, key=key, kind=kind, name=name)
        for number, key, kind, name in rows
    }


def refuse(problems: Iterable[Problem]) -> None:
    if found := tuple(problems):
        raise PostingRefused(found)


def wrong(draft: Draft) -> Iterator[Problem]:
    """Everything that can be seen to be wrong without asking the database."""
    yield from _wrong_text("key", draft.key, LONGEST_KEY, needed=True)
    yield from _wrong_text("memo", draft.memo, LONGEST_MEMO)
    yield from _wrong_text("actor", draft.actor, LONGEST_NAME)
    if len(draft.moves) > MOST_MOVES:
        yield Problem("too-many-moves", f"a posting has at most {MOST_MOVES} moves")
        return
    for number, move in enumerate(draft.moves):
        for problem in _wrong_move(draft.book_id, move):
            yield replace(problem, text=f"move {number}: {problem.text}", move=number)


def _wrong_move(book_id: UUID, move: object) -> Iterator[Problem]:
    if not isinstance(move, Move):
        yield Problem("not-a-move", "not a Move")
        return
    yield from _wrong_amount(move.amount)
    wrong = [*_wrong_side(book_id, move.debit), *_wrong_side(book_id, move.credit)]
    yield from wrong
    if not wrong and move.debit.key == move.credit.key:
        yield Problem("same-account", "debit and credit are the same account")


def _wrong_amount(amount: object) -> Iterator[Problem]:
    if not isinstance(amount, int) or isinstance(amount, bool):
        yield Problem("not-whole", "the amount is not a whole number of chips")
    elif amount <= 0:
        yield Problem("not-positive", "the amount is not above zero")
    elif amount > MOST_CHIPS:
        yield Problem("too-large", f"the amount is above {MOST_CHIPS} chips")


def _wrong_side(book_id: UUID, side: object) -> Iterator[Problem]:
    match side:
        case Account() if not side.pk:
            yield Problem("no-such-account", "the account is not saved")
        case Account() if side.book_id != book_id:
            yield Problem("other-book", "the account belongs to another book")
        case Account():
            pass
        case AccountRef():
            yield from _wrong_text("account key", side.key, LONGEST_KEY, needed=True)
            yield from _wrong_text("account kind", side.kind, LONGEST_KIND, needed=True)
            yield from _wrong_text("account name", side.name, LONGEST_NAME)
        case _:
            yield Problem("not-an-account", "not an Account or AccountRef")


def _wrong_text(
    what: str, text: object, longest: int, *, needed: bool = False
) -> Iterator[Problem]:
    if not isinstance(text, str):
        yield Problem("not-text", f"the {what} is not text")
    elif needed and not text:
        yield Problem("empty", f"the {what} is empty")
    elif len(text) > longest:
        yield Problem("too-long", f"the {what} is longer than {longest} characters")
    elif _UNSTORABLE.search(text):
        yield Problem("unstorable", f"the {what} has a NUL or half a character in it")


def _mistaken(
    sides: Iterable[Account | AccountRef], found: Mapping[str, Account]
) -> Iterator[Problem]:
    """What is wrong between the accounts that were meant and those that the book has."""
    kinds = {key: account.kind for key, account in found.items()}
    for side in dict.fromkeys(sides):
        if isinstance(side, Account) and found.get(side.key) != side:
            yield Problem("no-such-account", f"the book has no account {side.key!r} like this")
        elif kinds.setdefault(side.key, side.kind) != side.kind:
            text = f"the account {side.key!r} is of kind {kinds[side.key]!r}, not {side.kind!r}"
            yield Problem("other-kind", text)
