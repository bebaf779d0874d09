"""The stacks of a night's players, and the buy-ins and cash-outs behind them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import F, Q, UUIDField, Value
from django.utils.translation import get_language

from league.closing.receipts import with_corrections
from league.common.money import worth
from league.common.statements import Given, RowQuery, Statement
from league.deals.table import next_dealer
from league.hands.chip_movements import chip_totals
from league.matches import MatchStatus
from league.models import BuyIn, CashOut, Charge, ChargeShare, ClosingLine, Night, Seat
from league.nights import nights
from league.pages.nights.chip_requests import Rebuy
from league.pages.nights.hand_list import HandLine
from league.pages.parts.visitor import table_name


@dataclass(frozen=True, slots=True)
class WrongPayout:
    """The difference between the chips that the rules award to a player and the chips taken.

    `hand` and `number` identify the last hand with a difference.
    """

    chips: int
    hand: UUID
    number: int


@dataclass(frozen=True, slots=True)
class Stack:
    """A player's chips and net result for a night. `user` is the player's account id.

    If the player cashed out and left, `cashed_out` are the chips paid out, `chips` is 0 and
    `missed` is the difference to the expected chips, negative if too few were paid out.

    `net` is chips minus buy-ins, corrected by `wrong_payout`. For a closed night, `net` is the
    result of the chip count, and `counted` is the player's closing line.
    """

    player: UUID
    name: str
    chips: int
    net: int
    worth: str
    deals: bool = False
    gone: bool = False
    user: int | None = None
    wrong_payout: WrongPayout | None = None
    counted: ClosingLine | None = None
    rebuy: Rebuy | None = None
    in_tournaments: int = 0  # the part of an open night's `net`
    cashed_out: int = 0
    missed: int = 0

    @property
    def deals_next(self) -> bool:
        return self.deals and not self.gone


_NIGHT = Given("night", UUIDField())
_TOURNAMENT_PRIZES = Statement(
    ChargeShare.objects.filter(
        charge__night=_NIGHT,
        charge__posting__reversal=None,
        charge__kind=Charge.Kind.TOURNAMENT,
    ),
    "player",
    F("gets") - F("owes"),
)


def stacks_of(
    night: Night,
    seats: Sequence[Seat],
    hands: Sequence[HandLine],
    bought: Iterable[BuyIn | CashOut],
    match: MatchStatus | None = None,
) -> list[Stack]:
    """Return the players' stacks. `hands` are newest first, and `bought` is from `counter`.

    `match` is the match that the next hand continues.
    """
    if night.state == Night.State.CLOSED:
        return _in_the_end(night)
    last = nights.last_dealt(hand.revision for hand in hands)
    dealer = next_dealer(last, seats, match)
    chips = nights.stacks(night, [seat.player_id for seat in seats])
    won, paid = Counter[UUID](), Counter[UUID]()
    for player, number in _TOURNAMENT_PRIZES.rows(night=night.pk):
        won[player] += number
    rows = [row for row in bought if not vars(row)["undone"]]
    for row in rows:
        paid[row.player_id] += row.chips if isinstance(row, BuyIn) else -row.chips
    cashed_out = _cashed_out(seats, rows)
    wrong_payouts = _wrong_payouts(hands)
    stacks = []
    for seat in seats:
        stack, wrong_payout = chips.get(seat.player_id, 0), wrong_payouts.get(seat.player_id)
        cashed, missed = cashed_out.get(seat.player_id, 0), 0
        if cashed:
            stack, missed = 0, -stack
        net = stack - paid[seat.player_id] + won[seat.player_id]
        net += wrong_payout.chips if wrong_payout else 0
        stacks.append(
            Stack(
                player=seat.player_id,
                name=seat.player.name,
                chips=stack,
                net=net,
                worth=worth(net, night),
                deals=dealer is not None and dealer.pk == seat.pk,
                gone=seat.left_at is not None,
                user=seat.player.user_id,
                wrong_payout=wrong_payout,
                in_tournaments=won[seat.player_id],
                cashed_out=cashed,
                missed=missed,
            )
        )
    return stacks


def _cashed_out(seats: Iterable[Seat], bought: Iterable[BuyIn | CashOut]) -> dict[UUID, int]:
    """Return the chips of the players who left and cashed out last. `bought` is newest first."""
    gone, last = {seat.player_id for seat in seats if seat.left_at}, dict[UUID, int]()
    for row in bought:
        last.setdefault(row.player_id, row.chips if isinstance(row, CashOut) else 0)
    return {player: chips for player, chips in last.items() if chips and player in gone}


def _wrong_payouts(hands: Iterable[HandLine]) -> dict[UUID, WrongPayout]:
    """Return the players who took more or fewer chips than the rules award.

    `hands` are newest first.
    """
    wrong_payouts: dict[UUID, WrongPayout] = {}
    for hand in hands:
        revision = hand.revision
        owed = {} if hand.voided else chip_totals(revision.record, revision.answer).owed
        for name, chips in owed.items():
            if chips:
                player = UUID(revision.names[name])
                last = wrong_payouts.get(player) or WrongPayout(0, hand.id, hand.number)
                wrong_payouts[player] = replace(last, chips=last.chips + chips)
    return {player: payout for player, payout in wrong_payouts.items() if payout.chips}


@cache
def _moves(kind: type[BuyIn] | type[CashOut], _language: str | None) -> RowQuery[Any]:
    """Return the query, which contains words of the language."""
    return RowQuery(
        kind.objects.filter(night=_NIGHT)
        .select_related("player", "banker")
        .annotate(
            undone=Q(posting__reversal__isnull=False),
            sold=Value(kind is BuyIn),
            recorded_by=table_name(Given("league", UUIDField()), "made_by"),
        )
    )


def counter(night: Night) -> list[BuyIn | CashOut]:
    """Return the buy-ins and cash-outs, latest first, annotated with `undone`."""
    given = {"night": night.pk, "league": night.league.pk}
    queries = (_moves(kind, get_language()) for kind in (BuyIn, CashOut))
    rows = [row for query in queries for row in query.all(**given)]
    return sorted(rows, key=lambda each: each.made_at, reverse=True)


def _in_the_end(night: Night) -> list[Stack]:
    """Return the stacks recorded when the night was closed."""
    closed = ClosingLine.objects.filter(closing__night=night, closing__posting__reversal=None)
    ended = with_corrections(closed.exclude(position=0)).select_related("player")
    return [
        Stack(
            player=line.player_id,
            name=line.player.name,
            chips=line.chips + line.cashed,
            net=line.net,
            worth=worth(line.net, night),
            user=line.player.user_id,
            counted=line,
        )
        for line in ended.order_by("position")
    ]
