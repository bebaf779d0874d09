"""Brief answers to hands in columns: where the chips go first, then as an object or as JSON text.

Pots, winners and odd chips come from the same rules as ever. Hands in which they take a closer
look are left to others, as `rules.settlement.brief_answers` leaves them.
"""

from collections.abc import Callable, Iterator, Sequence
from json import JSONEncoder
from typing import Any, NamedTuple, TypeVar

from rules.settlement import findings
from rules.settlement.chips import contest
from rules.settlement.chips.brief_shares import Shares, shares_of
from rules.settlement.chips.contest import BOTH, Entry
from rules.settlement.chips.entries import made_of
from rules.settlement.columns.hands import ColumnHand
from rules.settlement.columns.reader import HandColumns
from rules.settlement.columns.showdowns import Group, groups_of
from rules.settlement.findings import Finding

as_json = JSONEncoder(check_circular=False).encode  # an answer has no circles
Told = TypeVar("Told")


class Settled(NamedTuple):
    """Where the chips of a hand went, by seat; of each pot its amount, its seats and its shares."""

    returned: dict[int, int]
    won: list[int]
    pots: list[tuple[int, Sequence[int], Shares]]


def told_in_columns(
    columns: HandColumns, tell: Callable[[ColumnHand, Settled], Told]
) -> Iterator[Told | None]:
    """What is told of each hand that was taken, None where it takes a closer look."""
    if not columns.hands:
        return
    dealt = columns.dealt()
    groups = groups_of(columns.hands, dealt)
    for hand, is_good, (group, row) in zip(columns.hands, dealt.good, groups, strict=True):
        found = settled(hand, group, row) if is_good else None
        yield None if found is None else tell(hand, found)


def settled(hand: ColumnHand, group: Group, row: int) -> Settled | None:
    """Where the chips of a hand go whose first row stands there; None for a closer look."""
    paid, live = hand.paid, hand.live
    pots: list[tuple[int, Sequence[int]]]
    returned: dict[int, int] = {}
    if not (hand.dead or hand.carried) and min(paid) == max(paid):
        whole = sum(paid)
        pots = [(whole, live)] if whole else []
    else:
        dead = sum(hand.dead.values())
        made, returned = made_of(hand.stakes(), dead, live, hand.late, hand.carried)
        pots = [(pot.amount, pot.seats) for pot in made]
    won = [0] * len(paid)
    told = []
    for amount, seats in pots:
        shares = _shares(hand, amount, seats, group, row)
        if not shares:
            return None
        for _, _, chips in shares:
            for seat, part in chips.items():
                won[seat] += part
        told.append((amount, seats, shares))
    return Settled(returned, won, told)


def _shares(
    hand: ColumnHand, amount: int, seats: Sequence[int], group: Group, row: int
) -> Shares | None:
    if len(seats) == 1:
        return [(0, amount, {seats[0]: amount})]
    rules, end = hand.rules, row + len(hand.live)
    if rules.declares:
        winners = _by_declaration(hand, seats, group, row)
    else:
        winners = [_best(measures, hand.live, seats, row, end) for measures in group.measured]
    return shares_of(rules.game, amount, winners, hand.from_dealers_left)


def _best(
    measures: list[list[int]], live: list[int], seats: Sequence[int], row: int, end: int
) -> tuple[int, ...]:
    """Those of some live seats with the best hand by the first measure on which any qualifies."""
    for strengths in measures if seats else ():
        shown = strengths[row:end]
        if len(seats) < len(live):
            told = dict(zip(live, shown, strict=True))
            shown = [told[seat] for seat in seats]
        best = max(shown)
        if best >= 0:
            if shown.count(best) == 1:
                return (seats[shown.index(best)],)
            return tuple([seat for seat, one in zip(seats, shown, strict=True) if one == best])
    return ()


def _by_declaration(
    hand: ColumnHand, seats: Sequence[int], group: Group, row: int
) -> list[tuple[int, ...]]:
    """The winners of every share among those who declared it."""
    rules, live, said = hand.rules, hand.live, hand.declared
    shares = {seat: rules.declarations[said[seat]] for seat in seats}
    end = row + len(live)
    if not any(said[seat] == BOTH for seat in seats):
        return [
            _best(measures, live, [seat for seat in seats if share in shares[seat]], row, end)
            for share, measures in enumerate(group.measured)
        ]
    strengths = [
        [dict(zip(live, one[row:end], strict=True)) for one in measures]
        for measures in group.measured
    ]
    entry = Entry(shares, frozenset(seat for seat in seats if said[seat] == BOTH))
    outright = rules.game.both_ways == "outright"
    return contest.winners(seats, strengths, entry, outright=outright)


# --- told ---------------------------------------------------------------------------------------


def as_object(hand: ColumnHand, found: Settled) -> dict[str, Any]:
    """The answer as `settle` gives it."""
    names = hand.names.told
    paid, won = dict(zip(names, hand.paid, strict=True)), dict(zip(names, found.won, strict=True))
    returned = dict.fromkeys(names, 0)
    net = {name: won[name] - chips for name, chips in paid.items()}
    for seat, chips in found.returned.items():
        returned[names[seat]] = chips
        net[names[seat]] += chips
    ways = hand.rules.game.share_names
    return {
        "variant": hand.variant,
        "paid": paid,
        "returned": returned,
        "won": won,
        "net": net,
        "carry": 0,
        "carries": [],
        "pots": [
            {
                "amount": amount,
                "for": [names[seat] for seat in seats],
                "shares": [
                    {
                        "way": ways[way],
                        "amount": part,
                        "winners": {names[seat]: chips for seat, chips in winners.items()},
                    }
                    for way, part, winners in shares
                ],
            }
            for amount, seats, shares in found.pots
        ],
        "findings": _findings(hand, found.won),
    }


def as_text(hand: ColumnHand, found: Settled) -> str:
    """The same as JSON text, letter by letter as `json.dumps` writes it."""
    names = hand.names
    paid, won, chips = hand.paid, found.won, names.chips
    net = [gained - chips for gained, chips in zip(won, paid, strict=True)]
    returned = names.nothing
    if found.returned:
        back = [0] * len(paid)
        for seat, amount in found.returned.items():
            back[seat] = amount
            net[seat] += amount
        returned = chips % (*back,)
    told = _findings(hand, won)
    pots = ", ".join([_pot(hand, *pot) for pot in found.pots])
    return (
        f'{{"variant": {as_json(hand.variant)}, "paid": {chips % (*paid,)}, '
        f'"returned": {returned}, "won": {chips % (*won,)}, "net": {chips % (*net,)}, '
        f'"carry": 0, "carries": [], "pots": [{pots}], '
        f'"findings": {as_json(told) if told else "[]"}}}'
    )


def _pot(hand: ColumnHand, amount: int, seats: Sequence[int], shares: Shares) -> str:
    names, ways = hand.names.quoted, hand.rules.ways
    told = ", ".join(
        [
            f'{{"way": {ways[way]}, "amount": {part}, "winners": {{'
            + ", ".join([f"{names[seat]}: {chips}" for seat, chips in winners.items()])
            + "}}"
            for way, part, winners in shares
        ]
    )
    seated = ", ".join([names[seat] for seat in seats])
    return f'{{"amount": {amount}, "for": [{seated}], "shares": [{told}]}}'


def _findings(hand: ColumnHand, won: Sequence[int]) -> list[Finding]:
    """As `findings.of_table` of a hand that loses no cards and threw none away."""
    game, names = hand.rules.game, hand.names.told
    found: list[Finding] = []
    if hand.took is not None:
        found += findings.took_otherwise(hand.took, dict(zip(names, won, strict=True)))
    if len(names) > game.players[1]:
        found += findings.too_many(game, len(names))
    if hand.declared and not game.declares:
        found += findings.spoke((name, hand.declared.get(seat)) for seat, name in enumerate(names))
    stakes = hand.stakes() if hand.dead else hand.paid
    if min(stakes) < max(stakes):
        counted = [seat for seat in hand.live if seat not in hand.all_in]
        found += findings.short_stakes(names, stakes, counted)
    return found
