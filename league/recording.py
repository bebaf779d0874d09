"""The only writer of hands: check, settle, store, move the chips, mark the stats. All or nothing.

A hand has the id that its phone made before sending it, so sending it twice records it once. A
correction is a revision: the chips of the one before are moved back, and both stay to be seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db import IntegrityError, transaction
from django.utils import timezone

from league.carrying import carry_now, put_right
from league.chips import moved
from league.closing import close_again, lift
from league.depths import depth_of
from league.documents import keep_document
from league.findings import Before, before_again, before_next, findings
from league.measures import HANDS
from league.models import (
    LONGEST_REASON,
    Closing,
    Hand,
    Night,
    Revision,
    Rival,
    StaleMark,
    User,
)
from league.moves import moves_of_hand
from league.nights import actor_of, lock_night
from league.refusals import Fault, KeyReused, NightClosed, Refused, refuse
from league.rivals import Knew, meet, met_before
from league.texts import wrong_text
from league.verdicts import Verdict, settled
from league.webhooks import outbox
from ledger.models import Posting
from ledger.posting import post_along, reverse
from ledger.rows import insert, select

__all__ = [
    "KeyReused",
    "Knew",
    "NightClosed",
    "Recorded",
    "Refused",
    "Verdict",
    "check",
    "record_hand",
    "recorded_already",
    "revise_hand",
    "void_hand",
]

Answer = dict[str, Any]
WITH_CARDS = "told with its cards by another phone"
# Whatever was sent under an id is a hand, or what a second phone said of one.
KNOWN = "SELECT id FROM league_hand WHERE id = %s UNION SELECT id FROM league_rival WHERE id = %s"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A hand as one call recorded it; `created` is false where it was there already.

    `rival` is what this call said of a hand that another phone had recorded.
    """

    hand: Hand
    revision: Revision
    answer: Answer
    created: bool
    rival: Rival | None = None

    @property
    def outcome(self) -> str:
        """What came of it: `recorded`, `again` (sent before), or the state of its rival.

        `merged` says the same as the hand that is there; `waiting` says otherwise, until the host
        picks: `refused` then (the hand stands) or `taken`.
        """
        if self.rival:
            return self.rival.state
        return "recorded" if self.created else "again"


def check(night: Night, record: object, *, instead_of: Hand | None = None) -> Verdict:
    """Return what recording this now would answer, as a correction of a hand if one is named.

    Nothing is stored.
    """
    verdict = settled(night, record, instead_of=instead_of)
    if verdict.errors:
        return verdict
    if instead_of is None:
        return _examined(verdict, before_next(night, verdict.names))
    return _examined(verdict, before_again(instead_of, verdict.names))


def record_hand(
    night: Night,
    hand_id: UUID,
    record: object,
    *,
    by: User | None,
    made_at: datetime | None = None,
    knew: Knew | None = None,
) -> Recorded:
    """Record the night's next hand, once for each id; a second call gets the first answer.

    It was dealt now unless told. What the phone `knew` tells whether another one has recorded the
    same hand: it is then kept beside that hand as its rival. Raises Refused (with all errors in
    the record), KeyReused (the id stands for another record), NightClosed.
    """
    verdict = settled(night, record)
    if verdict.errors and (found := recorded_already(night, hand_id, record)):
        return found  # what the record means may have changed since
    refuse(verdict.errors)
    hand = Hand(id=hand_id, night=night, made_at=made_at or timezone.now())
    hand.origin = knew.origin if knew else ""
    try:
        return _noted(_record(hand, verdict, by=by, knew=knew))
    except IntegrityError:
        # Two nights at once were sent hands of one id, and each night locks only itself.
        if Hand.objects.filter(pk=hand_id).exists():
            raise KeyReused from None
        raise


def revise_hand(
    hand: Hand, revision_id: UUID, record: object, *, by: User | None, reason: str = ""
) -> Recorded:
    """Record the hand anew, in place of what stood; a voided hand stands again after it.

    Raises Refused (with all errors), KeyReused (the id stands for something else).
    """
    if found := _revised_already(hand, revision_id, record):
        return found
    verdict = settled(hand.night, record, instead_of=hand)
    refuse([*verdict.errors, *_wrong_reason(reason)])
    try:
        revised = _revise(hand, revision_id, verdict, by=by, reason=reason)
    except IntegrityError:
        if Revision.objects.filter(pk=revision_id).exists():
            raise KeyReused from None
        raise
    HANDS.labels("revised" if revised.created else "again").inc()
    return revised


@transaction.atomic
def void_hand(hand: Hand, *, by: User | None, reason: str = "") -> Revision:
    """Take the hand back: its chips return to where they were, its revisions stay to be seen.

    Voiding a voided hand changes nothing. Raises Refused (a reason that can't be kept).
    """
    refuse(_wrong_reason(reason))
    lock_night(hand.night)
    last = _current(hand)
    if last.voids:
        return last
    closed, carry = lift(last.hand.night, by=by), carry_now(last.hand.night)
    revision = _after(last, uuid4(), by=by, reason=reason)
    revision.voids, revision.posting = True, _take_back(last, by)
    _replace(last, revision)
    put_right(carry, revision)
    _close_again(closed, revision)
    return revision


@transaction.atomic
def _record(hand: Hand, verdict: Verdict, *, by: User | None, knew: Knew | None) -> Recorded:
    state = lock_night(hand.night)
    if found := recorded_already(hand.night, hand.pk, verdict.record):
        return found
    hand.number = _next_number(hand.night)
    if knew and knew.seen + 1 < hand.number and (rival := meet(hand, verdict, knew, by=by)):
        if rival.state == Rival.State.TAKEN:
            _revise(rival.hand, rival.pk, verdict, by=by, reason=WITH_CARDS)
        return _beside(rival)
    if state != Night.State.OPEN:
        raise NightClosed
    before = before_next(hand.night, verdict.names)
    revision = Revision(id=hand.pk, hand=hand, number=1, made_by=by)
    _fill(revision, verdict, before)
    insert(hand)
    insert(revision)
    _mark(revision)
    return Recorded(hand, revision, revision.answer, created=True)


@transaction.atomic
def _revise(
    hand: Hand, revision_id: UUID, verdict: Verdict, *, by: User | None, reason: str
) -> Recorded:
    lock_night(hand.night)
    if found := _revised_already(hand, revision_id, verdict.record):
        return found
    last = _current(hand)
    closed = lift(last.hand.night, by=by)
    before, carry = before_again(last.hand, verdict.names), carry_now(last.hand.night)
    if not last.voids:
        _take_back(last, by)
    revision = _after(last, revision_id, by=by, reason=reason)
    _fill(revision, verdict, before)
    _replace(last, revision)
    put_right(carry, revision)
    _close_again(closed, revision)
    return Recorded(revision.hand, revision, revision.answer, created=True)


def _noted(recorded: Recorded) -> Recorded:
    HANDS.labels(recorded.outcome).inc()
    return recorded


def _examined(verdict: Verdict, before: Before) -> Verdict:
    """Return the verdict with what looks wrong about the chips beside what the rules found."""
    found = findings(before, moved(verdict.record, verdict.answer))
    answer = verdict.answer | {"findings": [*verdict.answer["findings"], *found]}
    return replace(verdict, answer=answer)


def recorded_already(night: Night, hand_id: UUID, record: object) -> Recorded | None:
    """Return what stands under this id, if anything does. Raises KeyReused: for another record."""
    if not select(KNOWN, hand_id, hand_id):
        return None
    if rival := met_before(night, hand_id, record):
        return _beside(rival)
    found = Hand.objects.filter(pk=hand_id).first()
    if found is None:
        return None
    first = found.revisions.get(number=1)
    if found.night_id != night.pk or first.record != record:
        raise KeyReused
    return Recorded(found, first, first.answer, created=False)


def _beside(rival: Rival) -> Recorded:
    """Return the hand beside which another phone's telling of it is kept."""
    current = _current(rival.hand)
    return Recorded(current.hand, current, current.answer, created=False, rival=rival)


def _revised_already(hand: Hand, revision_id: UUID, record: object) -> Recorded | None:
    found = Revision.objects.select_related("hand").filter(pk=revision_id).first()
    if found is None:
        return None
    if found.hand_id != hand.pk or found.voids or found.record != record:
        raise KeyReused
    return Recorded(found.hand, found, found.answer, created=False)


def _next_number(night: Night) -> int:
    """Return the next hand's number; the night's lock keeps the numbers without a gap."""
    [(last,)] = select("SELECT max(number) FROM league_hand WHERE night_id = %s", night.pk)
    return (last or 0) + 1


def _current(hand: Hand) -> Revision:
    """Return the revision that counts, with all that a correction of it reads."""
    wanted = Revision.objects.select_related("hand__night__season__league__book", "posting")
    return wanted.get(hand=hand, current=True)


def _fill(revision: Revision, verdict: Verdict, before: Before) -> None:
    """Give the revision what the record says, and post its chips."""
    chips = moved(verdict.record, verdict.answer)
    revision.record = verdict.record
    revision.answer = _examined(verdict, before).answer
    revision.depth = depth_of(verdict.record)
    revision.document = keep_document(verdict.variant)
    revision.names = {name: str(player) for name, player in verdict.names.items()}
    revision.carried, revision.carry = chips.carried, verdict.answer["carry"]
    short = max(0, chips.carried - before.carry)
    revision.posting = post_along(
        revision.hand.night.league.book,
        f"hand:{revision.pk}",
        moves_of_hand(revision.hand, chips, verdict.names, short=short),
        memo=f"hand {revision.hand.number}, revision {revision.number}",
        actor=actor_of(revision.made_by),
    )


def _after(last: Revision, revision_id: UUID, *, by: User | None, reason: str) -> Revision:
    """Return an unsaved revision that says what the last one says."""
    kept = ("depth", "record", "answer", "document_id", "names", "carried", "carry")
    return Revision(
        id=revision_id,
        hand=last.hand,
        number=last.number + 1,
        made_by=by,
        reason=reason,
        **{name: getattr(last, name) for name in kept},
    )


def _take_back(last: Revision, by: User | None) -> Posting:
    memo = f"hand {last.hand.number}, revision {last.number} taken back"
    return reverse(last.posting, f"back:{last.pk}", memo=memo, actor=actor_of(by))


def _replace(last: Revision, revision: Revision) -> None:
    """Save the revision as the one that counts, and the hand as it says."""
    Revision.objects.filter(pk=last.pk).update(current=False)
    revision.save(force_insert=True)
    revision.hand.voided = revision.voids
    revision.hand.save(update_fields=["voided"])
    _mark(revision)


def _close_again(closed: Closing | None, revision: Revision) -> None:
    """Close the night again if the correction found it closed; its plan grows by what changed."""
    if closed is not None:
        why = f"hand {revision.hand.number} was {'taken back' if revision.voids else 'corrected'}"
        close_again(closed, uuid5(revision.pk, "closing"), by=revision.made_by, reason=why)


def _mark(revision: Revision) -> None:
    """Leave word that the stats of this hand are out of date, and for whoever wants to know."""
    league = revision.hand.night.season.league_id
    insert(StaleMark(league_id=league, hand=revision.hand, revision=revision))
    outbox.tell_hand(revision)


def _wrong_reason(reason: object) -> Iterator[Fault]:
    return wrong_text("reason", reason, longest=LONGEST_REASON, needed=False)
