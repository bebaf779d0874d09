"""The tests' sample night is what the service's own functions would write."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import DateTimeField, Model, UUIDField

from league.models import League, Night
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player, colour_of
from ledger.models import Account, Posting, Transfer
from tests.helpers.league.leagues import NAMES, a_league, a_night

# These columns contain random ids.
RANDOM = {"id", "key", "digest", "code"}


def night_of_the_service() -> Night:
    league = a_league()
    players = [add_player(league, name) for name in NAMES]
    night = open_night(league, players=players)
    for player in players:
        buy_in(night, player, 100, buy_in_id=uuid4(), by=None)
    return night


def values(rows: Iterable[Model]) -> list[dict[str, Any]]:
    """Return the rows without ids, references and times."""
    return [
        {
            field.name: getattr(row, field.name)
            for field in row._meta.concrete_fields
            if field.name not in RANDOM
            and not field.is_relation
            and not isinstance(field, DateTimeField | UUIDField)
        }
        for row in rows
    ]


def content(night: Night) -> dict[str, Any]:
    book = night.league.book
    players = night.league.players.order_by("added_at")
    accounts = Account.objects.filter(book=book).order_by("pk")
    return {
        "league": values([League.objects.get(pk=night.league.pk)]),
        "night": values([Night.objects.get(pk=night.pk)]),
        "players": values(players),
        "colours": len({colour_of(player.pk) for player in players}),
        "seats": values(night.seats.order_by("position")),
        "seated": [seat.player.name for seat in night.seats.order_by("position")],
        "buy-ins": values(night.buy_ins.order_by("made_at")),
        "bought": [row.player.name for row in night.buy_ins.order_by("made_at")],
        "key": all(row.posting.key == f"buy-in:{row.pk}" for row in night.buy_ins.all()),
        "accounts": [(row.kind, row.key.partition(":")[0]) for row in accounts],
        "postings": values(Posting.objects.filter(book=book).order_by("pk")),
        "transfers": [
            (row.amount, row.position, row.debit.kind, row.credit.kind, row.posting.buy_in.chips)
            for row in Transfer.objects.filter(book=book).order_by("pk")
        ],
    }


@pytest.mark.django_db
def test_sample_night_has_the_rows_that_the_service_writes() -> None:
    assert content(a_night()) == content(night_of_the_service())
