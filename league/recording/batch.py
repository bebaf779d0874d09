"""Record several hands of one night that a client has stored and sends together.

Either all hands are recorded in the order in which they were sent, or none are. Hands that were
already recorded stay unchanged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from league.common.errors import IdReusedError, NightClosedError, Problem, problem, refuse
from league.hands.validation import HANDS, Verdict, settle_records
from league.hands.writing import write_hands
from league.models import Hand, Night, User
from league.nights.nights import dealt_at, lock_and_bump
from league.recording.sent_hands import Recorded, recorded_already
from league.webhooks import outbox

MOST_HANDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SentHand:
    """A hand as sent by the client, and when it was dealt. The default is now."""

    hand_id: UUID
    record: object
    made_at: datetime | None = None


def record_batch(night: Night, sent: Sequence[SentHand], *, by: User | None) -> list[Recorded]:
    """Append all of these hands to the night, once for each id, or none of them.

    The hands are not compared with other phones' records, because a client that sends batches is
    the only one that records the night. Raises RefusedError with the errors of all hands,
    IdReusedError or NightClosedError.
    """
    verdicts = settle_records(night, [hand.record for hand in sent])
    try:
        recorded = _record(night, sent, verdicts, by=by)
    except IntegrityError:
        # A different night stored a hand with the same id concurrently. Writers lock only their own
        # night.
        if Hand.objects.filter(pk__in=[hand.hand_id for hand in sent]).exists():
            raise IdReusedError from None
        raise
    for result in recorded:
        HANDS.labels(result.outcome).inc()
    return recorded


@transaction.atomic
def _record(
    night: Night, sent: Sequence[SentHand], verdicts: Sequence[Verdict], *, by: User | None
) -> list[Recorded]:
    state = lock_and_bump(night)
    refuse(_repeated_ids(sent))
    recorded = recorded_already(night, ((hand.hand_id, hand.record) for hand in sent))
    new = [
        (place, hand, verdict)
        for place, (hand, verdict) in enumerate(zip(sent, verdicts, strict=True))
        if hand.hand_id not in recorded
    ]
    refuse(
        error | {"where": "/".join(filter(None, (f"hands/{place}/record", error["where"])))}
        for place, _, verdict in new
        for error in verdict.errors
    )
    if new:
        if state != Night.State.OPEN:
            raise NightClosedError
        settled = [
            (Hand(id=hand.hand_id, night=night, made_at=dealt_at(night, hand.made_at)), verdict)
            for _, hand, verdict in new
        ]
        revisions = write_hands(night, settled, by=by)
        outbox.publish_hands(revisions)
        for revision in revisions:
            recorded[revision.pk] = Recorded(revision, created=True)
    return [recorded[hand.hand_id] for hand in sent]


def _repeated_ids(sent: Sequence[SentHand]) -> Iterator[Problem]:
    first: dict[UUID, int] = {}
    for place, hand in enumerate(sent):
        if first.setdefault(hand.hand_id, place) != place:
            text = f"hands/{first[hand.hand_id]} has the same id"
            yield problem(f"hands/{place}/id", "told-twice", text)
