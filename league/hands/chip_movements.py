"""The chips that hands and closings move, and the transfers for them; other modules post them."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.models import Hand, Line
from league.nights import accounts
from ledger.posting import AccountRef, Move

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Chips = dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Chips by name. `paid`, `back`, `carried` and `carry` went over the table and add up.

    `owed` is what the rules give each one beyond that, below zero where they take; `owed_carry`
    the same for the carry. Together they are zero.
    """

    paid: Chips
    back: Chips
    carried: int
    carry: int
    owed: Chips
    owed_carry: int


def moved(record: Record, answer: Answer) -> Moved:
    """Return what the hand moves, for an answer without errors."""
    carried = _carried_into(answer)
    paid, took = _stated(record, answer, carried) or (answer["paid"], answer["won"])
    back = {name: took.get(name, 0) + answer["returned"][name] for name in paid}
    carry = sum(paid.values()) + carried - sum(back.values())
    return Moved(
        paid=dict(paid),
        back=back,
        carried=carried,
        carry=carry,
        owed={name: answer["net"][name] - back[name] + paid[name] for name in paid},
        owed_carry=answer["carry"] - carry,
    )


def debts(owed: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """Yield (who pays, who gets, chips) until nobody is owed; `owed` sums to zero."""
    losers = deque((name, -chips) for name, chips in owed.items() if chips < 0)
    winners = deque((name, chips) for name, chips in owed.items() if chips > 0)
    while losers and winners:
        (payer, debt), (payee, due) = losers.popleft(), winners.popleft()
        yield payer, payee, min(debt, due)
        if debt > due:
            losers.appendleft((payer, debt - due))
        if due > debt:
            winners.appendleft((payee, due - debt))


def _carried_into(answer: Answer) -> int:
    """Return the chips of earlier hands in the pot: what goes out of it and nobody put in."""
    out: int = sum(answer["won"].values()) + sum(answer["returned"].values()) + answer["carry"]
    paid: int = sum(answer["paid"].values())
    return out - paid


def unaccounted(record: Record, answer: Answer) -> int:
    """Return the chips of the pot that nobody is said to have taken; below zero, too many taken.

    Zero where the table says nothing of it, or not all: then the stacks follow the rules.
    """
    left = _left(record, answer, _carried_into(answer))
    return 0 if left is None or left == answer["carry"] else left


def _stated(record: Record, answer: Answer, carried: int) -> tuple[Chips, Chips] | None:
    """Return what the table says was paid and taken, if that is everybody's and adds up.

    It adds up when what nobody took is what the rules carry, or nothing: a table that shared out
    a pot which should have been carried.
    """
    left = _left(record, answer, carried)
    if left is None or left not in {0, answer["carry"]}:
        return None
    return _paid(record, answer), dict(record["took"])


def _left(record: Record, answer: Answer, carried: int) -> int | None:
    """Return what the pot had beyond what was taken; None where the table does not say it all."""
    paid = _paid(record, answer)
    if record.get("took") is None or not _says_all(record, answer, paid):
        return None
    went_in: int = sum(paid.values()) + carried - sum(answer["returned"].values())
    taken: int = sum(record["took"].values())
    return went_in - taken


def _paid(record: Record, answer: Answer) -> Chips:
    if "actions" in record:  # they say what everybody put in
        return dict(answer["paid"])
    return {each["name"]: each.get("paid", 0) for each in record["players"]}


def _says_all(record: Record, answer: Answer, paid: Chips) -> bool:
    """Tell whether nothing was left for the reader to fill in.

    Only where the rules say what each one pays (Put and Take) can the record be silent about it.
    """
    if paid == answer["paid"]:
        return True
    stated = {each["name"] for each in record["players"] if "paid" in each}
    must_pay = {name for name, chips in answer["paid"].items() if chips}
    must_take = {name for name, chips in answer["won"].items() if chips}
    return must_pay <= stated and must_take <= record["took"].keys()


# The carry among the names of players, which are never empty.
CARRY = ""


def moves_of_hand(
    hand: Hand, chips: Moved, names: dict[str, UUID], *, short: int
) -> Iterator[Move]:
    """Yield the transfers of a hand; `short` carried chips were never left and come from drift."""
    night, pot = hand.night_id, accounts.pot(hand.pk)
    carry, drift = accounts.carry(night), accounts.drift(night)
    tabs = {name: accounts.tab(player) for name, player in names.items()} | {CARRY: carry}
    stacks = {name: accounts.stack(night, player) for name, player in names.items()}
    moves = [Move(drift, carry, short), Move(carry, pot, chips.carried)]
    moves += [Move(stacks[name], pot, paid) for name, paid in chips.paid.items()]
    moves += [Move(pot, stacks[name], back) for name, back in chips.back.items()]
    moves += [Move(pot, carry, chips.carry)]
    owed = debts(chips.owed | {CARRY: chips.owed_carry})
    moves += [Move(tabs[payer], tabs[payee], amount) for payer, payee, amount in owed]
    return (move for move in moves if move.amount)


def moves_of_closing(night: UUID, lines: Iterable[Line]) -> Iterator[Move]:
    """Yield the transfers that end a night: pots go back, counts decide, stacks go to the tabs."""
    carry, drift = accounts.carry(night), accounts.drift(night)
    for line in lines:
        stack, tab = accounts.stack(night, line.player_id), accounts.tab(line.player_id)
        yield from _either_way(carry, stack, line.back)
        yield from _either_way(stack, drift, line.drift)
        yield from _either_way(stack, tab, line.chips)
        yield from _either_way(drift, tab, line.bears)


def _either_way(debit: AccountRef, credit: AccountRef, chips: int) -> Iterator[Move]:
    if chips > 0:
        yield Move(debit, credit, chips)
    elif chips < 0:
        yield Move(credit, debit, -chips)
