"""Chips before a hand: the players' stacks, and what earlier hands left, in dealing order.

A hand can take only chips that earlier hands left. If a record takes more, the rest comes from the
drift account, so that the carry never goes below zero.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, Sum

from league.models import BuyIn, CashOut, Hand, Night, Revision
from league.nights import accounts, nights
from league.nights.accounts import PostingKey, actor_of
from ledger.models import NewTransfer, Transfer
from ledger.posting import post


@dataclass(frozen=True, slots=True)
class CarriedChips:
    """How many chips a hand took from earlier hands, and how many it left for later hands."""

    number: int
    carried: int
    carry: int


def carries(night: Night) -> list[CarriedChips]:
    """Return the carried chips of each hand that is not voided, in order."""
    rows = Revision.objects.filter(hand__night=night, hand__voided=False, current=True)
    ordered = rows.order_by("hand__number").values_list("hand__number", "carried", "carry")
    return [CarriedChips(*row) for row in ordered]


def opening(night: Night) -> int:
    """Return how many chips earlier nights left for the first hand."""
    return sum(pot["amount"] for pot in night.opening_pots)


def carried_after(carried: Iterable[CarriedChips], start: int = 0) -> int:
    """Return how many chips are carried after these hands, starting with `start` chips."""
    chips = start
    for hand in carried:
        chips = max(0, chips - hand.carried) + hand.carry
    return chips


def carried_before(hand: Hand) -> int:
    """Return how many chips earlier hands left for this hand."""
    before = (earlier for earlier in carries(hand.night) if earlier.number < hand.number)
    return carried_after(before, opening(hand.night))


def stacks_before(hand: Hand) -> dict[str, int]:
    """Return the chips of the night's players before this hand, keyed by name.

    Earlier hands count as they are recorded now. Chips bought or returned count if that was before
    the hand was first recorded.
    """
    first = hand.revisions.values_list("posting", flat=True).get(number=1)
    hands = Revision.objects.filter(hand__night=hand.night_id, hand__number__lt=hand.number)
    moved: list[QuerySet[Any]] = [hands.filter(current=True, voids=False)]
    for kind in (BuyIn, CashOut):
        rows = kind.objects.filter(night=hand.night_id, posting__reversal=None)
        moved.append(rows.filter(posting__lt=first))
    postings = reduce(or_, (Q(posting__in=rows.values("posting")) for rows in moved))
    transfers = Transfer.objects.filter(postings).order_by()
    chips: Counter[str] = Counter()
    for side, sign in (("credit", 1), ("debit", -1)):
        for key, amount in transfers.values_list(f"{side}__key").annotate(chips=Sum("amount")):
            chips[key] += sign * amount
    players = {seat.player.name: seat.player_id for seat in nights.seats(hand.night)}
    names = hand.revisions.values_list("names", flat=True).get(current=True)
    players |= {name: UUID(player) for name, player in names.items()}
    return {
        name: chips[accounts.stack(hand.night_id, player).key] for name, player in players.items()
    }


@dataclass(frozen=True, slots=True)
class Carry:
    """The carry before a correction.

    `chips` is the balance of the carry account. `left` is how many chips the hands had left in that
    account.
    """

    night: Night
    chips: int
    left: int


def carry_now(night: Night) -> Carry:
    """Return the current carry, from the ledger and from the hands that are not voided."""
    return Carry(night, nights.carry(night), carried_after(carries(night), opening(night)))


def correct_carry(before: Carry, revision: Revision) -> None:
    """Adjust the carry by the change in the chips that hands leave in it.

    The difference comes from or goes to the drift account. Other transfers into or out of the carry
    stay in effect.
    """
    night = before.night
    wanted = max(0, before.chips - before.left + carried_after(carries(night), opening(night)))
    excess = nights.carry(night) - wanted
    if not excess:
        return
    carry, drift = accounts.carry(night.pk), accounts.drift(night.pk)
    payer, payee = (carry, drift) if excess > 0 else (drift, carry)
    post(
        night.league.book,
        PostingKey.CARRY.of(revision.pk),
        [NewTransfer(payer, payee, abs(excess))],
        memo=f"carry after a correction of hand {revision.hand.number}",
        actor=actor_of(revision.made_by),
    )
