"""Hands of one night that are sent together, by a program that kept them until now.

All of them are recorded, in the order sent, or none; those that are there already stay as they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from league.bulk import Dealt, record_many
from league.measures import HANDS
from league.models import Hand, Night, User
from league.nights import dealt_at, lock_night
from league.recording import Recorded, recorded_already
from league.refusals import Fault, KeyReused, NightClosed, fault, refuse
from league.verdicts import Verdict, settled_many
from league.webhooks import outbox
from ledger.rows import as_uuid, select

MOST_HANDS = 200
KNOWN = "SELECT id FROM league_hand WHERE id IN %s UNION SELECT id FROM league_rival WHERE id IN %s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A hand as it was sent, and when its sender says that it was dealt: now, unless told."""

    hand_id: UUID
    record: object
    made_at: datetime | None = None


def record_batch(night: Night, sent: Sequence[Sent], *, by: User | None) -> list[Recorded]:
    """Record these hands after those of the night, each once for its id; all or none.

    A rival is looked for in none of them: whoever sends a batch is the night's only teller of it.
    Raises Refused (all errors of all hands), KeyReused, NightClosed.
    """
    verdicts = settled_many(night, [each.record for each in sent])
    try:
        recorded = _record(night, sent, verdicts, by=by)
    except IntegrityError:
        # Two nights at once were sent hands of one id, and each night locks only itself.
        if Hand.objects.filter(pk__in=[each.hand_id for each in sent]).exists():
            raise KeyReused from None
        raise
    for each in recorded:
        HANDS.labels(each.outcome).inc()
    return recorded


@transaction.atomic
def _record(
    night: Night, sent: Sequence[Sent], verdicts: Sequence[Verdict], *, by: User | None
) -> list[Recorded]:
    state = lock_night(night)
    refuse(_told_twice(sent))
    found = _found(night, sent)
    fresh = {
        each.hand_id: (place, each, verdict)
        for place, (each, verdict) in enumerate(zip(sent, verdicts, strict=True))
        if each.hand_id not in found
    }
    refuse(error for each in fresh.values() for error in _errors(*each))
    if not fresh:
        return [found[each.hand_id] for each in sent]
    if state != Night.State.OPEN:
        raise NightClosed
    dealt = [_dealt(night, each, verdict) for _, each, verdict in fresh.values()]
    new = record_many(night, dealt, by=by)
    outbox.tell_hands(new)
    made = {each.pk: Recorded(each.hand, each, each.answer, created=True) for each in new}
    return [(found | made)[each.hand_id] for each in sent]


def _found(night: Night, sent: Sequence[Sent]) -> dict[UUID, Recorded]:
    """Return what stands already of what was sent, by id. Raises KeyReused."""
    ids = [each.hand_id for each in sent]
    known = {as_uuid(hand_id) for (hand_id,) in (select(KNOWN, ids, ids) if ids else ())}
    already = (each for each in sent if each.hand_id in known)
    answers = (
        (each.hand_id, recorded_already(night, each.hand_id, each.record)) for each in already
    )
    return {hand_id: answer for hand_id, answer in answers if answer}


def _dealt(night: Night, sent: Sent, verdict: Verdict) -> Dealt:
    return Dealt(
        hand_id=sent.hand_id,
        record=verdict.record,
        made_at=dealt_at(night, sent.made_at),
        answer=verdict.answer,
    )


def _told_twice(sent: Sequence[Sent]) -> Iterator[Fault]:
    first: dict[UUID, int] = {}
    for place, each in enumerate(sent):
        if first.setdefault(each.hand_id, place) != place:
            text = f"this id stands at hands/{first[each.hand_id]} too"
            yield fault(f"hands/{place}/id", "told-twice", text)


def _errors(place: int, sent: Sent, verdict: Verdict) -> Iterator[Fault]:
    for each in verdict.errors:
        where = "/".join(filter(None, (f"hands/{place}/record", each["where"])))
        yield each | {"where": where}
