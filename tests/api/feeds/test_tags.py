"""A 304 response takes at most three queries, regardless of the feed's size."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from api.feeds.stats.scope import OWNERS
from api.feeds.urls import urlpatterns
from league.closing.close import reopen_night
from league.models import Player, Role, Scope, Season
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.api.routes import address
from tests.helpers.api.sample_league import World, a_world, link_to, with_token
from tests.helpers.league.leagues import holdem
from tests.helpers.league.nights import closed
from tests.helpers.league.tournaments import play_tournament

pytestmark = pytest.mark.django_db

FED = sorted(str(route.name) for route in urlpatterns)


@pytest.mark.parametrize("name", FED)
def test_request_for_an_unchanged_feed_runs_three_queries(
    name: str,
    world: World,
    doors: dict[str, Client],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    at, key = address(world, name), link_to(world.league)
    asking = ((doors["read token"], at), (doors["viewer"], at), (Client(), f"{at}?key={key}"))
    for client, url in asking:
        tag = client.get(url)["ETag"]
        with django_assert_max_num_queries(3):
            answer = client.get(url, headers={"If-None-Match": tag})
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)


def _play(world: World) -> None:
    record_hand(world.night, uuid4(), holdem(), by=None)
    count_marked(world.league.pk)


def _open(world: World) -> None:
    open_night(world.league, players=[world.ann, add_player(world.league, "eve")])


def _reopen(world: World) -> None:
    reopen_night(world.closed, by=world.league.created_by)


def _rename_players(world: World) -> None:
    Player.objects.filter(league=world.league).update(name=Concat("name", Value("a")))


def _rename_season(world: World) -> None:
    Season.objects.filter(league=world.league).update(name="Winter")


CHARTS = {f"{owner.name}-{what}" for owner in OWNERS for what in ("chart-rows", "stats")}
COUNTED = {"feed-hands", "feed-results", "feed-player-games"}
BOOKED = {"feed-standings", "feed-nights", "feed-transfers"}


@pytest.mark.parametrize(
    ("change", "fed"),
    [
        (_play, COUNTED | CHARTS | {"feed-transfers", "feed-nights-ics"}),
        (_open, {"feed-nights-ics"}),
        (_reopen, {"feed-nights", "feed-nights-ics", "feed-standings", "feed-transfers"}),
        (_rename_players, COUNTED | CHARTS | BOOKED),
        (_rename_season, COUNTED | BOOKED),
    ],
)
def test_etag_changes_when_the_feed_rows_change(
    change: Callable[[World], None], fed: set[str]
) -> None:
    world = a_world()
    count_marked(world.league.pk)
    client = with_token(world.league, Role.VIEWER, Scope.READ)
    sheets = {each for each in fed if f"{each}-csv" in FED}
    names = [*sorted(fed), *(f"{each}-csv" for each in sorted(sheets))]
    before = {name: client.get(address(world, name)) for name in names}
    texts = {name: _text(answer) for name, answer in before.items()}
    change(world)
    for name, old in before.items():
        asked = {"If-None-Match": old["ETag"]}
        answer = client.get(address(world, name), headers=asked)
        assert answer.status_code == 200, name
        assert _text(answer) != texts[name], name


def _text(answer: Any) -> bytes:
    return bytes(answer.getvalue() if answer.streaming else answer.content)


def test_figures_change_when_a_night_with_a_tournament_is_closed_or_reopened() -> None:
    """Their ETags once depended only on counted hands, which closing does not change."""
    world = a_world()
    count_marked(world.league.pk)
    night = open_night(world.league, players=world.league.players.filter(is_box=False))
    play_tournament(night, "ann", "bob")
    client = with_token(world.league, Role.VIEWER, Scope.READ)
    for change in (lambda: closed(night), lambda: reopen_night(night, by=None)):
        before = {name: client.get(address(world, name)) for name in CHARTS}
        change()
        for name, old in before.items():
            answer = client.get(address(world, name), headers={"If-None-Match": old["ETag"]})
            assert answer.status_code == 200, name
            assert _text(answer) != _text(old), name


def test_etag_depends_on_the_query_string() -> None:
    world = a_world()
    client = with_token(world.league, Role.VIEWER, Scope.READ)
    at = address(world, "feed-results")
    asked = ("", "?fields=net", "?cursor=1", "?verified=true", "?page_size=1")
    assert len({client.get(f"{at}{query}")["ETag"] for query in asked}) == len(asked)
