"""leagues/{id}/seasons, seasons/{id} with its standings, its table and its plans"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.recording.conflicts import keep_hand
from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/seasons/{world.night.season_id}"


def test_new_season_begins_today(world: World, doors: dict[str, Client]) -> None:
    listed = f"/api/v1/leagues/{world.league.pk}/seasons"
    made = ask(doors["host"], "post", listed, {"name": "Summer"})
    assert made.status_code == 201
    body = doors["viewer"].get(made["Location"]).json()
    assert (body["name"], body["ends_on"], body["scoring"]) == ("Summer", None, "net")
    assert body in doors["viewer"].get(listed).json()["results"]
    turned_away(doors, "post", listed, {"name": "Autumn"}, wrong="scorekeeper")


def test_season_names_are_unique_in_a_league(world: World, doors: dict[str, Client]) -> None:
    listed = f"/api/v1/leagues/{world.league.pk}/seasons"
    assert ask(doors["host"], "post", listed, {"name": "Summer"}).status_code == 201
    again = ask(doors["host"], "post", listed, {"name": " Summer "})
    [error] = refusal(again, 400)["errors"]
    assert (error["where"], error["code"]) == ("name", "name-twice")
    free = f"Season {world.league.seasons.count() + 1}"
    assert ask(doors["host"], "post", listed, {"name": free}).status_code == 201
    unnamed = [ask(doors["host"], "post", listed, {}).json()["name"] for _ in range(2)]
    assert len({free, *unnamed}) == 3


def test_standings_include_only_closed_nights(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    first, *_ = doors["viewer"].get(f"{at}/standings").json()["results"]
    assert (first["player_name"], first["net"], first["nights"], first["money"]) == (
        "ann",
        10,
        1,
        [{"amount": 10, "currency": "USD"}],
    )


def test_changing_the_scoring_changes_the_standings(at: str, doors: dict[str, Client]) -> None:
    by_net = doors["viewer"].get(f"{at}/table").json()["results"]
    assert [(standing["player_name"], standing["score"]) for standing in by_net[:1]] == [
        ("ann", 10)
    ]
    scoring = {"scoring": "places", "points": [5, 3, 1], "best_nights": 2}
    body = ask(doors["host"], "patch", at, scoring).json()
    assert {key: body[key] for key in scoring} == scoring
    by_places = doors["viewer"].get(f"{at}/table").json()["results"]
    assert [(standing["player_name"], standing["score"]) for standing in by_places[:1]] == [
        ("ann", 500)
    ]
    assert ask(doors["host"], "patch", at, {"best_nights": None}).json()["points"] == [5, 3, 1]


def test_season_cannot_be_settled_while_a_night_is_open(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    assert reported_errors(ask(doors["host"], "post", f"{at}/payment-plans", {"id": str(uuid4())}))
    keep_hand(world.hand, by=None)  # a night closes after its conflicts are decided
    close = {"id": str(uuid4()), "by_hands": True}
    ask(doors["host"], "post", f"/api/v1/nights/{world.night.pk}/closing", close)
    body = {"id": str(uuid4()), "end": True}
    made = ask(doors["host"], "post", f"{at}/payment-plans", body)
    assert (made.status_code, made.json()["night"]) == (201, None)
    assert doors["viewer"].get(f"{at}/payment-plans").json()["results"] == [made.json()]
    assert doors["viewer"].get(at).json()["ends_on"]


def test_only_hosts_can_change_or_settle_a_season(at: str, doors: dict[str, Client]) -> None:
    for rest in ("", "/standings", "/table", "/payment-plans"):
        turned_away(doors, "get", at + rest, wrong="")
    turned_away(doors, "patch", at, {"scoring": "net"}, wrong="scorekeeper")
    turned_away(doors, "post", f"{at}/payment-plans", {"id": str(uuid4())}, wrong="scorekeeper")
    refusal(doors["host"].get(f"/api/v1/seasons/{uuid4()}"), 404)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"scoring": "luck"}, "scoring"),
        ({"points": [-1]}, "points/0"),
        ({"points": [1.5]}, "points/0"),
        ({"points": [1] * 51}, "points"),
        ({"scoring": "places", "points": []}, "points"),
        ({"best_nights": 0}, "best_nights"),
        ({"name": "x"}, "name"),
    ],
)
def test_unknown_scoring_is_refused(
    body: Any, where: str, at: str, doors: dict[str, Client]
) -> None:
    assert [each for each, _ in reported_errors(ask(doors["host"], "patch", at, body))] == [where]


def test_player_without_transfers_is_not_in_the_standings(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    rows = doors["viewer"].get(f"{at}/standings?fields=player").json()["results"]
    assert {"player": str(player(world.night, "ann").pk)} in rows
