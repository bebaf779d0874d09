"""Correct a hand with a new revision, remove it, or undo it.

An undo is the removal of a hand that was just saved, if nothing else has happened since. A hand
that another phone has also recorded can't be undone, because the other phone's saved record would
be lost. An undone hand stays in the book and can be corrected or removed on its page.

The chips of the earlier revision are moved back, and both revisions stay visible. A closed night is
closed again afterwards. If the hand belongs to a match, the later deals of the match are settled
again from the state after the corrected deal.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from uuid import UUID, uuid4, uuid5

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.closing.close import close_again, current_closing, lift
from league.common.errors import (
    HandChangedError,
    IdReusedError,
    NightClosedError,
    Problem,
    refuse,
)
from league.common.text import wrong_text
from league.hands.chip_movements import chip_totals
from league.hands.chips_before import carry_now, correct_carry
from league.hands.findings import state_without
from league.hands.objections import answer_with_correction
from league.hands.validation import (
    SENT_HANDS,
    Verdict,
    is_same,
    settle_record,
    settled_again_if_renamed,
)
from league.hands.writing import replace_revision, write_correction
from league.matches import match_id
from league.models import (
    LONGEST_REASON,
    Closing,
    ClosingLine,
    Hand,
    Night,
    Objection,
    Revision,
    User,
)
from league.nights.accounts import PostingKey, actor_of
from league.nights.nights import lock_and_bump
from league.notices.messages import notify_corrected
from league.recording.rest_of_match import Resettled, deal_number, rest_of_match
from league.recording.sent_hands import Recorded, current_revision
from league.webhooks import events
from ledger.models import Posting
from ledger.posting import reverse


def revise_hand(  # noqa: PLR0913 (a correction needs all of them)
    hand: Hand,
    revision_id: UUID,
    record: object,
    *,
    by: User | None,
    reason: str = "",
    open_only: bool = False,
    objection: Objection | None = None,
    skip_unchanged: bool = False,
    seen: UUID | None = None,
) -> Recorded:
    """Correct the hand with a new revision. Correcting a voided hand restores it.

    If `skip_unchanged` is true and the correction changes nothing, the current revision is kept.
    `seen` is the revision that the user saw, if known. Raises HandChangedError if it is replaced.

    If `open_only` is true, the sender may not correct hands of closed nights
    (`access.may_correct`). The correction answers the `objection`, if one is given. Raises
    RefusedError with all errors, IdReusedError if the id belongs to a different revision, or
    NightClosedError.
    """
    if revised := _revised_already(hand, revision_id, record):
        return revised
    verdict = settle_record(hand.night, record, instead_of=hand)
    refuse([*verdict.errors, *_wrong_reason(reason)])
    try:
        with transaction.atomic():
            _lock(hand.night, open_only=open_only)
            [verdict] = settled_again_if_renamed(hand.night, [verdict], instead_of=hand)
            refuse(verdict.errors)
            last = current_revision(hand)
            repeats = (last.record, last.answer) == (verdict.record, verdict.answer)
            if skip_unchanged and last.pk != revision_id and repeats and not last.voids:
                return Recorded(last, created=False, unchanged=True)
            # `correct` handles a repeated id, which another request may have saved meanwhile.
            if seen and last.pk not in (seen, revision_id):
                raise HandChangedError
            revised = correct(hand, revision_id, verdict, by=by, reason=reason, objection=objection)
    except IntegrityError:
        if Revision.objects.filter(pk=revision_id).exists():
            raise IdReusedError from None
        raise
    SENT_HANDS.labels("revised" if revised.created else "again").inc()
    return revised


@transaction.atomic
def void_hand(
    hand: Hand, *, by: User | None, reason: str = "", open_only: bool = False
) -> Revision:
    """Void the hand. Its chips are moved back, and its revisions stay visible.

    Voiding a hand twice changes nothing. Raises RefusedError if the reason is invalid or the hand's
    match can't continue without it. Raises NightClosedError if the night is closed and `open_only`
    is true.
    """
    refuse(_wrong_reason(reason))
    _lock(hand.night, open_only=open_only)
    last = current_revision(hand)
    if last.voids:
        return last
    rest = rest_of_match(last, None)
    closed, carry = lift(last.hand.night, by=by), carry_now(last.hand.night)
    revision = _next_revision(last, uuid4(), by=by, reason=reason)
    revision.voids, revision.posting = True, _reverse(last, by)
    replace_revision(last, revision)
    events.publish_hands([revision])
    notify_corrected(last, revision)
    if rest:
        _revise_rest(rest, revision, f"deal {deal_number(last, None)} of the match was undone")
    correct_carry(carry, revision)
    _close_again(closed, revision)
    return revision


@transaction.atomic
def correct(
    hand: Hand,
    revision_id: UUID,
    verdict: Verdict,
    *,
    by: User | None,
    reason: str,
    objection: Objection | None = None,
) -> Recorded:
    """Correct the hand to `verdict`, which must have no errors, once for each id.

    Raises IdReusedError, or RefusedError if the hand's match can't continue with the correction.
    """
    lock_and_bump(hand.night)
    if revised := _revised_already(hand, revision_id, verdict.record):
        return revised
    last = current_revision(hand)
    rest = rest_of_match(last, verdict)
    closed, carry = lift(last.hand.night, by=by), carry_now(last.hand.night)
    revision = _next_revision(last, revision_id, by=by, reason=reason)
    _revise(last, revision, verdict)
    if objection:
        answer_with_correction(objection, revision)
    if rest:
        _revise_rest(
            rest, revision, f"deal {deal_number(last, verdict)} of the match was corrected"
        )
    correct_carry(carry, revision)
    payments = _close_again(closed, revision)
    reopened = closed is not None and payments is None
    return Recorded(revision, created=True, payments=payments, reopened=reopened)


def payment_changes(hand: Hand, verdict: Verdict) -> dict[str, int] | None:
    """Return the chips by which a correction to `verdict` changes each player's payments.

    Counted chips stay, so only wrongly paid pots and chips that were not counted change payments
    (docs/decisions/0005-closing.md). Return None if the night is open, if players are added or
    removed, and for carried pots and matches, because other hands depend on them. Also return None
    if the chips of a player who cashed out and left change, which opens the night again.
    """
    last = current_revision(hand)
    versions = (
        (last.answer, chip_totals(last.record, last.answer), last.names),
        (verdict.answer, verdict.chips, verdict.names),
    )
    if hand.night.state == Night.State.OPEN or last.voids:
        return None
    moved = []
    for answer, chips, names in versions:
        if chips.carried or chips.carry or chips.owed_carry or match_id(hand.pk, answer):
            return None
        moved.append(
            {
                str(names[name]): (chips.owed[name], chips.back[name] - paid)
                for name, paid in chips.paid.items()
            }
        )
    before, after = moved
    lines = current_closing(hand.night).lines
    counted = _players(lines.exclude(counted=None))
    left = hand.night.seats.exclude(left_at=None).values("player")
    gone = _players(lines.filter(counted=None, cashed__gt=0, player__in=left))
    if before.keys() != after.keys():
        return None
    changes = {}
    for name, player in verdict.names.items():
        owed, stack = (
            now - then for now, then in zip(after[str(player)], before[str(player)], strict=True)
        )
        if stack and str(player) in gone:
            return None
        if change := owed + (0 if str(player) in counted else stack):
            changes[name] = change
    return None if sum(changes.values()) else changes


def _players(lines: QuerySet[ClosingLine]) -> set[str]:
    return {str(player) for player in lines.values_list("player", flat=True)}


def taken_before(hand: Hand, verdict: Verdict) -> dict[str, int]:
    """Return the chips that players took from the pot before a correction to other winners.

    Return an empty dict if the winners stay the same, or if the pot now has a different size. The
    table paid the pot before the correction, so these chips may still be with these players.
    """
    last = current_revision(hand)
    back = chip_totals(last.record, last.answer).back
    took = {name: chips - last.answer["returned"][name] for name, chips in back.items()}
    won = verdict.answer["won"]
    if took == won or sum(took.values()) != sum(won.values()):
        return {}
    return {name: chips for name, chips in took.items() if chips}


def _revise(last: Revision, revision: Revision, verdict: Verdict) -> None:
    before = state_without(last.hand, verdict)
    if not last.voids:
        _reverse(last, revision.made_by)
    write_correction(revision, last, verdict, before)
    events.publish_hands([revision])
    notify_corrected(last, revision)


def _revise_rest(rest: Iterable[Resettled], corrected: Revision, reason: str) -> None:
    """Write new revisions of the match's later deals, which were settled again."""
    for deal in rest:
        deal.last.hand.night = corrected.hand.night
        revision_id = uuid5(corrected.pk, str(deal.last.hand_id))
        revision = _next_revision(deal.last, revision_id, by=corrected.made_by, reason=reason)
        _revise(deal.last, revision, deal.verdict)


def _lock(night: Night, *, open_only: bool) -> None:
    """Lock the night. Raises NightClosedError if the night is closed and `open_only` is true."""
    if lock_and_bump(night) != Night.State.OPEN and open_only:
        raise NightClosedError


def _revised_already(hand: Hand, revision_id: UUID, record: object) -> Recorded | None:
    revision = Revision.objects.select_related("hand").filter(pk=revision_id).first()
    if revision is None:
        return None
    is_other = revision.hand_id != hand.pk or revision.voids
    if is_other or not is_same(hand.night, revision.record, record):
        raise IdReusedError
    return Recorded(revision, created=False)


def _next_revision(last: Revision, revision_id: UUID, *, by: User | None, reason: str) -> Revision:
    """Return an unsaved revision with the last revision's content."""
    columns = ("depth", "record", "answer", "document_id", "names", "carried", "carry")
    return Revision(
        id=revision_id,
        hand=last.hand,
        number=last.number + 1,
        made_by=by,
        reason=reason,
        **{name: getattr(last, name) for name in columns},
    )


def _reverse(last: Revision, by: User | None) -> Posting:
    memo = f"hand {last.hand.number}, revision {last.number} taken back"
    return reverse(last.posting, PostingKey.HAND_BACK.of(last.pk), memo=memo, actor=actor_of(by))


def _close_again(closed: Closing | None, revision: Revision) -> dict[str, int] | None:
    """Close the night again if it was closed before the correction.

    The new payment plan contains the difference. Return the change for each player, or None if the
    night was open or stays open, because its chips no longer add up.
    """
    if closed is None:
        return None
    why = f"hand {revision.hand.number} was {'undone' if revision.voids else 'corrected'}"
    return close_again(closed, uuid5(revision.pk, "closing"), by=revision.made_by, reason=why)


def _wrong_reason(reason: object) -> Iterator[Problem]:
    return wrong_text("reason", reason, longest=LONGEST_REASON, needed=False)


OFFERED = timedelta(seconds=10)
# Longer than the time for which pages offer the undo (`.undo` in style.css). The page may be
# rendered at the last moment, and the request takes time to arrive.
TAKEN = OFFERED * 2 + timedelta(seconds=10)
REASON = "undone right after it was saved"


class TooLateError(Exception):
    """It is too late for an undo. The hand can be corrected or removed on its page."""


def is_undoable(newest: Revision, by: User | None) -> bool:
    """Check whether this user has just saved the night's newest hand and nothing has changed it."""
    is_own = by is not None and newest.made_by_id == by.pk
    return is_own and _is_untouched(newest, OFFERED) and not newest.hand.conflicts.exists()


@transaction.atomic
def undo_hand(hand: Hand, *, by: User | None) -> None:
    """Void the hand that was just saved. Undoing it twice changes nothing.

    A repeated request after a lost response succeeds, even if something has happened since. Raises
    TooLateError or NightClosedError.
    """
    is_open = lock_and_bump(hand.night) == Night.State.OPEN
    if Revision.objects.filter(hand=hand, current=True, voids=True, reason=REASON).exists():
        return
    if not is_open:
        raise NightClosedError
    revisions = Revision.objects.filter(hand__night=hand.night, current=True)
    newest = revisions.latest("hand__number")
    is_recorded_twice = hand.conflicts.exists()
    if newest.hand_id != hand.pk or is_recorded_twice or not _is_untouched(newest, TAKEN):
        raise TooLateError
    void_hand(hand, by=by, reason=REASON)


def _is_untouched(revision: Revision, within: timedelta) -> bool:
    is_first = revision.number == 1 and not revision.voids
    return is_first and timezone.now() - revision.made_at < within
