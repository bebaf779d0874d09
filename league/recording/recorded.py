"""The result of recording a hand, and what was recorded under an id already."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.common.errors import IdReusedError
from league.models import ConflictingRecord, Hand, Night, Revision
from ledger.sql import as_uuid, fetch

Answer = dict[str, Any]
# Whatever was sent under an id is a hand, or a second phone's record of one.
KNOWN = """SELECT id FROM league_hand WHERE id IN %s
    UNION ALL SELECT id FROM league_conflictingrecord WHERE id IN %s"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A hand as one call recorded it. `created` is false if it existed already.

    `conflict` is the record of this call, if another phone had recorded the hand.
    """

    hand: Hand
    revision: Revision
    answer: Answer
    created: bool
    conflict: ConflictingRecord | None = None

    @property
    def outcome(self) -> str:
        """The result: `recorded`, `again` (sent before), or the state of the conflicting record.

        `merged` equals the existing hand. `waiting` differs, until the host decides: then it is
        `refused` (the hand stays) or `taken`.
        """
        if self.conflict:
            return self.conflict.state
        return "recorded" if self.created else "again"


def recorded_already(night: Night, sent: Iterable[tuple[UUID, object]]) -> dict[UUID, Recorded]:
    """Return what was recorded under these ids.

    Takes one query if nothing was. Raises IdReusedError if an id belongs to another record.
    """
    records = dict(sent)
    ids = list(records)
    known = {as_uuid(key) for (key,) in fetch(KNOWN, ids, ids)}
    return {key: _recorded(night, key, records[key]) for key in ids if key in known}


def beside(conflict: ConflictingRecord) -> Recorded:
    """Return the hand with which another phone's record of it is stored."""
    current = current_revision(conflict.hand)
    return Recorded(current.hand, current, current.answer, created=False, conflict=conflict)


def current_revision(hand: Hand) -> Revision:
    """Return the current revision, with everything that a correction of it reads."""
    wanted = Revision.objects.select_related("hand__night__season__league__book", "posting")
    return wanted.get(hand=hand, current=True)


def _recorded(night: Night, key: UUID, record: object) -> Recorded:
    # A conflicting record that was dealt apart is a separate hand under the same key.
    conflicts = ConflictingRecord.objects.select_related("hand").exclude(
        state=ConflictingRecord.State.DEALT
    )
    if conflict := conflicts.filter(pk=key).first():
        _require_same(conflict.night_id == night.pk and conflict.record == record)
        return beside(conflict)
    hand = Hand.objects.get(pk=key)
    first = hand.revisions.get(number=1)
    _require_same(hand.night_id == night.pk and first.record == record)
    return Recorded(hand, first, first.answer, created=False)


def _require_same(is_same: bool) -> None:
    if not is_same:
        raise IdReusedError
