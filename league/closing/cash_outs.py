"""Cash out chips during a night, and undo mistaken buy-ins and cash-outs."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from league.closing.chip_count import count
from league.common import row_limits
from league.common.errors import Problem, problem, refuse
from league.deals.open_deal import fold_leaving, undo_leaving
from league.models import BuyIn, CashOut, Night, Player, Seat, User
from league.nights import accounts
from league.nights.accounts import PostingKey, actor_of
from league.nights.buy_ins import recorded_already, undo, wrong_banker
from league.nights.cash_box import wrong_amount
from league.nights.nights import leave, lock_and_bump_open
from league.people.leagues import wrong_chips
from ledger.balances import balances
from ledger.models import NewTransfer
from ledger.posting import post


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How chips are paid out: onto the tab, or in cash by the `banker`.

    If `beyond_stack` is true, a host may cash out more chips than the player's buy-ins and hands
    account for. The chip count shows the difference later.
    """

    banker: Player | None = None
    beyond_stack: bool = False


ON_THE_TAB = Terms()


@transaction.atomic
def cash_out(
    night: Night,
    player: Player,
    chips: int,
    *,
    cash_out_id: UUID,
    by: User | None,
    terms: Terms = ON_THE_TAB,
) -> CashOut:
    """Cash out a player's chips, onto the tab or for cash from a banker, once for each id.

    Raises RefusedError if the chips are invalid, the player has no seat or the cash box has too few
    chips. Raises IdReusedError or NightClosedError.
    """
    banker = terms.banker
    if existing := recorded_already(CashOut, night, player, chips, banker, cash_out_id):
        return existing
    lock_and_bump_open(night)
    if existing := recorded_already(CashOut, night, player, chips, banker, cash_out_id):
        return existing
    refuse(wrong_cash_out(night, player, chips, terms))
    move = NewTransfer(
        accounts.stack(night.pk, player.pk), accounts.tab((banker or player).pk), chips
    )
    key = PostingKey.CASH_OUT.of(cash_out_id)
    posting = post(night.league.book, key, [move], memo="cash-out", actor=actor_of(by))
    return CashOut.objects.create(
        id=cash_out_id,
        night=night,
        player=player,
        chips=chips,
        banker=banker,
        posting=posting,
        made_by=by,
    )


@transaction.atomic
def cash_out_and_leave(
    night: Night,
    player: Player,
    chips: int,
    *,
    cash_out_id: UUID,
    by: User | None,
    terms: Terms = ON_THE_TAB,
) -> CashOut | None:
    """Cash out all the player's chips and free the seat, once for each id.

    The player's hand in the open deal is folded, unless the player is all in. If `chips` is 0,
    record a count of zero instead and return None. Raises the same errors as `cash_out`.
    """
    if chips == 0:
        done, is_new = None, count(night, player, 0, count_id=cash_out_id, by=by).is_new
    else:
        done = cash_out(night, player, chips, cash_out_id=cash_out_id, by=by, terms=terms)
        is_new = done.is_new
    if is_new:  # a repeated request must not free the seat of a player who came back
        leave(night, player, at=done.made_at if done else None)
        fold_leaving(night, player, done, by=by)
    return done


@transaction.atomic
def undo_exchange(done: BuyIn | CashOut, *, by: User | None) -> None:
    """Undo a mistaken buy-in or cash-out.

    If the cash-out freed the player's seat or folded the player's hand in the open deal, the player
    gets them back. Raises the same errors as `undo`.
    """
    undo(done, by=by)
    if isinstance(done, CashOut):
        undo_leaving(done, by=by)


def wrong_cash_out(
    night: Night, player: Player, chips: object, terms: Terms = ON_THE_TAB
) -> Iterator[Problem]:
    """Yield the problems that prevent the player from cashing out these chips."""
    wrong = list(wrong_chips("chips", chips))
    yield from wrong
    yield from wrong_banker(night, terms.banker)
    if not wrong:
        yield from wrong_amount(terms.banker, int(str(chips)))
    yield from row_limits.CASH_OUTS.exceeded(night.cash_outs)
    if not Seat.objects.filter(night=night, player=player).exists():
        yield problem("player", "unknown-player", "the player has no seat in this night")
    elif not wrong and not terms.beyond_stack:
        key = accounts.stack(night.pk, player.pk).key
        stack = balances(night.league.book, keys=[key]).get(key, 0)
        if int(str(chips)) > stack:
            text = f"{player} should have {stack:,}; a host can allow more"
            yield problem("chips", "beyond-stack", text)
