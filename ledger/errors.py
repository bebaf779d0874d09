"""The errors of the ledger, and the one shape of a problem."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ledger.models import Posting


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse a posting. `where` is a path into it, "" for the whole posting."""

    where: str
    code: str
    text: str


class LedgerError(Exception):
    """Base of all errors. Nothing was written."""


class PostingRefusedError(LedgerError):
    """The posting is wrong; `problems` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.text for problem in self.problems))


class KeyReusedError(LedgerError):
    """The key belongs to another `posting`."""

    def __init__(self, posting: Posting) -> None:
        self.posting = posting
        super().__init__(f"the key {posting.key!r} was used before, for other content")


class AlreadyReversedError(LedgerError):
    """The posting was reversed before, under another key, by `reversal`."""

    def __init__(self, reversal: Posting) -> None:
        self.reversal = reversal
        super().__init__(f"the posting was reversed before, by {reversal.key!r}")


class ReversalOfReversalError(LedgerError):
    """A reversal can't be reversed. Post the original moves again, under a new key."""

    def __init__(self, posting: Posting) -> None:
        self.posting = posting
        super().__init__(f"{posting.key!r} is a reversal; post what should stand under a new key")


def refuse(problems: Iterable[Problem]) -> None:
    """Raise PostingRefusedError if there is any problem."""
    if all_problems := tuple(problems):
        raise PostingRefusedError(all_problems)
