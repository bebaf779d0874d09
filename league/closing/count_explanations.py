"""Possible explanations for differences between a chip count and the books.

The most likely explanation leaves the fewest chips unexplained.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from uuid import UUID

from league.closing.chip_count import NightCount
from league.hands.chip_movements import chip_totals
from league.models import BuyIn, Night, Revision
from league.nights.nights import DOCUMENT, hands

MOST_EXPLANATIONS = 3
MOST_REBUYS = 2

Differences = dict[UUID, int]


class ExplanationKind(StrEnum):
    """The kinds of explanations.

    If two kinds explain the same number of chips, the earlier kind is preferred.
    """

    PAID_OTHERWISE = "paid-otherwise"
    MISSING_REBUY = "missing-rebuy"
    POT_IN_THE_MIDDLE = "pot-in-the-middle"
    NOT_HANDED_OUT = "not-handed-out"
    OTHER_WINNER = "other-winner"
    RECORDED_TWICE = "told-twice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A possible mistake. `left` is how many chips the mistake leaves unexplained."""

    kind: ExplanationKind
    text: str
    changes: Differences
    hand: UUID | None = None
    number: int = 0
    left: int = field(default=0)


def likely_explanations(night: Night, tally: NightCount) -> list[Explanation]:
    """Return up to three explanations that cover at least half of the differences, best first."""
    differences = {line.player: line.difference for line in tally.lines if line.counted is not None}
    if not any(differences.values()):
        return []
    names = {line.player: line.name for line in tally.lines}
    explanations = [
        *_explain_by_hands(hands(night).defer(DOCUMENT)),
        *_explain_by_buy_ins(night, names, differences),
        *_explain_by_pots(tally),
    ]
    total = sum(abs(chips) for chips in differences.values())
    likely = []
    for explanation in explanations:
        changed = (
            (differences[player], by)
            for player, by in explanation.changes.items()
            if player in differences
        )
        left = total + sum(abs(chips - by) - abs(chips) for chips, by in changed)
        if 2 * left <= total:
            likely.append(replace(explanation, left=left))
    kinds = list(ExplanationKind)
    likely.sort(key=lambda each: (each.left, kinds.index(each.kind), -each.number, each.text))
    return likely[:MOST_EXPLANATIONS]


def _explain_by_hands(revisions: Iterable[Revision]) -> Iterator[Explanation]:
    for revision in revisions:
        if revision.hand.voided:
            continue
        chips = chip_totals(revision.record, revision.answer)
        won, took = revision.answer["won"], revision.record.get("took")
        # the stack differences if the hand had been paid as the table reported
        reported = {} if took is None else {name: took.get(name, 0) - won[name] for name in won}
        hand_name = f"{revision.hand.number}, {revision.document.name},"
        if any(chips.owed.values()):
            text = f"Hand {hand_name} may have been paid by the rules, not as recorded."
            yield _hand_explanation(ExplanationKind.PAID_OTHERWISE, revision, text, chips.owed)
        elif any(reported.values()):
            text = f"Hand {hand_name} may have been paid as recorded, although that doesn't add up."
            yield _hand_explanation(ExplanationKind.PAID_OTHERWISE, revision, text, reported)
        for winner, other, part in _possible_wrong_payments(revision):
            text = f"In hand {hand_name} {other} may have taken {part:,} that {winner} won."
            changes = {winner: -part, other: part}
            yield _hand_explanation(ExplanationKind.OTHER_WINNER, revision, text, changes)
        text = f"Hand {hand_name} may be recorded twice, or was not played."
        undone = {name: chips.paid[name] - chips.back[name] for name in chips.paid}
        yield _hand_explanation(ExplanationKind.RECORDED_TWICE, revision, text, undone)


def _hand_explanation(
    kind: ExplanationKind, revision: Revision, text: str, changes: Mapping[str, int]
) -> Explanation:
    players = {UUID(revision.names[name]): chips for name, chips in changes.items() if chips}
    number = revision.hand.number
    return Explanation(kind=kind, text=text, changes=players, hand=revision.hand_id, number=number)


def _possible_wrong_payments(revision: Revision) -> Iterator[tuple[str, str, int]]:
    """Yield (winner, other player, chips) for each win that another player may have taken."""
    won = revision.answer["won"]
    parts = {name: {chips} for name, chips in won.items() if chips}
    shares = [share for pot in revision.answer.get("pots", ()) for share in pot["shares"]]
    for name, chips in (row for share in shares for row in share["winners"].items()):
        parts.setdefault(name, set()).add(chips)
    for winner, amounts in parts.items():
        for other in (name for name in won if name != winner):
            yield from ((winner, other, part) for part in sorted(amounts) if part)


def _explain_by_buy_ins(
    night: Night, names: Mapping[UUID, str], differences: Differences
) -> Iterator[Explanation]:
    bought = list(
        BuyIn.objects.filter(night=night, posting__reversal=None).values_list("player", "chips")
    )
    usual = {night.usual_buy_in, *(chips for _, chips in bought)}
    for player in differences:
        name = names[player]
        for chips in sorted(usual):
            for times in range(1, MOST_REBUYS + 1):
                text = f"{name} may have bought {times * chips:,} more than recorded."
                change = {player: times * chips}
                yield Explanation(kind=ExplanationKind.MISSING_REBUY, text=text, changes=change)
        for chips in {chips for who, chips in bought if who == player}:
            text = f"{name} may not have got the {chips:,} of a recorded buy-in."
            yield Explanation(
                kind=ExplanationKind.NOT_HANDED_OUT, text=text, changes={player: -chips}
            )


def _explain_by_pots(tally: NightCount) -> Iterator[Explanation]:
    back = {line.player: -line.back for line in tally.lines if line.back}
    if back:
        text = f"The returned pot of {-sum(back.values()):,} may not be counted."
        yield Explanation(kind=ExplanationKind.POT_IN_THE_MIDDLE, text=text, changes=back)
        return
    for pot in tally.pots:
        for line in tally.lines:
            text = f"{line.name} may have counted the carried pot of {pot.amount:,}."
            change = {line.player: pot.amount}
            yield Explanation(kind=ExplanationKind.POT_IN_THE_MIDDLE, text=text, changes=change)
