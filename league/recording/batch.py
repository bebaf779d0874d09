"""Record hands of one night that a client stored and sends together.

Either all are recorded, in the order sent, or none. Hands that exist already stay unchanged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from league.common.errors import IdReusedError, NightClosedError, Problem, problem, refuse
from league.hands.validation import HANDS, Verdict, settled_many, wrong_took
from league.hands.writing import Recorded, recorded_already, write_hands
from league.models import Hand, Night, User
from league.nights.nights import dealt_at, lock_night
from league.webhooks import outbox

MOST_HANDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A hand as sent, and when it was dealt: now, if the sender gives no time."""

    hand_id: UUID
    record: object
    made_at: datetime | None = None


def record_batch(night: Night, sent: Sequence[Sent], *, by: User | None) -> list[Recorded]:
    """Append these hands to the night, each once for its id; all or none.

    They are not compared with other phones' records: a client that sends batches is the only one
    that records the night. Raises RefusedError (all errors of all hands), IdReusedError,
    NightClosedError.
    """
    verdicts = settled_many(night, [each.record for each in sent])
    try:
        recorded = _record(night, sent, verdicts, by=by)
    except IntegrityError:
        # Two nights were sent hands with one id at once, and each locks only itself.
        if Hand.objects.filter(pk__in=[each.hand_id for each in sent]).exists():
            raise IdReusedError from None
        raise
    for each in recorded:
        HANDS.labels(each.outcome).inc()
    return recorded


@transaction.atomic
def _record(
    night: Night, sent: Sequence[Sent], verdicts: Sequence[Verdict], *, by: User | None
) -> list[Recorded]:
    state = lock_night(night)
    refuse(_repeated(sent))
    found = recorded_already(night, ((each.hand_id, each.record) for each in sent))
    fresh = [
        (place, each, verdict)
        for place, (each, verdict) in enumerate(zip(sent, verdicts, strict=True))
        if each.hand_id not in found
    ]
    refuse(error for place, _, verdict in fresh for error in _errors(place, verdict))
    if fresh:
        if state != Night.State.OPEN:
            raise NightClosedError
        new = [
            (Hand(id=each.hand_id, night=night, made_at=dealt_at(night, each.made_at)), verdict)
            for _, each, verdict in fresh
        ]
        revisions = write_hands(night, new, by=by)
        outbox.publish_hands(revisions)
        found |= {
            each.pk: Recorded(each.hand, each, each.answer, created=True) for each in revisions
        }
    return [found[each.hand_id] for each in sent]


def _repeated(sent: Sequence[Sent]) -> Iterator[Problem]:
    first: dict[UUID, int] = {}
    for place, each in enumerate(sent):
        if first.setdefault(each.hand_id, place) != place:
            text = f"this id stands at hands/{first[each.hand_id]} too"
            yield problem(f"hands/{place}/id", "told-twice", text)


def _errors(place: int, verdict: Verdict) -> Iterator[Problem]:
    for each in (*verdict.errors, *wrong_took(verdict)):
        where = "/".join(filter(None, (f"hands/{place}/record", each["where"])))
        yield each | {"where": where}
