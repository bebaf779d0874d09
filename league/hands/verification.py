"""Replay hands under the rules that they were dealt under, and compare the result with the book."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.games.documents import wrong_document
from league.games.lookup import replayable
from league.hands.chip_movements import chip_totals, hand_transfers
from league.journal.sealed_rows import CHIPS
from league.models import Night, Revision
from league.nights import accounts
from ledger.models import Transfer
from rules import settle_many

Line = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """A hand whose replay differs from the stored result. `text` describes the difference."""

    hand: UUID
    number: int
    text: str


def replay_night(night: Night) -> list[ReplayDifference]:
    """Return the night's hands whose replay differs from the posted result."""
    rows = Revision.objects.filter(hand__night=night, current=True, hand__voided=False)
    return list(replay(rows.select_related("hand", "document").order_by("hand__number")))


def replay(revisions: Iterable[Revision]) -> Iterator[ReplayDifference]:
    """Yield a difference for each revision whose replay differs.

    All revisions together take three queries and are settled in one batch.
    """
    ordered = list(revisions)
    documents = {revision.document_id: revision.document for revision in ordered}
    changed = {key for key, document in documents.items() if wrong_document(document)}
    answers = settle_many((replayable(revision) for revision in ordered), brief=True)
    posted = posted_lines(revision.posting_id for revision in ordered)
    for revision, answer in zip(ordered, answers, strict=True):
        if revision.document_id in changed:
            yield ReplayDifference(revision.hand_id, revision.hand.number, "its rules were changed")
        elif text := _difference(revision, answer, posted.get(revision.posting_id, Counter())):
            yield ReplayDifference(revision.hand_id, revision.hand.number, text)


def _difference(revision: Revision, answer: dict[str, Any], posted: Counter[Line]) -> str:
    if "errors" in answer:
        return f"the rules reject it now: {answer['errors'][0]['text']}"
    for key in CHIPS:
        if answer[key] != revision.answer[key]:
            return f"{key} was {revision.answer[key]} but is now {answer[key]}"
    return "" if posted == expected_lines(revision, answer, posted) else "other chips were posted"


def expected_lines(
    revision: Revision, answer: dict[str, Any], posted: Counter[Line]
) -> Counter[Line]:
    """Return the transfers that are expected from the answer.

    The number of carried chips that came from drift is read from the posting, because the answer
    does not contain it.
    """
    hand = revision.hand
    drift, carry = accounts.drift(hand.night_id).key, accounts.carry(hand.night_id).key
    from_drift = sum(chips for debit, credit, chips in posted if (debit, credit) == (drift, carry))
    names = {name: UUID(player) for name, player in revision.names.items()}
    moves = hand_transfers(hand, chip_totals(revision.record, answer), names, from_drift=from_drift)
    return Counter((move.debit.key, move.credit.key, move.amount) for move in moves)


def posted_lines(postings: Iterable[int]) -> dict[int, Counter[Line]]:
    """Return the transfers of each posting as (debit key, credit key, chips)."""
    rows = Transfer.objects.filter(posting__in=list(postings))
    lines: dict[int, Counter[Line]] = {}
    columns = rows.values_list("posting", "debit__key", "credit__key", "amount")
    for posting, debit, credit, chips in columns:
        lines.setdefault(posting, Counter())[debit, credit, chips] += 1
    return lines
