"""The ledger's errors, and the validation of a posting before any of it is written.

`league.common.errors` and `league.common.text` have a `Problem`, a `refuse` and a `wrong_text` of
their own, for requests.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from ledger.models import (
    LONGEST_KEY,
    LONGEST_KIND,
    LONGEST_NAME,
    MOST_CHIPS,
    Account,
    AccountRef,
    NewPosting,
    NewTransfer,
    Posting,
)

MOST_TRANSFERS = 1_000
LONGEST_MEMO = 2_000
# PostgreSQL can't store NUL, and neither database can store lone surrogates.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
Reason = tuple[str, str]  # the code and text of a problem


# --- errors -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason to reject a posting. `where` is a path into it, or "" for the whole posting."""

    where: str
    code: str
    text: str


class LedgerError(Exception):
    """Base class of all ledger errors. Nothing was written."""


class PostingRefusedError(LedgerError):
    """The posting is invalid. `problems` lists all reasons."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.text for problem in self.problems))


class KeyReusedError(LedgerError):
    """The key already belongs to `posting`, which has different content."""

    def __init__(self, posting: Posting) -> None:
        self.posting = posting
        super().__init__(f"the key {posting.key!r} was used before, for other content")


class AlreadyReversedError(LedgerError):
    """`reversal` already reversed the posting, under a different key."""

    def __init__(self, reversal: Posting) -> None:
        self.reversal = reversal
        super().__init__(f"the posting was reversed before, by {reversal.key!r}")


class ReversalOfReversalError(LedgerError):
    """A reversal can't be reversed. Post the original transfers again under a new key."""

    def __init__(self, posting: Posting) -> None:
        self.posting = posting
        super().__init__(
            f"{posting.key!r} is a reversal; post the original transfers under a new key"
        )


def refuse(problems: Iterable[Problem]) -> None:
    """Raise PostingRefusedError if there is any problem."""
    if all_problems := tuple(problems):
        raise PostingRefusedError(all_problems)


# --- problems -----------------------------------------------------------------------------------


def wrong_posting(book_id: UUID, new: NewPosting) -> Iterator[Problem]:
    """Yield every problem that can be detected without the database.

    Texts, transfers, accounts and amounts of a wrong type are problems too.
    """
    yield from wrong_text("key", new.key, LONGEST_KEY, needed=True)
    yield from wrong_text("memo", new.memo, LONGEST_MEMO)
    yield from wrong_text("actor", new.actor, LONGEST_NAME)
    if len(new.transfers) > MOST_TRANSFERS:
        yield Problem(
            "transfers", "too-many-transfers", f"a posting has at most {MOST_TRANSFERS} transfers"
        )
        return
    for number, transfer in enumerate(new.transfers):
        for code, text in _wrong_transfer(book_id, transfer):
            yield Problem(f"transfers/{number}", code, f"transfer {number}: {text}")


def _wrong_transfer(book_id: UUID, transfer: object) -> Iterator[Reason]:
    if not isinstance(transfer, NewTransfer):
        yield "not-a-transfer", "not a NewTransfer"
        return
    amount: object = transfer.amount
    if not isinstance(amount, int) or isinstance(amount, bool):
        yield "not-whole", "the amount is not a whole number of chips"
    elif amount <= 0:
        yield "not-positive", "the amount is not above zero"
    elif amount > MOST_CHIPS:
        yield "too-large", f"the amount is above {MOST_CHIPS} chips"
    wrong = [*_wrong_side(book_id, transfer.debit), *_wrong_side(book_id, transfer.credit)]
    yield from wrong
    if not wrong and transfer.debit.key == transfer.credit.key:
        yield "same-account", "debit and credit are the same account"


def _wrong_side(book_id: UUID, side: object) -> Iterator[Reason]:
    match side:
        case Account() if not side.pk:
            yield "no-such-account", "the account is not saved"
        case Account() if side.book_id != book_id:
            yield "other-book", "the account belongs to another book"
        case Account():
            pass
        case AccountRef():
            yield from _wrong_ref(side)
        case _:
            yield "not-an-account", "not an Account or AccountRef"


@lru_cache(4096)  # cached, because many transfers use the same accounts
def _wrong_ref(ref: AccountRef) -> tuple[Reason, ...]:
    return (
        *_wrong_string("account key", ref.key, LONGEST_KEY, needed=True),
        *_wrong_string("account kind", ref.kind, LONGEST_KIND, needed=True),
    )


def wrong_text(
    where: str, text: object, longest: int, *, needed: bool = False
) -> Iterator[Problem]:
    for code, reason in _wrong_string(where, text, longest, needed=needed):
        yield Problem(where, code, reason)


def _wrong_string(name: str, text: object, longest: int, *, needed: bool) -> Iterator[Reason]:
    if not isinstance(text, str):
        yield "not-text", f"the {name} is not text"
    elif needed and not text:
        yield "empty", f"the {name} is empty"
    elif len(text) > longest:
        yield "too-long", f"the {name} is longer than {longest} characters"
    elif _UNSTORABLE.search(text):
        yield "unstorable", f"the {name} contains a NUL or a lone surrogate"


def wrong_accounts(
    sides: Iterable[Account | AccountRef], accounts: Mapping[str, Account]
) -> Iterator[Problem]:
    """Yield a problem for each account that differs from the book's. `accounts` is keyed by key."""
    kinds = {key: account.kind for key, account in accounts.items()}
    for side in dict.fromkeys(sides):
        if isinstance(side, Account) and accounts.get(side.key) != side:
            text = f"the book has no account {side.key!r} like this"
            yield Problem("account", "no-such-account", text)
        elif kinds.setdefault(side.key, side.kind) != side.kind:
            text = f"the account {side.key!r} is of kind {kinds[side.key]!r}, not {side.kind!r}"
            yield Problem("account", "other-kind", text)
