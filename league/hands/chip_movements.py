"""Compute the transfers of hands and closings. Other modules post them."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from league.models import ClosingLine, Hand
from league.nights import accounts
from ledger.models import AccountRef, NewTransfer

Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Chips = dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipTotals:
    """The chips that a hand moves, keyed by player name.

    The chips moved at the table add up: `paid` plus `carried` equals `back` plus `carry`. `owed`
    contains the chips that each player is owed because the table paid differently from the rules,
    negative if the player owes them. `owed_carry` is the same for the carry. Together they add up
    to zero.
    """

    paid: Chips
    back: Chips
    carried: int
    carry: int
    owed: Chips
    owed_carry: int


def chip_totals(record: Record, answer: Answer) -> ChipTotals:
    """Return the chips that the hand moves. The answer must not contain errors."""
    carried = _carried_into(answer)
    paid, took = answer["paid"], answer["won"]
    # The record counts if it adds up: the chips left in the pot equal the carry by the rules, or no
    # chips are left because the table shared out a pot that should have been carried. Otherwise,
    # the chips move as the rules say.
    if _left_in_pot(record, answer, carried) in {0, answer["carry"]}:
        paid, took = _paid(record, answer), record["took"]
    back = {name: took.get(name, 0) + answer["returned"][name] for name in paid}
    carry = sum(paid.values()) + carried - sum(back.values())
    return ChipTotals(
        paid=dict(paid),
        back=back,
        carried=carried,
        carry=carry,
        owed={name: answer["net"][name] - back[name] + paid[name] for name in paid},
        owed_carry=answer["carry"] - carry,
    )


def debts(owed: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """Yield the payments (payer, payee, chips) that settle `owed`, whose total is zero."""
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
    """Return how many chips from earlier hands were in the pot: all payouts minus all payments."""
    out: int = sum(answer["won"].values()) + sum(answer["returned"].values()) + answer["carry"]
    paid: int = sum(answer["paid"].values())
    return out - paid


def unaccounted(record: Record, answer: Answer) -> int:
    """Return how many chips of the pot were not taken, negative if too many were taken.

    Return 0 if the record is incomplete, because the stacks then follow the rules.
    """
    left = _left_in_pot(record, answer, _carried_into(answer))
    return 0 if left is None or left == answer["carry"] else left


def _left_in_pot(record: Record, answer: Answer, carried: int) -> int | None:
    """Return how many chips players left in the pot, or None if the record is incomplete.

    A record may omit payments only if the rules determine them (Put and Take).
    """
    paid, took = _paid(record, answer), record.get("took")
    if took is None:
        return None
    if paid != answer["paid"]:
        stated = {player["name"] for player in record["players"] if "paid" in player}
        must_pay = {name for name, chips in answer["paid"].items() if chips}
        must_take = {name for name, chips in answer["won"].items() if chips}
        if not (must_pay <= stated and must_take <= took.keys()):
            return None
    went_in: int = sum(paid.values()) + carried - sum(answer["returned"].values())
    taken: int = sum(took.values())
    return went_in - taken


def _paid(record: Record, answer: Answer) -> Chips:
    if "actions" in record:  # if there are actions, they include all payments
        return dict(answer["paid"])
    return {player["name"]: player.get("paid", 0) for player in record["players"]}


# Key of the carry in a mapping by player name. No conflict is possible, since names are never
# empty.
CARRY = ""


def hand_transfers(
    hand: Hand, chips: ChipTotals, names: dict[str, UUID], *, from_drift: int
) -> Iterator[NewTransfer]:
    """Yield the hand's transfers.

    `from_drift` is how many carried chips come from the drift account.
    """
    night, pot = hand.night_id, accounts.pot(hand.pk)
    carry, drift = accounts.carry(night), accounts.drift(night)
    tabs = {name: accounts.tab(player) for name, player in names.items()} | {CARRY: carry}
    stacks = {name: accounts.stack(night, player) for name, player in names.items()}
    moves = [NewTransfer(drift, carry, from_drift), NewTransfer(carry, pot, chips.carried)]
    moves += [NewTransfer(stacks[name], pot, paid) for name, paid in chips.paid.items()]
    moves += [NewTransfer(pot, stacks[name], back) for name, back in chips.back.items()]
    moves += [NewTransfer(pot, carry, chips.carry)]
    owed = debts(chips.owed | {CARRY: chips.owed_carry})
    moves += [NewTransfer(tabs[payer], tabs[payee], amount) for payer, payee, amount in owed]
    return (move for move in moves if move.amount)


def closing_transfers(night: UUID, lines: Iterable[ClosingLine]) -> Iterator[NewTransfer]:
    """Yield the transfers of a closing.

    The transfers return pots, post count differences to drift, and move stacks to tabs.
    """
    carry, drift = accounts.carry(night), accounts.drift(night)
    for line in lines:
        stack, tab = accounts.stack(night, line.player_id), accounts.tab(line.player_id)
        yield from _signed_transfer(carry, stack, line.back)
        yield from _signed_transfer(stack, drift, line.drift)
        yield from _signed_transfer(stack, tab, line.chips)
        yield from _signed_transfer(drift, tab, line.bears)


def _signed_transfer(debit: AccountRef, credit: AccountRef, chips: int) -> Iterator[NewTransfer]:
    if chips > 0:
        yield NewTransfer(debit, credit, chips)
    elif chips < 0:
        yield NewTransfer(credit, debit, -chips)
