"""Writes recorded and corrected hands, which are stored and posted in one transaction.

The caller locks the night and publishes the hand. This module assigns the number, stores the
findings, posts the chips and marks the stats as stale. Hands from season files are stored by
league/archive/import_season.py.
"""

from collections.abc import Sequence
from typing import Any

from league.common import row_limits
from league.common.errors import refuse
from league.games.documents import store_document, store_documents
from league.hands.chip_movements import hand_transfers
from league.hands.findings import PriorState, add_findings, state_before_next
from league.hands.validation import Verdict
from league.models import Hand, Night, Revision, StaleMark, User
from league.nights.accounts import PostingKey, actor_of
from ledger.models import NewPosting
from ledger.posting import post_many
from ledger.sql import batched, insert, query_by_keys

HANDS_AT_ONCE = 200  # rows per statement
_LAST_NUMBER = "SELECT max(number) FROM league_hand WHERE night_id = %s"
Settled = tuple[Hand, Verdict]


def write_hands(night: Night, settled: Sequence[Settled], *, by: User | None) -> list[Revision]:
    """Append new hands to the night, in the order in which they were dealt.

    The caller has locked the night. The verdicts must have no errors, and no hand with one of these
    ids may exist. Writing all hands together takes only a few statements.
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
        before = before.after(verdict, revision)
    posted = post_many(night.league.book, postings)
    # Store documents after locking the book, because two new hands in the same league may use the
    # same documents.
    documents = store_documents([verdict.variant for _, verdict in settled])
    for revision, posting, document in zip(revisions, posted, documents, strict=True):
        revision.posting, revision.document = posting, document
    for batch in batched(revisions, HANDS_AT_ONCE):
        insert([revision.hand for revision in batch])
        insert(batch)
        insert([_stale_mark(revision) for revision in batch])
    return revisions


def write_correction(
    revision: Revision, last: Revision, verdict: Verdict, before: PriorState
) -> None:
    """Store the verdict as the hand's new revision. The caller has reversed the last posting."""
    posting = _fill(revision, verdict, before)
    [revision.posting] = post_many(revision.hand.night.league.book, [posting])
    revision.document = store_document(verdict.variant)
    replace_revision(last, revision)


def replace_revision(last: Revision, revision: Revision) -> None:
    """Save the revision as the current revision, and update the hand."""
    refuse(row_limits.REVISIONS.exceeded(last.number))
    Revision.objects.filter(pk=last.pk).update(current=False)
    revision.save(force_insert=True)
    revision.hand.voided = revision.voids
    revision.hand.save(update_fields=["voided"])
    insert([_stale_mark(revision)])


def last_number(night: Night) -> int:
    """Return the number of the night's last hand.

    The lock on the night ensures that there are no gaps between numbers.
    """
    [(number,)] = query_by_keys(_LAST_NUMBER, night.pk)
    return number or 0


def revision_values(verdict: Verdict) -> dict[str, Any]:
    """Return the values of a revision's columns that are derived from its verdict."""
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
    """Fill the revision from the verdict, and return the posting that moves its chips."""
    for name, value in revision_values(add_findings(verdict, before)).items():
        setattr(revision, name, value)
    chips = verdict.chips
    # If the hand takes more chips than earlier hands left, the rest comes from drift.
    from_drift = max(0, chips.carried - before.carry)
    return NewPosting(
        key=PostingKey.HAND.of(revision.pk),
        transfers=tuple(hand_transfers(revision.hand, chips, verdict.names, from_drift=from_drift)),
        memo=f"hand {revision.hand.number}, revision {revision.number}",
        actor=actor_of(revision.made_by),
    )


def _stale_mark(revision: Revision) -> StaleMark:
    """Return a mark that the hand's stats are stale."""
    return StaleMark(
        league_id=revision.hand.night.season.league_id,
        hand_id=revision.hand_id,
        revision_id=revision.pk,
    )
