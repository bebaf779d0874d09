"""Recompute the later deals of a match after a correction of one deal.

They are settled again in order, each from what the deal before it leaves. Nothing is written here.
Once the match is as it was before, the remaining deals stay unchanged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from league.common.errors import Problem, RefusedError, problem
from league.hands.validation import Verdict, settled
from league.matches.matches import Dealt, State, after, as_dealt, deals, taken_over
from league.models import Revision

BROKEN = "match-broken"


@dataclass(frozen=True, slots=True)
class Resettled:
    """A later deal: its current revision, and the one that replaces it."""

    last: Revision
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Corrected:
    """The corrected deal as one match sees it. None if it is no deal of that match."""

    number: int
    old: Dealt | None
    new: Dealt | None


def rest_of_match(last: Revision, verdict: Verdict | None) -> list[Resettled]:
    """Return the later deals, settled again after the correction or removal of the hand.

    A correction that moves the deal to another match settles both. Raises RefusedError, which names
    the deal that can't be settled.
    """
    old, new = as_dealt(last), _as_told(last, verdict)
    matches = {each.match_id for each in (old, new) if each.match_id}
    rows = [row for row in deals(last.hand.night, matches) if row.pk != last.pk] if matches else []
    return [
        each
        for match in sorted(matches)
        for each in _resettled(match, [row for row in rows if _is_of(row, match)], old, new)
    ]


def deal_number(last: Revision, verdict: Verdict | None) -> int:
    """Return the number of the corrected hand in its match, or its number before it left it."""
    told = (verdict.answer if verdict else {}).get("match") or last.answer["match"]
    return int(told["deal"])


def _as_told(last: Revision, verdict: Verdict | None) -> Dealt:
    deal = as_dealt(last, stands=verdict is not None)
    return replace(deal, record=verdict.record, answer=verdict.answer) if verdict else deal


def _is_of(row: Revision, match: str) -> bool:
    return as_dealt(row).match_id == match


def _resettled(match: str, rows: Sequence[Revision], old: Dealt, new: Dealt) -> Iterator[Resettled]:
    """Yield the changed later deals of the match, until the state no longer differs."""
    seen = _seen_by(match, old, new)
    stood: State | None = None
    for row in rows:
        if row.hand.number < seen.number:
            stood = after(stood, as_dealt(row))
    stood, stands = (after(stood, each) if each else stood for each in (seen.old, seen.new))
    for row in rows:
        if row.hand.number < seen.number:
            continue
        deal = as_dealt(row)
        if deal.stands and stands is not None and stands != stood:
            verdict = _settled(row, deal, stands, match)
            yield Resettled(row, verdict)
            again = replace(deal, record=verdict.record, answer=verdict.answer)
            stands = after(stands, again)
        else:
            stands = after(stands, deal)
        stood = after(stood, deal)


def _seen_by(match: str, old: Dealt, new: Dealt) -> _Corrected:
    """Return the correction as this match sees it: a deal that leaves it counts as removed."""
    if new.match_id == match:
        return _Corrected(new.number, old if old.match_id == match else None, new)
    return _Corrected(old.number, old, replace(old, stands=False))


def _settled(row: Revision, deal: Dealt, state: State, match: str) -> Verdict:
    if state.over:
        text = "the match is over before it."
        raise RefusedError([_broken(row, deal, text)])
    verdict = settled(row.hand.night, taken_over(state, deal, match), instead_of=row.hand)
    if verdict.errors:
        raise RefusedError(_broken(row, deal, each["text"]) for each in verdict.errors)
    return verdict


def _broken(row: Revision, deal: Dealt, text: str) -> Problem:
    number = deal.answer["match"]["deal"]
    told = f"deal {number} of this match (hand {row.hand.number}) can't be settled then: {text}"
    return problem("match", BROKEN, told)
