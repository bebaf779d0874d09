"""Findings about hands whose chips contradict the book.

The rules can't detect such contradictions. A finding does not change the settlement. Findings are
stored with the hand.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.db.models import Subquery

from league.hands import chips_before
from league.hands.validation import Verdict
from league.matches import (
    CarryingHand,
    MatchState,
    as_match_deal,
    differences,
    match_states,
    pots_after,
    pots_of_matches,
    referenced_matches,
    state_after,
)
from league.models import CashOut, ClosingLine, Hand, Night, Revision
from league.nights import accounts
from ledger.balances import balances
from ledger.models import Posting

Finding = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorState:
    """The state before a hand: stacks keyed by name, the carry, and possible matches.

    `matches` are the matches that the hand may belong to, and `pots` the pots of all unfinished
    matches, which are included in `carry`. `in_order` is false if later hands may
    exist, as for a correction. In that case, only the final stack can be checked, but not the
    payments during the hand. `cashed_out` contains the players who have cashed out since the hand.
    Their current stacks don't show how many chips they had at the time, so these players are not
    checked.
    """

    stacks: dict[str, int]
    carry: int
    in_order: bool = True
    cashed_out: frozenset[str] = frozenset()
    matches: Mapping[str, MatchState] = field(default_factory=dict)
    pots: Mapping[str, int] = field(default_factory=dict)

    def after(self, verdict: Verdict, revision: Revision) -> "PriorState":
        """Return the state after this hand, which is the state before the next one."""
        stacks, chips = dict(self.stacks), verdict.chips
        for name, paid in chips.paid.items():
            stacks[name] += chips.back[name] - paid
        carry = max(0, self.carry - chips.carried) + chips.carry
        matches, pots = dict(self.matches), self.pots
        if "match" in verdict.answer:
            deal = as_match_deal(revision)
            match = str(deal.match_id)
            matches[match] = state_after(matches.get(match), deal)
        if "match" in verdict.answer or pots:
            hand = CarryingHand.of(revision.hand_id, verdict.answer, chips.carried, chips.carry)
            pots = pots_after(pots, self.carry, hand)
        return PriorState(stacks=stacks, carry=carry, matches=matches, pots=pots)


def state_before_next(night: Night, verdicts: Sequence[Verdict]) -> PriorState:
    """Return the state before the night's next hands.

    If there are matches or carried chips, this takes additional queries.
    """
    names: dict[str, UUID] = {}
    for verdict in verdicts:
        names |= verdict.names
    before = current_chips(night, names)
    if before.carry:
        before = replace(before, pots=pots_of_matches(night))
    of_matches = [verdict.record for verdict in verdicts if "match" in verdict.record]
    return (
        replace(before, matches=match_states(night, referenced_matches(of_matches)))
        if of_matches
        else before
    )


def current_chips(night: Night, names: dict[str, UUID]) -> PriorState:
    """Return the current stacks of these players and the carry."""
    carry = accounts.carry(night.pk).key
    keys = {name: accounts.stack(night.pk, player).key for name, player in names.items()}
    chips = balances(night.league.book, keys=[carry, *keys.values()])
    stacks = {name: chips.get(key, 0) for name, key in keys.items()}
    return PriorState(stacks=stacks, carry=chips.get(carry, 0))


def state_without(hand: Hand, verdict: Verdict) -> PriorState:
    """Return the state as if this hand had not been dealt."""
    names = verdict.names
    now = current_chips(hand.night, names)
    changes: Counter[str] = Counter()  # the chips that the current revision has moved
    if not hand.voided:
        posting = Posting.objects.get(revision__hand=hand, revision__current=True)
        transfers = posting.transfers.values_list("debit__key", "credit__key", "amount")
        for debit, credit, amount in transfers:
            changes[debit] -= amount
            changes[credit] += amount
    # the stacks that the closing moved to the tabs, if the night is closed
    lines = ClosingLine.objects.filter(closing__night=hand.night, closing__posting__reversal=None)
    closed = dict(lines.values_list("player", "stack"))
    stacks = {
        name: chips
        + closed.get(names[name], 0)
        - changes[accounts.stack(hand.night_id, names[name]).key]
        for name, chips in now.stacks.items()
    }
    # The order of postings determines who cashed out after the hand was first recorded.
    first = Revision.objects.filter(hand=hand, number=1).values("posting")
    cash_outs = CashOut.objects.filter(night=hand.night_id, posting__reversal=None)
    since = cash_outs.filter(posting__gt=Subquery(first)).values_list("player", flat=True)
    gone = set(since)
    return PriorState(
        stacks=stacks,
        carry=chips_before.carried_before(hand),
        in_order=False,
        cashed_out=frozenset(name for name, player in names.items() if player in gone),
        matches=match_states(hand.night, referenced_matches([verdict.record]), before=hand.number),
        pots=pots_of_matches(hand.night, before=hand.number),
    )


def add_findings(verdict: Verdict, before: PriorState) -> Verdict:
    """Return the verdict with this module's findings added to the rules' findings."""
    findings = [*verdict.answer["findings"], *chip_findings(verdict, before)]
    # A deal of a match starts with the state in which the previous deal ended.
    match = verdict.answer.get("match")
    state = before.matches.get(match["id"]) if match and match["id"] else None
    if state and state.over:
        text = "this match was already over before this deal."
        findings.append({"code": "match-differs", "text": text})
    elif state and (different := list(differences(state, verdict.record, verdict.answer))):
        recorded, left = (", ".join(texts) for texts in zip(*different, strict=True))
        text = f"this hand has {recorded}, but the previous deal of the match ended with {left}."
        findings.append({"code": "match-differs", "text": text})
    return replace(verdict, answer=verdict.answer | {"findings": findings})


def chip_findings(verdict: Verdict, before: PriorState) -> Iterator[Finding]:
    """Yield a finding for each contradiction between the hand and the chips before it."""
    chips = verdict.chips
    # pots of unfinished matches wait for their next deals, unless the table plays for all chips
    match = (verdict.answer.get("match") or {}).get("id") or ""
    left = before.pots.get(match, before.carry - sum(before.pots.values()))
    if chips.carried not in (left, before.carry):
        text = f"this hand has {chips.carried:,} carried, but earlier hands left {left:,}."
        yield {"code": "carry-differs", "text": text}
    for name in verdict.names:
        stack, paid = before.stacks[name], chips.paid[name]
        after = stack - paid + chips.back[name]
        if before.in_order and paid > stack:
            yield _missing(
                name, f"{name} put in {paid:,} but had {max(0, stack):,}. Is a buy-in missing?"
            )
        elif not before.in_order and after < 0 and name not in before.cashed_out:
            text = f"{name}'s stack would be \N{MINUS SIGN}{-after:,}. Is a buy-in missing?"
            yield _missing(name, text)


def _missing(name: str, text: str) -> Finding:
    return {"code": "buy-in-missing", "player": name, "text": text}
