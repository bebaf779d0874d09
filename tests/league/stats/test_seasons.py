"""A player's results by season."""

from uuid import uuid4

import pytest
from django.db.models import F
from django.test import Client

from league.models import League
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.recording.record import record_hand
from league.stats.figures.players import SeasonFigures, seasons
from league.stats.scopes import of_all_time, of_season
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.stats_rows import count_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    """Two nights in which ann wins 10 twice and loses 30, and a night in the next season."""
    night = a_night()
    league = night.league
    for stake in (10, 10):
        record_hand(night, uuid4(), _hand(stake), by=None)
    _night(league, 30, aces="bob")
    league.seasons.update(ends_on=F("starts_on"))  # the next night starts a new season
    _night(league, 5)
    count_all(league)
    return league


def _night(league: League, stake: int, aces: str = "ann") -> None:
    people = list(league.players.filter(name__in=("ann", "bob")))
    night = open_night(league, players=people)
    for each in people:
        buy_in(night, each, 100, buy_in_id=uuid4(), by=None)
    record_hand(night, uuid4(), _hand(stake, aces), by=None)


def _hand(stake: int, aces: str = "ann") -> dict[str, object]:
    hands = (["Ac", "Ad"], ["Kc", "Kd"])
    names = ("ann", "bob") if aces == "ann" else ("bob", "ann")
    players = [
        {"name": name, "paid": stake, "down": down} for name, down in zip(names, hands, strict=True)
    ]
    return holdem(players=players)


def of(league: League, name: str) -> list[SeasonFigures]:
    return [each for each in seasons(of_all_time(league)) if each.name == name]


def test_seasons_are_listed_latest_first(league: League) -> None:
    later, before = of(league, "ann")
    assert (later.nights, later.nights_won, later.hands, later.net) == (1, 1, 1, 5)
    assert (before.nights, before.nights_won, before.hands, before.net) == (2, 1, 3, -10)
    assert (before.best, before.worst) == (20, -30)
    assert before.net_per_night == -5
    assert before.net_per_100 == pytest.approx(-1000 / 3)
    assert [each.net for each in of(league, "bob")] == [-5, 10]


def test_league_with_one_season_lists_only_that_season(league: League) -> None:
    season = league.seasons.get(ends_on__isnull=False)
    assert {each.season for each in seasons(of_season(season))} == {season.pk}


def test_all_time_player_page_compares_seasons(league: League) -> None:
    [later, _] = of(league, "ann")
    member = Client()
    member.force_login(league.memberships.get().user)
    page = member.get(f"/players/{later.player}").content.decode()
    assert "By season" in page
    assert later.season_name in page
    page = member.get(f"/players/{later.player}?season={later.season}").content.decode()
    assert "By season" not in page
