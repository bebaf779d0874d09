"""The transfers that hands and closings are made of: pure lists, posted by others."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from league.hands.chip_movements import Moved, debts
from league.models import Hand, Line
from league.nights import accounts
from ledger.posting import AccountRef, Move

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
