"""Opening a night, seats, buy-ins and stacks."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.deals.table import Table
from league.models import BuyIn, Night, Seat
from league.nights import accounts
from league.nights.buy_ins import buy_in
from league.nights.nights import leave, seat, stacks
from league.nights.opening import open_night
from league.people.leagues import add_player
from ledger.balances import balances
from tests.helpers.league.books import total
from tests.helpers.league.leagues import a_league, a_night, player
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db


def test_nights_in_a_season_are_numbered_consecutively() -> None:
    league = a_league()
    assert [open_night(league).number for _ in range(3)] == [1, 2, 3]


def test_night_keeps_the_chip_value_it_started_with() -> None:
    league = a_league()
    night = open_night(league)
    league.chip_value = 25
    league.save()
    assert Night.objects.get(pk=night.pk).chip_value == 1


def test_invalid_night_is_refused_with_all_errors() -> None:
    with pytest.raises(RefusedError) as refused:
        open_night(a_league(), name="x" * 61, usual_buy_in=-5)
    assert [each["where"] for each in refused.value.errors] == ["name", "usual_buy_in"]


def test_players_sit_in_order_of_arrival() -> None:
    league = a_league()
    players = [add_player(league, name) for name in ("ann", "bob", "cat", "dan")]
    night = open_night(league, players=players)
    seats = night.seats.order_by("position").values_list("player__name", "position")
    assert list(seats) == [("ann", 1), ("bob", 2), ("cat", 3), ("dan", 4)]


def test_player_seated_twice_has_one_seat() -> None:
    night = a_night(chips=0)
    assert seat(night, player(night, "bob")).position == 2
    assert night.seats.count() == 4


def test_returning_player_gets_their_old_seat_back() -> None:
    night = a_night(chips=0)
    leave(night, player(night, "bob"))
    assert Seat.objects.get(night=night, player__name="bob").left_at is not None
    again = seat(night, player(night, "bob"))
    assert (again.position, again.left_at) == (2, None)


def test_player_from_another_league_cannot_be_seated() -> None:
    night, stranger = a_night(chips=0), add_player(a_league(), "eve")
    with pytest.raises(RefusedError) as refused:
        seat(night, stranger)
    assert refused.value.errors[0]["code"] == "unknown-player"


def test_buy_in_moves_chips_from_tab_to_stack() -> None:
    night = a_night(chips=0)
    ann = player(night, "ann")
    buy_in(night, ann, 100, buy_in_id=uuid4(), by=None)
    buy_in(night, ann, 40, buy_in_id=uuid4(), by=None)
    assert stacks(night)[ann.pk] == 140
    assert balances(night.league.book, nonzero=True) == {
        accounts.tab(ann.pk).key: -140,
        accounts.stack(night.pk, ann.pk).key: 140,
    }


def test_repeated_buy_in_is_stored_once() -> None:
    night, key = a_night(chips=0), uuid4()
    ann = player(night, "ann")
    first = buy_in(night, ann, 100, buy_in_id=key, by=None)
    assert buy_in(night, ann, 100, buy_in_id=key, by=None) == first
    assert stacks(night)[ann.pk] == 100
    for who, chips in ((ann, 60), (player(night, "bob"), 100)):
        with pytest.raises(IdReusedError):
            buy_in(night, who, chips, buy_in_id=key, by=None)


@pytest.mark.parametrize("chips", [0, -5, 2.5, 10**30, None, "5", True])
def test_invalid_chips_are_refused(chips: Any) -> None:
    night = a_night(chips=0)
    stranger = add_player(night.league, "eve")
    with pytest.raises(RefusedError) as refused:
        buy_in(night, stranger, chips, buy_in_id=uuid4(), by=None)
    assert [(each["where"], each["code"]) for each in refused.value.errors] == [
        ("chips", "bad-chips"),
        ("player", "unknown-player"),
    ]
    assert not BuyIn.objects.exists()


def test_buy_ins_and_new_seats_are_refused_on_a_closed_night() -> None:
    night = a_night(chips=0)
    with unguarded():
        Night.objects.filter(pk=night.pk).update(state=Night.State.CLOSED)
    ann = player(night, "ann")
    with pytest.raises(NightClosedError):
        buy_in(night, ann, 100, buy_in_id=uuid4(), by=None)
    with pytest.raises(NightClosedError):
        seat(night, ann)


def test_first_dealer_has_the_first_taken_seat() -> None:
    assert Table(open_night(a_league())).dealer_in_turn is None
    night = a_night(chips=0)
    leave(night, player(night, "ann"))
    assert getattr(Table(night).dealer_in_turn, "position", None) == 2


@pytest.mark.django_db(transaction=True)
def test_buy_in_sent_by_many_phones_at_once_is_stored_once() -> None:
    night, key = a_night(chips=0), uuid4()
    ann = player(night, "ann")

    def send(_: int) -> BuyIn:
        try:
            return buy_in(night, ann, 100, buy_in_id=key, by=None)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(send, range(8)))) == 1
    assert stacks(night)[ann.pk] == 100
    assert total(night.league.book) == 0
