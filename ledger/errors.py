"""Why the ledger refuses: one shape of problem, and the errors that carry it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ledger.models import Posting


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to refuse: `where` is a path into what was asked for, "" for the whole of it."""

    where: str
    code: str
    text: str


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


def refuse(problems: Iterable[Problem]) -> None:
    """Raise PostingRefused if there is anything to refuse for."""
    if found := tuple(problems):
        raise PostingRefused(found)
