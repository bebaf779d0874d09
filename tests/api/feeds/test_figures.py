"""leagues/{id}/stats, seasons/{id}/stats, players/{id}/stats: the figures of the stats' pages"""

from dataclasses import fields

import pytest
from django.test import Client

from league.stats.figures.players import PlayerFigures, players
from league.stats.figures.records import biggest_pots
from league.stats.scopes import of_all_time
from tests.helpers.api.clients import turned_away, wrong
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db

OWNERS = ("leagues", "seasons", "players")


def at(world: World, owner: str, rest: str = "") -> str:
    keys = {"leagues": world.league.pk, "seasons": world.night.season_id, "players": world.ann.pk}
    return f"/api/v1/{owner}/{keys[owner]}/stats{rest}"


def test_figures_are_those_that_the_pages_show(world: World, doors: dict[str, Client]) -> None:
    told = doors["viewer"].get(at(world, "leagues")).json()
    read = players(of_all_time(world.league))
    assert read
    assert [each["name"] for each in told["players"]] == [each.name for each in read]
    first = told["players"][0]
    assert {name: first[name] for name in ("hands", "net", "put", "won")} == {
        name: getattr(read[0], name) for name in ("hands", "net", "put", "won")
    }
    assert first["net_per_100"] == read[0].net_per_100
    assert set(first) > {each.name for each in fields(PlayerFigures)}
    assert sum(each["net"] for each in told["players"]) == 0
    [pot, *_] = biggest_pots(of_all_time(world.league))
    assert told["biggest_pots"][0]["hand"] == str(pot.hand)
    winners = [(each["name"], each["chips"]) for each in told["biggest_pots"][0]["winners"]]
    assert winners == [(name, chips) for _, name, chips in pot.winners]
    assert told["best_hands"][0]["shown"][0]["cards"]


def test_a_players_nights_are_told_in_a_row(world: World, doors: dict[str, Client]) -> None:
    """Clients read every key of it, whether a page shows it or not."""
    told = doors["viewer"].get(at(world, "leagues", "?fields=forms")).json()
    row = "player name nights nights_won streak won lost best worst comeback of_nights attendance"
    assert {key for each in told["forms"] for key in each} == set(row.split())
    assert {each["name"]: each["streak"] for each in told["forms"]}["ann"] == 2


def test_a_player_has_figures_of_their_own(world: World, doors: dict[str, Client]) -> None:
    told = doors["viewer"].get(at(world, "players")).json()
    assert [each["name"] for each in told["players"]] == ["ann"]
    assert {each["name"] for each in told["seats"]} == {"ann"}
    assert told["biggest_pots"] == []


def test_only_what_is_wanted_is_read(world: World, doors: dict[str, Client]) -> None:
    told = doors["viewer"].get(at(world, "seasons", "?fields=players,flows")).json()
    assert set(told) == {"players", "flows"}
    assert told["players"]
    assert wrong(doors["viewer"].get(at(world, "leagues", "?fields=winners")))


@pytest.mark.parametrize("owner", OWNERS)
def test_figures_are_for_those_of_the_league(
    owner: str, world: World, doors: dict[str, Client]
) -> None:
    turned_away(doors, "get", at(world, owner), wrong="")


@pytest.mark.parametrize(
    ("rest", "where"),
    [
        ("?season=x", ("season", "wrong-type")),
        ("?season=00000000-0000-4000-8000-000000000000", ("season", "unknown-season")),
        ("?game=%00", ("game", "wrong-type")),
        ("?best=1", ("best", "unknown-parameter")),
    ],
)
def test_what_can_not_be_asked_is_told(
    rest: str, where: tuple[str, str], world: World, doors: dict[str, Client]
) -> None:
    assert where in wrong(doors["viewer"].get(at(world, "leagues", rest)))
