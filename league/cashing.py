"""Chips that go back over the counter during a night, and what was sold or taken by mistake."""

from collections.abc import Iterator
from uuid import UUID

from django.db import transaction

from league import accounts
from league.counts import count
from league.leagues import wrong_chips
from league.models import BuyIn, CashOut, Night, Player, Seat, User
from league.nights import actor_of, leave, lock_open_night, wrong_banker
from league.refusals import Fault, KeyReused, fault, refuse
from ledger.models import Posting
from ledger.posting import Move, post, reverse


@transaction.atomic
def cash_out(
    night: Night,
    player: Player,
    chips: int,
    *,
    cash_out_id: UUID,
    by: User | None,
    banker: Player | None = None,
) -> CashOut:
    """Take chips back, onto the player's tab or for cash from a banker; once for each id.

    Raises Refused (chips, or a player without a seat), KeyReused, NightClosed.
    """
    if found := _done_already(night, player, chips, banker, cash_out_id):
        return found
    lock_open_night(night)
    if found := _done_already(night, player, chips, banker, cash_out_id):
        return found
    refuse(_wrong(night, player, chips, banker))
    move = Move(accounts.stack(night.pk, player.pk), accounts.tab((banker or player).pk), chips)
    key = f"cash-out:{cash_out_id}"
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
def undo(done: BuyIn | CashOut, *, by: User | None) -> None:
    """Take back a buy-in or a cash-out that was a mistake; it stays to be seen. Raises NightClosed.

    Undone twice, it is undone once.
    """
    lock_open_night(done.night)
    if not Posting.objects.filter(reverses=done.posting).exists():
        reverse(done.posting, f"undo:{done.pk}", memo="a mistake", actor=actor_of(by))


@transaction.atomic
def go_home(
    night: Night,
    player: Player,
    chips: int,
    *,
    cash_out_id: UUID,
    by: User | None,
    banker: Player | None = None,
) -> None:
    """Take all the player's chips back and free the seat; where none are left, none are counted.

    Raises as `cash_out`.
    """
    if chips == 0:
        count(night, player, 0, count_id=cash_out_id, by=by)
    else:
        cash_out(night, player, chips, cash_out_id=cash_out_id, by=by, banker=banker)
    leave(night, player)


def _done_already(
    night: Night, player: Player, chips: object, banker: Player | None, cash_out_id: UUID
) -> CashOut | None:
    found = CashOut.objects.filter(pk=cash_out_id).first()
    wanted = (night.pk, player.pk, chips, banker and banker.pk)
    if found and (found.night_id, found.player_id, found.chips, found.banker_id) != wanted:
        raise KeyReused
    return found


def _wrong(night: Night, player: Player, chips: object, banker: Player | None) -> Iterator[Fault]:
    yield from wrong_chips("chips", chips)
    yield from wrong_banker(night, banker)
    if not Seat.objects.filter(night=night, player=player).exists():
        yield fault("player", "unknown-player", "the player has no seat at this night")
