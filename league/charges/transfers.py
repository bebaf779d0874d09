"""The transfers that a charge is made of: a pure list, posted by others."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from league.hands.chip_movements import debts
from league.nights import accounts
from ledger.posting import Move

Nets = Mapping[UUID, int]  # by player what a charge gives, below zero what it takes


def moves_of_charge(season: UUID, nets: Nets, *, fund: int, keeper: UUID | None) -> Iterator[Move]:
    """Yield transfers between tabs and, of chips for the fund, from who keeps their money.

    The keeper is owed the money by tab, like any winner, and owes as much to the fund.
    """
    owed = {str(player): chips for player, chips in nets.items()}
    if keeper is not None:
        owed[str(keeper)] = owed.get(str(keeper), 0) + fund
        keeps, fund_account = accounts.keeper(keeper), accounts.fund(season)
        payer, payee = (keeps, fund_account) if fund > 0 else (fund_account, keeps)
        yield Move(payer, payee, abs(fund))
    for payer_id, payee_id, chips in debts(owed):
        yield Move(accounts.tab(UUID(payer_id)), accounts.tab(UUID(payee_id)), chips)
