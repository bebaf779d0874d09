"""Hands that clients send: the client's knowledge of the night, and the result of recording."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max, Q

from league.common.errors import IdReusedError
from league.hands.validation import is_same
from league.models import ConflictingRecord, Hand, Night, Revision
from ledger.sql import as_uuid, query_by_keys

# The id of a submitted record can belong to a hand, or to a second phone's record of a hand.
_KNOWN = """SELECT id FROM league_hand WHERE id IN %s
    UNION ALL SELECT id FROM league_conflictingrecord WHERE id IN %s"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientContext:
    """What a client knew about the night when the hand was entered.

    The context shows whether another phone may have recorded the same hand (`conflicts`). `origin`
    identifies the phone. `seen` is the number of the night's last hand that the phone had seen.
    `number` is the number that the phone expected for this hand. It is more than `seen` + 1 if
    other hands were waiting to be sent. `corrects` is true if the sender may correct hands of
    closed nights (`access.may_correct`). Only the recording page sends `after` and `of_deal`.
    `after` contains the ids of the hands that were waiting, so they are recognized as the phone's
    own even if the phone has signed in again since. `of_deal` is true if the form was
    opened for a live deal, which then has the hand's id.
    """

    origin: str
    seen: int
    number: int
    corrects: bool = False
    after: frozenset[UUID] = frozenset()
    of_deal: bool = False


def client_context(
    *,
    origin: str,
    seen: int | None,
    number: int | None,
    corrects: bool,
    after: frozenset[UUID] = frozenset(),
    of_deal: bool = False,
) -> ClientContext | None:
    """Return a client's context, or None if it does not send `seen`.

    The default number is the next number after `seen`.
    """
    if seen is None:
        return None
    return ClientContext(
        origin=origin,
        seen=seen,
        number=number or seen + 1,
        corrects=corrects,
        after=after,
        of_deal=of_deal,
    )


def dealt_after_seen(hand: Hand, context: ClientContext) -> datetime:
    """Return when the hand was dealt, but not before the hands that its phone had seen.

    So a phone with a slow clock doesn't change the order of the hands that it records. It has also
    seen a hand that another phone recorded, if its own record of that deal was compared with it.
    """
    seen = Q(number__lte=context.seen) | Q(pk__in=context.after)
    seen |= Q(conflicts__in=context.after)
    latest = Hand.objects.filter(seen, night=hand.night).aggregate(at=Max("made_at"))["at"]
    return max(hand.made_at, latest or hand.made_at)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of recording a hand. `created` is false if the hand already existed.

    `conflict` is the conflicting record that was stored if another phone had recorded the hand.
    `unchanged` is true if a correction was skipped because it would change nothing.
    `payments` are the chips by which each player's payments changed, if a correction closed the
    night again. `reopened` is true if a correction left a closed night open.
    """

    revision: Revision
    created: bool
    conflict: ConflictingRecord | None = None
    unchanged: bool = False
    payments: dict[str, int] | None = None
    reopened: bool = False

    @property
    def hand(self) -> Hand:
        return self.revision.hand

    @property
    def answer(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.revision.answer
        return answer

    @property
    def outcome(self) -> str:
        """The outcome of sending the hand.

        It is `recorded`, `again` if the hand was sent before, or the conflicting record's state.
        """
        if self.conflict:
            return self.conflict.state
        return "recorded" if self.created else "again"


def recorded_already(night: Night, sent: Iterable[tuple[UUID, object]]) -> dict[UUID, Recorded]:
    """Return the results that were recorded under these ids.

    This takes one query if all ids are new. Raises IdReusedError if an id belongs to a different
    record.
    """
    records = dict(sent)
    ids = list(records)
    known = {as_uuid(key) for (key,) in query_by_keys(_KNOWN, ids, ids)}
    # If a conflicting record became a separate hand, both have the same id.
    rows = ConflictingRecord.objects.exclude(state=ConflictingRecord.State.SEPARATED)
    results = {}
    for key in ids:
        if key not in known:
            continue
        if conflict := rows.select_related("hand").filter(pk=key).first():
            _require(
                conflict.night_id == night.pk and is_same(night, conflict.record, records[key])
            )
            results[key] = result_of_conflict(conflict)
        else:
            first = Revision.objects.select_related("hand").get(hand=key, number=1)
            _require(first.hand.night_id == night.pk and is_same(night, first.record, records[key]))
            results[key] = Recorded(first, created=False)
    return results


def result_of_conflict(conflict: ConflictingRecord) -> Recorded:
    """Return the result for a conflicting record, with the hand that it belongs to."""
    return Recorded(current_revision(conflict.hand), created=False, conflict=conflict)


def current_revision(hand: Hand) -> Revision:
    """Return the current revision with all related rows that a correction needs."""
    wanted = Revision.objects.select_related("hand__night__season__league__book", "posting")
    return wanted.get(hand=hand, current=True)


def _require(is_same_record: bool) -> None:
    if not is_same_record:
        raise IdReusedError
