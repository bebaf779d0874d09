"""Play a hand again under the rules it was dealt under, and compare with what was posted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.chips import moved
from league.models import Night, Revision
from league.moves import moves_of_hand
from league.versions import replayable
from ledger.models import Transfer
from rules import settle_many

# What decides about chips; the name of the game is that of the document when it is replayed.
CHIPS = ("paid", "returned", "won", "net", "carry", "carries")

Line = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A hand that does not replay to what stands; `text` says in what."""

    hand: UUID
    number: int
    text: str


def replay_night(night: Night) -> list[Mismatch]:
    """Return the hands of the night that do not replay to what was posted."""
    rows = Revision.objects.filter(hand__night=night, current=True, hand__voided=False)
    return list(replay(rows.select_related("hand", "document").order_by("hand__number")))


def replay(revisions: Iterable[Revision]) -> Iterator[Mismatch]:
    """Yield what does not replay; three queries and one batch for all the revisions."""
    told = list(revisions)
    answers = settle_many((replayable(each) for each in told), brief=True)
    posted = posted_lines(each.posting_id for each in told)
    for revision, answer in zip(told, answers, strict=True):
        if text := _mismatch(revision, answer, posted.get(revision.posting_id, Counter())):
            yield Mismatch(revision.hand_id, revision.hand.number, text)


def _mismatch(revision: Revision, answer: dict[str, Any], posted: Counter[Line]) -> str:
    if "errors" in answer:
        return f"the rules refuse it now: {answer['errors'][0]['text']}"
    for key in CHIPS:
        if answer[key] != revision.answer[key]:
            return f"{key} was {revision.answer[key]} and is {answer[key]}"
    return "" if posted == expected_lines(revision, answer, posted) else "other chips were posted"


def expected_lines(
    revision: Revision, answer: dict[str, Any], posted: Counter[Line]
) -> Counter[Line]:
    """Return the transfers that the answer asks for.

    How many carried chips were never left by an earlier hand can only be told by the posting.
    """
    hand = revision.hand
    drift, carry = f"drift:{hand.night_id}", f"carry:{hand.night_id}"
    short = sum(chips for debit, credit, chips in posted if (debit, credit) == (drift, carry))
    names = {name: UUID(player) for name, player in revision.names.items()}
    moves = moves_of_hand(hand, moved(revision.record, answer), names, short=short)
    return Counter((move.debit.key, move.credit.key, move.amount) for move in moves)


def posted_lines(postings: Iterable[int]) -> dict[int, Counter[Line]]:
    """Return what these postings moved, by posting: (debit key, credit key, chips)."""
    rows = Transfer.objects.filter(posting__in=list(postings))
    found: dict[int, Counter[Line]] = {}
    columns = rows.values_list("posting", "debit__key", "credit__key", "amount")
    for posting, debit, credit, chips in columns:
        found.setdefault(posting, Counter())[debit, credit, chips] += 1
    return found
