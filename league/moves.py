"""The transfers that hands and closings are made of: pure lists, posted by others."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from league import accounts
from league.chips import Moved, debts
from league.models import Hand, Line
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
    wishes = [Move(drift, carry, short), Move(carry, pot, chips.carried)]
    wishes += [Move(stacks[name], pot, paid) for name, paid in chips.paid.items()]
    wishes += [Move(pot, stacks[name], back) for name, back in chips.back.items()]
    wishes += [Move(pot, carry, chips.carry)]
    owed = debts(chips.owed | {CARRY: chips.owed_carry})
    wishes += [Move(tabs[payer], tabs[payee], amount) for payer, payee, amount in owed]
    return (wish for wish in wishes if wish.amount)


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
