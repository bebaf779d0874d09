"""Record a hand: check it, settle it, compare it with other phones' records, and write it.

Everything is written in one transaction. The client creates the hand's id, so a hand that is sent
twice is recorded once. Several hands of one night that a client has stored are recorded together.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from django.db import IntegrityError, transaction
from django.utils import timezone

from league.common.errors import (
    IdReusedError,
    NightClosedError,
    RefusedError,
    problem,
    refuse,
)
from league.deals.open_deal import close_deal
from league.deals.table import Table
from league.hands.findings import add_findings, state_before_next, state_without
from league.hands.validation import (
    SENT_HANDS,
    Verdict,
    settle_record,
    settle_records,
    settled_again_if_renamed,
)
from league.hands.writing import last_number, write_hands
from league.models import ConflictingRecord, Hand, Night, Player, User
from league.nights.nights import dealt_at, lock_and_bump
from league.notices.messages import any_phone_at, notify_dealer
from league.notices.queueing import SOON
from league.recording.conflicts import store_conflict
from league.recording.corrections import correct
from league.recording.rest_of_match import rest_of_match
from league.recording.sent_hands import (
    ClientContext,
    Recorded,
    current_revision,
    dealt_after_seen,
    recorded_already,
    result_of_conflict,
)
from league.webhooks import events

MOST_HANDS = 200  # in a batch
WITH_CARDS = "recorded with its cards by another phone"


def check(night: Night, record: object, *, instead_of: Hand | None = None) -> Verdict:
    """Return the verdict that the record would get now, without storing anything.

    If `instead_of` is given, the record is checked as a correction of that hand.
    """
    verdict = settle_record(night, record, instead_of=instead_of)
    if not verdict.answer:
        return verdict
    if instead_of is None:
        return add_findings(verdict, state_before_next(night, [verdict]))
    try:
        rest_of_match(current_revision(instead_of), verdict)
    except RefusedError as refused:
        return Verdict(errors=refused.errors)
    return add_findings(verdict, state_without(instead_of, verdict))


def record_hand(
    night: Night,
    hand_id: UUID,
    record: object,
    *,
    by: User | None,
    made_at: datetime | None = None,
    context: ClientContext | None = None,
) -> Recorded:
    """Record the night's next hand, once for each id. A second call returns the first result.

    `made_at` is when the hand was dealt. The default is now. If `context` shows that another phone
    has already recorded the hand, this record is stored as a conflicting record (see `conflicts`).
    Such a record corrects a hand of a closed night only if the sender may correct it. Raises
    RefusedError with all errors in the record, IdReusedError if the id belongs to a different
    record, or NightClosedError.
    """
    verdict = settle_record(night, record)
    if verdict.errors and (known := recorded_already(night, [(hand_id, record)])):
        # the record was valid when it was stored, but the game may have changed since
        return known[hand_id]
    refuse(verdict.errors)
    hand = Hand(id=hand_id, night=night, made_at=made_at or timezone.now())
    if context:
        hand.origin, hand.made_at = context.origin, dealt_after_seen(hand, context)
    with _refusing_ids_of_other_nights([hand_id]):
        recorded = _record(hand, verdict, by=by, context=context)
    SENT_HANDS.labels(recorded.outcome).inc()
    return recorded


@contextmanager
def _refusing_ids_of_other_nights(ids: Sequence[UUID]) -> Iterator[None]:
    """Raise IdReusedError if a different night stores one of these ids concurrently.

    Writers lock only their own night, so only the database detects this.
    """
    try:
        yield
    except IntegrityError:
        if Hand.objects.filter(pk__in=ids).exists():
            raise IdReusedError from None
        raise


@transaction.atomic
def _record(
    hand: Hand, verdict: Verdict, *, by: User | None, context: ClientContext | None
) -> Recorded:
    is_closed = lock_and_bump(hand.night) != Night.State.OPEN
    [verdict] = settled_again_if_renamed(hand.night, [verdict])
    refuse(verdict.errors)
    recorded, other = _earlier_result(hand, verdict, context)
    if recorded:
        return recorded
    conflict = None
    if context and (other or context.seen < last_number(hand.night)):
        conflict = store_conflict(hand, verdict, context, by=by, closed=is_closed, of=other)
    if conflict:
        if conflict.state == ConflictingRecord.State.ACCEPTED:
            correct(conflict.hand, conflict.pk, verdict, by=by, reason=WITH_CARDS)
        return result_of_conflict(conflict)
    if is_closed:
        raise NightClosedError
    [revision] = write_hands(hand.night, [(hand, verdict)], by=by)
    events.publish_hands([revision])
    if context:
        if context.of_deal:
            close_deal(hand)
        _notify_next_dealer(hand)
    return Recorded(revision, created=True)


def _earlier_result(
    hand: Hand, verdict: Verdict, context: ClientContext | None
) -> tuple[Recorded | None, Hand | None]:
    """Return the result stored under the hand's id, and another phone's record of the same deal.

    All phones record an open deal with the same id. The second record of the deal gets its own id.
    It is a new hand if the first record was voided. Raises IdReusedError if the id belongs to any
    other record.
    """
    other = None
    try:
        recorded = recorded_already(hand.night, [(hand.pk, verdict.record)])
    except IdReusedError:
        here = Hand.objects.filter(pk=hand.pk, night=hand.night)
        if not context or not (other := here.exclude(origin=context.origin).first()):
            raise
        hand.pk = uuid5(hand.pk, context.origin)
        recorded = recorded_already(hand.night, [(hand.pk, verdict.record)])
    return recorded.get(hand.pk), None if other and other.voided else other


def _notify_next_dealer(hand: Hand) -> None:
    """Notify the next dealer unless the hand was sent late or a later hand is already recorded."""
    is_old = timezone.now() - hand.made_at > SOON
    if is_old or not any_phone_at(hand.night):
        return
    table = Table(hand.night)
    seat = table.dealer if table.last_hand and table.last_hand.hand_id == hand.pk else None
    player = seat and Player.objects.select_related("user").get(pk=seat.player_id)
    if player:
        notify_dealer(hand.night, player, hand.pk)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentHand:
    """A hand as sent by the client, and when it was dealt. The default is now."""

    hand_id: UUID
    record: object
    made_at: datetime | None = None


def record_batch(night: Night, sent: Sequence[SentHand], *, by: User | None) -> list[Recorded]:
    """Append all of these hands to the night, in this order and once for each id, or none of them.

    The hands are not compared with other phones' records, because a client that sends batches is
    the only one that records the night. Raises RefusedError with the errors of all hands,
    IdReusedError or NightClosedError.
    """
    verdicts = settle_records(night, [hand.record for hand in sent])
    with _refusing_ids_of_other_nights([hand.hand_id for hand in sent]):
        recorded = _record_batch(night, sent, verdicts, by=by)
    for result in recorded:
        SENT_HANDS.labels(result.outcome).inc()
    return recorded


@transaction.atomic
def _record_batch(
    night: Night, sent: Sequence[SentHand], verdicts: Sequence[Verdict], *, by: User | None
) -> list[Recorded]:
    state = lock_and_bump(night)
    verdicts = settled_again_if_renamed(night, verdicts)
    first: dict[UUID, int] = {}
    refuse(
        problem(f"hands/{place}/id", "told-twice", f"hands/{first[hand.hand_id]} has the same id")
        for place, hand in enumerate(sent)
        if first.setdefault(hand.hand_id, place) != place
    )
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
        events.publish_hands(revisions)
        for revision in revisions:
            recorded[revision.pk] = Recorded(revision, created=True)
    return [recorded[hand.hand_id] for hand in sent]
