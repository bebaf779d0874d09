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

MOST = 3
MOST_REBUYS = 2

Differences = dict[UUID, int]


class SuspicionKind(StrEnum):
    """The kinds of explanations. If two explain the same number of chips, the earlier one wins."""

    PAID_OTHERWISE = "paid-otherwise"
    MISSING_REBUY = "missing-rebuy"
    POT_IN_THE_MIDDLE = "pot-in-the-middle"
    NOT_HANDED_OUT = "not-handed-out"
    OTHER_WINNER = "other-winner"
    TOLD_TWICE = "told-twice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """A possible mistake. `left` is how many chips it leaves unexplained."""

    kind: SuspicionKind
    text: str
    changes: Differences
    hand: UUID | None = None
    number: int = 0
    left: int = field(default=0)


def likeliest(night: Night, tally: NightCount) -> list[Suspicion]:
    """Return up to three explanations that cover at least half of the differences, best first."""
    differences = {line.player: line.difference for line in tally.lines if line.counted is not None}
    if not any(differences.values()):
        return []
    names = {line.player: line.name for line in tally.lines}
    suspicions = [
        *_of_hands(hands(night).defer(DOCUMENT)),
        *_of_buy_ins(night, names, differences),
        *_of_pots(tally),
    ]
    return _best(suspicions, differences)


def _best(suspicions: Iterable[Suspicion], differences: Differences) -> list[Suspicion]:
    whole = sum(abs(chips) for chips in differences.values())
    kinds = list(SuspicionKind)
    weighed = [(_left(suspicion, differences, whole), suspicion) for suspicion in suspicions]
    ranked = sorted(
        ((left, suspicion) for left, suspicion in weighed if 2 * left <= whole),
        key=lambda one: (one[0], kinds.index(one[1].kind), -one[1].number, one[1].text),
    )
    return [replace(suspicion, left=left) for left, suspicion in ranked[:MOST]]


def _left(suspicion: Suspicion, differences: Differences, whole: int) -> int:
    """Return how many chips of the differences the suspicion leaves unexplained."""
    changed = (
        (differences[who], by) for who, by in suspicion.changes.items() if who in differences
    )
    return whole + sum(abs(chips - by) - abs(chips) for chips, by in changed)


def _of_hands(revisions: Iterable[Revision]) -> Iterator[Suspicion]:
    for revision in revisions:
        if not revision.hand.voided:
            yield from _of_hand(revision)


def _of_hand(revision: Revision) -> Iterator[Suspicion]:
    chips = chip_totals(revision.record, revision.answer)
    called = f"Hand {revision.hand.number}, {revision.document.name},"
    if any(chips.owed.values()):
        text = f"{called} was paid by the rules, not as recorded."
        yield _suspect(SuspicionKind.PAID_OTHERWISE, revision, text, chips.owed)
    elif changes := _reported_differences(revision):
        text = f"{called} was paid as recorded, although that doesn't add up."
        yield _suspect(SuspicionKind.PAID_OTHERWISE, revision, text, changes)
    for winner, other, part in _handed_over(revision):
        text = f"{called} gave {part:,} to {other}, not to {winner}."
        yield _suspect(SuspicionKind.OTHER_WINNER, revision, text, {winner: -part, other: part})
    undone = {name: chips.paid[name] - chips.back[name] for name in chips.paid}
    yield _suspect(
        SuspicionKind.TOLD_TWICE,
        revision,
        f"{called} was not played, or is recorded twice.",
        undone,
    )


def _suspect(
    kind: SuspicionKind, revision: Revision, text: str, changes: Mapping[str, int]
) -> Suspicion:
    players = {UUID(revision.names[name]): chips for name, chips in changes.items() if chips}
    number = revision.hand.number
    return Suspicion(kind=kind, text=text, changes=players, hand=revision.hand_id, number=number)


def _reported_differences(revision: Revision) -> dict[str, int]:
    """Return how the stacks would differ if the hand had been paid as the table reported."""
    took: Mapping[str, int] | None = revision.record.get("took")
    won: Mapping[str, int] = revision.answer["won"]
    if took is None:
        return {}
    changes = {name: took.get(name, 0) - chips for name, chips in won.items()}
    return changes if any(changes.values()) else {}


def _handed_over(revision: Revision) -> Iterator[tuple[str, str, int]]:
    """Yield (winner, other player, chips) for each win that the other player may have taken."""
    won = revision.answer["won"]
    parts = {name: {chips} for name, chips in won.items() if chips}
    shares = [share for pot in revision.answer.get("pots", ()) for share in pot["shares"]]
    for name, chips in (one for share in shares for one in share["winners"].items()):
        parts.setdefault(name, set()).add(chips)
    for winner, amounts in parts.items():
        for other in (name for name in won if name != winner):
            yield from ((winner, other, part) for part in sorted(amounts) if part)


def _of_buy_ins(
    night: Night, names: Mapping[UUID, str], differences: Differences
) -> Iterator[Suspicion]:
    bought = list(
        BuyIn.objects.filter(night=night, posting__reversal=None).values_list("player", "chips")
    )
    usual = {night.usual_buy_in, *(chips for _, chips in bought)}
    for player in differences:
        name = names[player]
        for chips in sorted(usual):
            for times in range(1, MOST_REBUYS + 1):
                text = f"{name} bought {times * chips:,} more than recorded."
                change = {player: times * chips}
                yield Suspicion(kind=SuspicionKind.MISSING_REBUY, text=text, changes=change)
        for chips in {chips for who, chips in bought if who == player}:
            text = f"{name} never got the {chips:,} of a recorded buy-in."
            yield Suspicion(kind=SuspicionKind.NOT_HANDED_OUT, text=text, changes={player: -chips})


def _of_pots(tally: NightCount) -> Iterator[Suspicion]:
    back = {line.player: -line.back for line in tally.lines if line.back}
    if back:
        text = f"Nobody counted the returned pot of {-sum(back.values()):,}."
        yield Suspicion(kind=SuspicionKind.POT_IN_THE_MIDDLE, text=text, changes=back)
        return
    for pot in tally.pots:
        for line in tally.lines:
            text = f"{line.name} counted the carried pot of {pot.amount:,}."
            change = {line.player: pot.amount}
            yield Suspicion(kind=SuspicionKind.POT_IN_THE_MIDDLE, text=text, changes=change)
