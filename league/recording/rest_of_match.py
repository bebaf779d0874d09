"""Settle a match's later deals again after one deal was corrected.

The deals are settled in order, each from the state after the previous deal. Once that state is the
same as before the correction, the remaining deals stay unchanged. This module does not write to the
database.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from league.common.errors import Problem, RefusedError, problem
from league.hands.validation import Verdict, settle_record
from league.matches import (
    MatchDeal,
    MatchState,
    as_match_deal,
    match_deals,
    state_after,
    with_match_state,
)
from league.models import Revision

BROKEN = "match-broken"


@dataclass(frozen=True, slots=True)
class Resettled:
    """A later deal's current revision, and the verdict that replaces it."""

    last: Revision
    verdict: Verdict


def rest_of_match(last: Revision, verdict: Verdict | None) -> list[Resettled]:
    """Return the later deals, settled again after the hand was corrected or removed.

    If a correction moves the deal to a different match, the later deals of both matches are
    settled. Raises RefusedError with the number of a deal that can't be settled.
    """
    old, new = as_match_deal(last), as_match_deal(last, valid=verdict is not None)
    if verdict:
        new = replace(new, record=verdict.record, answer=verdict.answer)
    matches = {deal.match_id for deal in (old, new) if deal.match_id}
    rows = (
        [row for row in match_deals(last.hand.night, matches) if row.pk != last.pk]
        if matches
        else []
    )
    rest: list[Resettled] = []
    for match in sorted(matches):
        of_match = [row for row in rows if as_match_deal(row).match_id == match]
        was = old if old.match_id == match else None
        # a deal that leaves the match counts as removed
        now = new if new.match_id == match else replace(old, valid=False)
        rest += _resettle(match, of_match, was, now)
    return rest


def deal_number(last: Revision, verdict: Verdict | None) -> int:
    """Return the corrected hand's deal number in its match.

    If the hand no longer belongs to a match, return its previous deal number.
    """
    match = (verdict.answer if verdict else {}).get("match") or last.answer["match"]
    return int(match["deal"])


def _resettle(
    match: str, rows: Sequence[Revision], was: MatchDeal | None, now: MatchDeal
) -> Iterator[Resettled]:
    """Yield the later deals that change, until the match state is the same as before.

    `was` and `now` are the corrected deal before and after the correction. `was` is None if the
    deal did not belong to the match.
    """
    before: MatchState | None = None
    for row in rows:
        if row.hand.number < now.number:
            before = state_after(before, as_match_deal(row))
    old_state = state_after(before, was) if was else before
    new_state = state_after(before, now)
    for row in rows:
        if row.hand.number < now.number:
            continue
        deal = as_match_deal(row)
        if deal.valid and new_state != old_state:
            if new_state.over:
                raise RefusedError([_broken(row, deal, "the match is over before it.")])
            record = with_match_state(new_state, deal, match)
            night = row.hand.night  # use the night of the deal, which may have been imported
            verdict = settle_record(night, record, instead_of=row.hand, took_may_differ=True)
            if verdict.errors:
                raise RefusedError(_broken(row, deal, error["text"]) for error in verdict.errors)
            yield Resettled(row, verdict)
            again = replace(deal, record=verdict.record, answer=verdict.answer)
            new_state = state_after(new_state, again)
        else:
            new_state = state_after(new_state, deal)
        old_state = state_after(old_state, deal)


def _broken(row: Revision, deal: MatchDeal, reason: str) -> Problem:
    number = deal.answer["match"]["deal"]
    text = f"deal {number} of this match (hand {row.hand.number}) can't be settled then: {reason}"
    return problem("match", BROKEN, text)
