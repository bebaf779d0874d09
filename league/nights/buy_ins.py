"""Sell chips to players, within the league's limits, and undo mistaken buy-ins and cash-outs.

A buy-in is one posting from the tab to the stack. A buy-in may break the league's limits only with
an explicit confirmation. As in table stakes, the limits apply to the player's stack after the
buy-in, not to the chips bought. So a small top-up of a large stack is fine. Imports and the demo
record past buy-ins, so the limits don't apply to them.
"""

from collections.abc import Iterator
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse
from league.models import BuyIn, CashOut, League, Night, Player, Seat, User
from league.nights import accounts
from league.nights.accounts import PostingKey, actor_of
from league.nights.cash_box import store_cash_box, wrong_amount
from league.nights.nights import lock_and_bump_open, stacks
from league.people.leagues import wrong_chips
from ledger.models import NewTransfer, Posting
from ledger.posting import post, reverse

Exchanged = TypeVar("Exchanged", BuyIn, CashOut)


@transaction.atomic
def buy_in(
    night: Night,
    player: Player,
    chips: int,
    *,
    buy_in_id: UUID,
    by: User | None,
    banker: Player | None = None,
) -> BuyIn:
    """Sell chips to the player, once for each id. A rebuy is another buy-in.

    The chips are charged to the player's tab. If the player paid a banker in cash, the chips are
    charged to the banker's tab. The banker may be the league's cash box. Raises RefusedError if the
    chips are invalid or the player has no seat, IdReusedError or NightClosedError.
    """
    if existing := recorded_already(BuyIn, night, player, chips, banker, buy_in_id):
        return existing
    lock_and_bump_open(night)
    if existing := recorded_already(BuyIn, night, player, chips, banker, buy_in_id):
        return existing
    refuse(wrong_buy_in(night, player, chips, banker))
    store_cash_box(banker)
    move = NewTransfer(
        accounts.tab((banker or player).pk), accounts.stack(night.pk, player.pk), chips
    )
    actor = actor_of(by)
    key = PostingKey.BUY_IN.of(buy_in_id)
    posting = post(night.league.book, key, [move], memo="buy-in", actor=actor)
    return BuyIn.objects.create(
        id=buy_in_id,
        night=night,
        player=player,
        chips=chips,
        banker=banker,
        posting=posting,
        made_by=by,
    )


@transaction.atomic
def undo(done: BuyIn | CashOut, *, by: User | None) -> None:
    """Undo a mistaken buy-in or cash-out. The row stays in the list.

    Undoing it twice changes nothing. Raises NightClosedError, or RefusedError if the cash box has
    paid out the cash of a buy-in.
    """
    lock_and_bump_open(done.night)
    if not Posting.objects.filter(reverses=done.posting).exists():
        if isinstance(done, BuyIn):
            refuse(wrong_amount(done.banker, done.chips, where="", planned=True))
        reverse(done.posting, PostingKey.UNDO.of(done.pk), memo="a mistake", actor=actor_of(by))


def recorded_already(
    model: type[Exchanged],
    night: Night,
    player: Player,
    chips: object,
    banker: Player | None,
    exchange_id: UUID,
) -> Exchanged | None:
    """Return the buy-in or cash-out with this id. Raises IdReusedError if its content differs."""
    existing = model.objects.filter(pk=exchange_id).first()
    content = (night.pk, player.pk, chips, banker and banker.pk)
    if (
        existing
        and (existing.night_id, existing.player_id, existing.chips, existing.banker_id) != content
    ):
        raise IdReusedError
    return existing


def wrong_buy_in(
    night: Night, player: Player, chips: object, banker: Player | None
) -> Iterator[Problem]:
    """Yield the problems that prevent selling these chips to the player."""
    yield from wrong_chips("chips", chips)
    if not Seat.objects.filter(night=night, player=player).exists():
        yield problem("player", "unknown-player", "the player has no seat in this night")
    yield from wrong_banker(night, banker)
    yield from row_limits.BUY_INS.exceeded(night.buy_ins)


def wrong_banker(night: Night, banker: Player | None) -> Iterator[Problem]:
    if banker is not None and banker.league_id != night.season.league_id:
        yield problem("banker", "unknown-player", "the league has no such player")


CODE = "beyond-limits"


def has_limits(league: League) -> bool:
    """Return whether the league limits buy-ins."""
    return bool(league.least_buy_in or league.most_buy_in) or league.most_rebuys is not None


def broken_limits(night: Night, player: Player, chips: int) -> Iterator[Problem]:
    """Yield the league's limits that this buy-in would break. The caller has locked the night."""
    league = night.league
    if league.most_rebuys is not None:
        rows = BuyIn.objects.filter(night=night, player=player, posting__reversal=None)
        if rows.count() > league.most_rebuys:
            rebuys = "1 rebuy" if league.most_rebuys == 1 else f"{league.most_rebuys} rebuys"
            yield problem("chips", CODE, f"the league allows {rebuys} a night")
    if not (league.least_buy_in or league.most_buy_in):
        return
    seated = Seat.objects.filter(night=night, left_at=None).values_list("player", flat=True)
    held = stacks(night, {*seated, player.pk})
    after, most = max(held.pop(player.pk), 0) + chips, league.most_buy_in
    if after < league.least_buy_in:
        text = f"the stack would be {after:,} chips, and the minimum is {league.least_buy_in:,}"
        yield problem("chips", CODE, text)
    if most and league.match_biggest_stack:
        most = max([most, *held.values()])
    if most and after > most:
        text = f"the stack would be {after:,} chips, and the maximum is {most:,}"
        yield problem("chips", CODE, text)
