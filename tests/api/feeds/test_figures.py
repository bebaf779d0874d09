"""The figures at leagues/{id}/stats, seasons/{id}/stats and players/{id}/stats."""

from dataclasses import fields

import pytest
from django.test import Client

from league.stats.figures.players import PlayerFigures, players
from league.stats.figures.records import biggest_pots
from league.stats.scopes import of_all_time
from tests.helpers.api.clients import reported_errors, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db

OWNERS = ("leagues", "seasons", "players")


def at(world: World, owner: str, rest: str = "") -> str:
    keys = {"leagues": world.league.pk, "seasons": world.night.season_id, "players": world.ann.pk}
    return f"/api/v1/{owner}/{keys[owner]}/stats{rest}"


def test_figures_match_the_figures_on_the_pages(world: World, doors: dict[str, Client]) -> None:
    body = doors["viewer"].get(at(world, "leagues")).json()
    read = players(of_all_time(world.league))
    assert read
    assert [item["player_name"] for item in body["players"]] == [item.name for item in read]
    first = body["players"][0]
    assert {name: first[name] for name in ("hands", "net", "put", "won")} == {
        name: getattr(read[0], name) for name in ("hands", "net", "put", "won")
    }
    assert first["net_per_100"] == read[0].net_per_100
    assert set(first) > {item.name for item in fields(PlayerFigures)} - {"name", "moved"}
    assert first["overpaid_chips"] == read[0].moved
    assert sum(item["net"] for item in body["players"]) == 0
    [pot, *_] = biggest_pots(of_all_time(world.league))
    assert body["biggest_pots"][0]["hand"] == str(pot.hand)
    winners = [(item["player_name"], item["chips"]) for item in body["biggest_pots"][0]["winners"]]
    assert winners == [(name, chips) for _, name, chips in pot.winners]
    assert body["best_hands"][0]["shown"][0]["cards"]


def test_player_figures_contain_every_documented_key(
    world: World, doors: dict[str, Client]
) -> None:
    """Clients use every key, even keys that no page shows."""
    body = doors["viewer"].get(at(world, "leagues", "?fields=forms")).json()
    row = "player player_name nights nights_won streak won lost best worst comeback"
    row += " of_nights attendance"
    assert {key for each in body["forms"] for key in each} == set(row.split())
    assert {each["player_name"]: each["streak"] for each in body["forms"]}["ann"] == 2


def test_player_figures_contain_only_that_player(world: World, doors: dict[str, Client]) -> None:
    body = doors["viewer"].get(at(world, "players")).json()
    assert [each["player_name"] for each in body["players"]] == ["ann"]
    assert {each["player_name"] for each in body["seats"]} == {"ann"}
    assert body["biggest_pots"] == []


def test_only_requested_figures_are_returned(world: World, doors: dict[str, Client]) -> None:
    body = doors["viewer"].get(at(world, "seasons", "?fields=players,flows")).json()
    assert set(body) == {"players", "flows"}
    assert body["players"]
    assert reported_errors(doors["viewer"].get(at(world, "leagues", "?fields=winners")))


@pytest.mark.parametrize("owner", OWNERS)
def test_figures_require_membership(owner: str, world: World, doors: dict[str, Client]) -> None:
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
def test_invalid_figure_is_reported(
    rest: str, where: tuple[str, str], world: World, doors: dict[str, Client]
) -> None:
    assert where in reported_errors(doors["viewer"].get(at(world, "leagues", rest)))
