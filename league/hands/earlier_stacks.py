"""The stacks before a hand that was already recorded."""

from collections import Counter
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, Sum

from league.models import BuyIn, CashOut, Hand, Revision
from league.nights import accounts, nights
from ledger.models import Transfer


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
