"""The only writer of hands. It stores and posts settled records in one transaction.

The caller locks the night and sends notifications. This module assigns the number, stores the
findings, posts the chips and marks the stats as stale. It also finds the hand or conflicting record
with a given id.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.common import row_limits
from league.common.errors import IdReusedError, refuse
from league.games.documents import store_document, store_documents
from league.hands.chip_movements import hand_transfers
from league.hands.findings import PriorState, add_findings, state_before_next
from league.hands.validation import Verdict
from league.matches.match_state import state_after
from league.matches.night_matches import as_match_deal
from league.models import ConflictingRecord, Hand, Night, Revision, StaleMark, User
from league.nights.nights import actor_of
from ledger.posting import NewPosting, post_in_transaction
from ledger.sql import as_uuid, batched, fetch, insert

MOST_HANDS = 200  # in one statement
_LAST_NUMBER = "SELECT max(number) FROM league_hand WHERE night_id = %s"
# The id of a sent record belongs to a hand, or to a second phone's record of a hand.
_KNOWN = """SELECT id FROM league_hand WHERE id IN %s
    UNION ALL SELECT id FROM league_conflictingrecord WHERE id IN %s"""
Settled = tuple[Hand, Verdict]


def write_hands(night: Night, settled: Sequence[Settled], *, by: User | None) -> list[Revision]:
    """Append new hands to the night, in the order in which they were dealt.

    The caller has locked the night. The verdicts must have no errors, and no hand with one of these
    ids may exist. All hands together take only a few statements.
    """
    last = last_number(night)
    refuse(row_limits.HANDS.exceeded(last, adding=len(settled)))
    before = state_before_next(night, [verdict for _, verdict in settled])
    revisions, postings = [], []
    for number, (hand, verdict) in enumerate(settled, start=last + 1):
        hand.number = number
        revision = Revision(id=hand.pk, hand=hand, number=1, made_by=by)
        postings.append(_fill(revision, verdict, before))
        revisions.append(revision)
        before = _state_after(before, verdict, revision)
    posted = post_in_transaction(night.league.book, postings)
    # After the book is locked, since two new hands of a league may store the same documents.
    documents = store_documents([verdict.variant for _, verdict in settled])
    for revision, posting, document in zip(revisions, posted, documents, strict=True):
        revision.posting, revision.document = posting, document
    for batch in batched(revisions, MOST_HANDS):
        insert([revision.hand for revision in batch])
        insert(batch)
        insert([_stale_mark(revision) for revision in batch])
    return revisions


def write_correction(
    revision: Revision, last: Revision, verdict: Verdict, before: PriorState
) -> None:
    """Store the verdict as the hand's new revision. The last posting is already reversed."""
    posting = _fill(revision, verdict, before)
    [revision.posting] = post_in_transaction(revision.hand.night.league.book, [posting])
    revision.document = store_document(verdict.variant)
    replace_revision(last, revision)


def replace_revision(last: Revision, revision: Revision) -> None:
    """Save the revision as the current one, and update the hand."""
    refuse(row_limits.REVISIONS.exceeded(last.number))
    Revision.objects.filter(pk=last.pk).update(current=False)
    revision.save(force_insert=True)
    revision.hand.voided = revision.voids
    revision.hand.save(update_fields=["voided"])
    insert([_stale_mark(revision)])


def last_number(night: Night) -> int:
    """Return the number of the night's last hand. The night's lock keeps numbers without gaps."""
    [(number,)] = fetch(_LAST_NUMBER, night.pk)
    return number or 0


def revision_values(verdict: Verdict) -> dict[str, Any]:
    """Return the columns of a revision that follow from its verdict."""
    record = verdict.record
    level = Revision.Depth.FULL if "actions" in record else record.get("depth")
    return {
        "record": record,
        "answer": verdict.answer,
        "depth": level or Revision.Depth.SHOWDOWN,
        "names": {name: str(player) for name, player in verdict.names.items()},
        "carried": verdict.chips.carried,
        "carry": verdict.answer["carry"],
    }


def _fill(revision: Revision, verdict: Verdict, before: PriorState) -> NewPosting:
    """Fill the revision from the verdict, and return the posting of its chips."""
    for name, value in revision_values(add_findings(verdict, before)).items():
        setattr(revision, name, value)
    chips = verdict.chips
    short = max(0, chips.carried - before.carry)
    return NewPosting(
        key=f"hand:{revision.pk}",
        moves=tuple(hand_transfers(revision.hand, chips, verdict.names, short=short)),
        memo=f"hand {revision.hand.number}, revision {revision.number}",
        actor=actor_of(revision.made_by),
    )


def _state_after(before: PriorState, verdict: Verdict, revision: Revision) -> PriorState:
    """Return the state before the next hand."""
    stacks, chips = dict(before.stacks), verdict.chips
    for name, paid in chips.paid.items():
        stacks[name] += chips.back[name] - paid
    carry = max(0, before.carry - chips.carried) + chips.carry
    matches = dict(before.matches)
    if "match" in verdict.answer:
        deal = as_match_deal(revision)
        match = str(deal.match_id)
        matches[match] = state_after(matches.get(match), deal)
    return PriorState(stacks=stacks, carry=carry, matches=matches)


def _stale_mark(revision: Revision) -> StaleMark:
    """Return a mark that makes the hand's stats stale."""
    return StaleMark(
        league_id=revision.hand.night.season.league_id,
        hand_id=revision.hand_id,
        revision_id=revision.pk,
    )


# --- what was recorded before -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of recording a hand. `created` is false if the hand already existed.

    `conflict` is the conflicting record that was stored if another phone had recorded the hand.
    """

    hand: Hand
    revision: Revision
    answer: dict[str, Any]
    created: bool
    conflict: ConflictingRecord | None = None

    @property
    def outcome(self) -> str:
        """`recorded`, `again` if it was sent before, or the state of the conflicting record.

        A `merged` record equals the existing hand. A `waiting` record differs, and the host has to
        decide. It is then `taken`, or `refused` if the hand stays unchanged.
        """
        if self.conflict:
            return self.conflict.state
        return "recorded" if self.created else "again"


def recorded_already(night: Night, sent: Iterable[tuple[UUID, object]]) -> dict[UUID, Recorded]:
    """Return the results that were recorded under these ids.

    This takes one query if all ids are new. Raises IdReusedError if an id belongs to another
    record.
    """
    records = dict(sent)
    ids = list(records)
    known = {as_uuid(key) for (key,) in fetch(_KNOWN, ids, ids)}
    return {key: _recorded(night, key, records[key]) for key in ids if key in known}


def result_of_conflict(conflict: ConflictingRecord) -> Recorded:
    """Return the result for a conflicting record: the hand that it is stored with."""
    current = current_revision(conflict.hand)
    return Recorded(current.hand, current, current.answer, created=False, conflict=conflict)


def current_revision(hand: Hand) -> Revision:
    """Return the current revision with all related rows that a correction reads."""
    wanted = Revision.objects.select_related("hand__night__season__league__book", "posting")
    return wanted.get(hand=hand, current=True)


def _recorded(night: Night, key: UUID, record: object) -> Recorded:
    # A conflicting record that was recorded as a separate hand has the same id as that hand.
    conflicts = ConflictingRecord.objects.select_related("hand").exclude(
        state=ConflictingRecord.State.DEALT
    )
    if conflict := conflicts.filter(pk=key).first():
        _require_same(conflict.night_id == night.pk and conflict.record == record)
        return result_of_conflict(conflict)
    hand = Hand.objects.get(pk=key)
    first = hand.revisions.get(number=1)
    _require_same(hand.night_id == night.pk and first.record == record)
    return Recorded(hand, first, first.answer, created=False)


def _require_same(is_same: bool) -> None:
    if not is_same:
        raise IdReusedError
