"""Chips that go back over the counter during a night."""

from collections.abc import Iterator
from uuid import UUID

from django.db import transaction

from league import accounts
from league.leagues import wrong_chips
from league.models import CashOut, Night, Player, Seat, User
from league.nights import actor_of, leave, lock_open_night, wrong_banker
from league.refusals import Fault, KeyReused, fault, refuse
from ledger.posting import Move, post


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
def go_home(
    night: Night,
    player: Player,
    chips: int,
    *,
    cash_out_id: UUID,
    by: User | None,
    banker: Player | None = None,
) -> None:
    """Take all the player's chips back and free the seat; who leaves with none only leaves.

    Raises as `cash_out`.
    """
    if chips:
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
