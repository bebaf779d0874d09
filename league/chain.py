"""The seal on a closed night: a hash over its transfers, its lines and the closing before it."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from django.db.models import Q, QuerySet

from league import accounts
from league.models import Closing, League, Night, PlannedPayment, Seat
from ledger.models import Account, Transfer

SAID = (
    "player_id",
    "position",
    "bought",
    "cashed",
    "stack",
    "back",
    "counted",
    "put_right",
    "bears",
    "cash",
    "settles",
)


def last_hash(league: League) -> tuple[int, str]:
    """Return sequence and hash of the league's last closing; 0 and nothing before the first."""
    last = Closing.objects.filter(league=league).order_by("-sequence").first()
    return (last.sequence, last.hash) if last else (0, "")


def last_transfer(night: Night) -> int:
    """Return the number of the night's last transfer, 0 where nothing has moved."""
    return transfers(night).order_by("-pk").values_list("pk", flat=True).first() or 0


def hash_of(closing: Closing) -> str:
    """Return what the hash of the closing has to be, from the rows as they are now."""
    said = [
        closing.previous_hash,
        str(closing.night_id),
        closing.number,
        list(_moved(closing)),
        list(_lines(closing)),
        list(_planned(closing)),
    ]
    return sha256(json.dumps(said).encode()).hexdigest()


def transfers(night: Night) -> QuerySet[Transfer]:
    """Return the transfers of every posting that moved a chip of the night."""
    mine = Account.objects.filter(book=night.league.book, key__in=_keys(night))
    numbers = list(mine.values_list("pk", flat=True))
    touched = Transfer.objects.filter(Q(debit__in=numbers) | Q(credit__in=numbers))
    return Transfer.objects.filter(posting__in=touched.values("posting"))


def _keys(night: Night) -> list[str]:
    seated = Seat.objects.filter(night=night).values_list("player", flat=True)
    stacks = [accounts.stack(night.pk, player).key for player in seated]
    return [*stacks, accounts.carry(night.pk).key, accounts.drift(night.pk).key]


def _moved(closing: Closing) -> Iterator[list[Any]]:
    rows = transfers(closing.night).filter(pk__lte=closing.upto).order_by("pk")
    columns = ("posting__key", "position", "debit__key", "credit__key", "amount")
    return (list(row) for row in rows.values_list(*columns).iterator())


def _lines(closing: Closing) -> Iterator[list[Any]]:
    rows = closing.lines.order_by("position", "player_id").values_list(*SAID)
    return ([str(player), *numbers] for player, *numbers in rows)


def _planned(closing: Closing) -> Iterator[list[Any]]:
    rows = PlannedPayment.objects.filter(plan__closing=closing).order_by("position")
    columns = ("payer_id", "payee_id", "chips", "lost", "won")
    for payer, payee, *chips in rows.values_list(*columns):
        yield [str(payer), str(payee), *chips]
