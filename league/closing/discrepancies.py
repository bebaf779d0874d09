"""What would explain a count that differs: a hand, a rebuy, a pot. Pure sums, the likeliest first.

Each suspicion says how the counts would differ if it were true; the one that leaves the least
unexplained is the likeliest.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from league.closing.chip_count import Tally
from league.hands.chip_movements import moved
from league.models import BuyIn, Night, Revision
from league.nights.nights import DOCUMENT, hands

MOST = 3
MOST_REBUYS = 2

Differences = dict[UUID, int]


class Kind(StrEnum):
    """In the order in which they are believed, where two explain as much."""

    PAID_OTHERWISE = "paid-otherwise"
    MISSING_REBUY = "missing-rebuy"
    POT_IN_THE_MIDDLE = "pot-in-the-middle"
    NOT_HANDED_OUT = "not-handed-out"
    OTHER_WINNER = "other-winner"
    TOLD_TWICE = "told-twice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """Something that may have happened; `left` is what it would leave unexplained."""

    kind: Kind
    text: str
    changes: Differences
    hand: UUID | None = None
    number: int = 0
    left: int = field(default=0)


def likeliest(night: Night, tally: Tally) -> list[Suspicion]:
    """Return what would explain at least half of the differences, the best first, at most three."""
    differences = {line.player: line.difference for line in tally.lines if line.counted is not None}
    if not any(differences.values()):
        return []
    names = {line.player: line.name for line in tally.lines}
    found = [
        *_of_hands(hands(night).defer(DOCUMENT)),
        *_of_buy_ins(night, names, differences),
        *_of_pots(tally),
    ]
    return _best(found, differences)


def _best(found: Iterable[Suspicion], differences: Differences) -> list[Suspicion]:
    whole = sum(abs(chips) for chips in differences.values())
    kinds = list(Kind)
    weighed = [(_left(each, differences, whole), each) for each in found]
    ranked = sorted(
        ((left, each) for left, each in weighed if 2 * left <= whole),
        key=lambda one: (one[0], kinds.index(one[1].kind), -one[1].number, one[1].text),
    )
    return [
        Suspicion(
            kind=each.kind,
            text=each.text,
            changes=each.changes,
            hand=each.hand,
            number=each.number,
            left=left,
        )
        for left, each in ranked[:MOST]
    ]


def _left(suspicion: Suspicion, differences: Differences, whole: int) -> int:
    """Return what stays unexplained, of the players who are counted."""
    changed = (
        (differences[who], by) for who, by in suspicion.changes.items() if who in differences
    )
    return whole + sum(abs(chips - by) - abs(chips) for chips, by in changed)


def _of_hands(revisions: Iterable[Revision]) -> Iterator[Suspicion]:
    for revision in revisions:
        if not revision.hand.voided:
            yield from _of_hand(revision)


def _of_hand(revision: Revision) -> Iterator[Suspicion]:
    chips = moved(revision.record, revision.answer)
    called = f"Hand {revision.hand.number}, {revision.document.name},"
    if any(chips.owed.values()):
        text = f"{called} was paid as the rules say, not as the table is said to have paid it."
        yield _suspect(Kind.PAID_OTHERWISE, revision, text, chips.owed)
    elif said := _told_otherwise(revision):
        text = f"{called} was paid as the table says, though that does not add up."
        yield _suspect(Kind.PAID_OTHERWISE, revision, text, said)
    for winner, other, part in _handed_over(revision):
        text = f"{called} gave {part:,} to {other}, not to {winner}."
        yield _suspect(Kind.OTHER_WINNER, revision, text, {winner: -part, other: part})
    undone = {name: chips.paid[name] - chips.back[name] for name in chips.paid}
    yield _suspect(
        Kind.TOLD_TWICE, revision, f"{called} was not played, or is recorded twice.", undone
    )


def _suspect(kind: Kind, revision: Revision, text: str, changes: Mapping[str, int]) -> Suspicion:
    players = {UUID(revision.names[name]): chips for name, chips in changes.items() if chips}
    number = revision.hand.number
    return Suspicion(kind=kind, text=text, changes=players, hand=revision.hand_id, number=number)


def _told_otherwise(revision: Revision) -> dict[str, int]:
    """Return how the stacks would differ, had the table's word been followed."""
    took: Mapping[str, int] | None = revision.record.get("took")
    won: Mapping[str, int] = revision.answer["won"]
    if took is None:
        return {}
    changes = {name: took.get(name, 0) - chips for name, chips in won.items()}
    return changes if any(changes.values()) else {}


def _handed_over(revision: Revision) -> Iterator[tuple[str, str, int]]:
    """Yield (winner, another, chips) for what one took and another may have taken."""
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
                text = f"{name} bought {times * chips:,} more than was written down."
                change = {player: times * chips}
                yield Suspicion(kind=Kind.MISSING_REBUY, text=text, changes=change)
        for chips in {chips for who, chips in bought if who == player}:
            text = f"{name} was never given the {chips:,} of a buy-in that was written down."
            yield Suspicion(kind=Kind.NOT_HANDED_OUT, text=text, changes={player: -chips})


def _of_pots(tally: Tally) -> Iterator[Suspicion]:
    back = {line.player: -line.back for line in tally.lines if line.back}
    if back:
        text = f"The pot of {-sum(back.values()):,} that goes back was counted by nobody."
        yield Suspicion(kind=Kind.POT_IN_THE_MIDDLE, text=text, changes=back)
        return
    for pot in tally.pots:
        for line in tally.lines:
            text = f"{line.name} counted the pot of {pot.amount:,} that stays for the next night."
            change = {line.player: pot.amount}
            yield Suspicion(kind=Kind.POT_IN_THE_MIDDLE, text=text, changes=change)
