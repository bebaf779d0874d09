"""Nights that are read incrementally equal nights read from the start."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache

from league.closing.close import reopen_night
from league.models import Hand, League, Night
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from league.stats.count import rebuild
from league.stats.figures.results_by_night import evenings
from league.stats.scopes import of_all_time, of_season
from ledger.sql import execute
from tests.helpers.league.leagues import NAMES, a_league, holdem
from tests.helpers.league.nights import closed
from tests.helpers.league.stats_rows import count_all
from tests.helpers.league.tournaments import play_tournament

pytestmark = pytest.mark.django_db
START = datetime(2026, 1, 1, 20, tzinfo=UTC)


@pytest.fixture
def league() -> League:
    league = a_league()
    for name in NAMES:
        add_player(league, name)
    for day in (2, 4):
        a_night(league, day)
    count_all(league)
    return league


def a_night(league: League, day: int) -> None:
    people = list(league.players.order_by("name"))
    night = open_night(league, players=people, started_at=START + timedelta(days=day))
    for each in people:
        buy_in(night, each, 100, buy_in_id=uuid4(), by=None)
    deal(night, 30)


def deal(night: Night, minutes: int) -> None:
    made_at = night.started_at + timedelta(minutes=minutes)
    record_hand(night, uuid4(), holdem(), by=None, made_at=made_at)


def earliest(league: League) -> Night:
    night = Night.objects.filter(season__league=league).earliest("started_at")
    assert isinstance(night, Night)
    return night


def earliest_closed(league: League) -> Night:
    night = earliest(league)
    closed(night)
    evenings(of_all_time(league))
    return night


def closed_with_tournament(night: Night) -> None:
    play_tournament(night, "ann", "bob")
    closed(night)
    reopen_night(night, by=None)
    closed(night)


DEEDS: dict[str, Callable[[League], object]] = {
    "a hand": lambda league: deal(earliest(league), 90),
    "a night": lambda league: a_night(league, 6),
    "a night before others": lambda league: a_night(league, 3),
    "a hand taken back": lambda league: void_hand(Hand.objects.earliest("made_at"), by=None),
    "nothing": lambda league: None,
    "a closing": lambda league: closed(earliest(league)),
    "a closed night reopened": lambda league: reopen_night(earliest_closed(league), by=None),
    "a tournament": lambda league: closed_with_tournament(earliest(league)),
    "all anew": lambda league: rebuild(league.pk),
}


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_incremental_nights_match_a_fresh_read(
    league: League, deed: Callable[[League], object]
) -> None:
    scopes = (of_all_time(league), of_season(league.seasons.get(), verified=True))
    before = [evenings(scope) for scope in scopes]
    deed(league)
    count_all(league)
    read_on = [evenings(scope) for scope in scopes]
    cache.clear()
    assert read_on == [evenings(scope) for scope in scopes]
    unchanged = (DEEDS["nothing"], DEEDS["a closed night reopened"], DEEDS["all anew"])
    assert (read_on == before) == (deed in unchanged)


def test_rebuild_rereads_all_nights(league: League) -> None:
    scope = of_all_time(league)
    before = evenings(scope)
    doubled = "UPDATE league_nighttally SET net = 2 * net"
    execute(doubled)
    assert evenings(scope) == before  # no hand has been changed
    rebuild(league.pk)
    execute(doubled)
    assert [each.nets for each in evenings(scope).players] == [
        [2 * net for net in each.nets] for each in before.players
    ]


def test_one_players_attendance_includes_the_number_of_nights(league: League) -> None:
    scope = of_all_time(league)
    [ann, *_] = evenings(scope).players
    alone = evenings(scope, player=ann.player)
    assert (alone.players, alone.held) == ([ann], 2)
    assert evenings(scope, player=uuid4()).players == []
