"""GET and POST /api/v1/leagues, GET and PATCH /api/v1/leagues/{id}, its players"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.helpers.api.clients import ask, refusal, reported_errors, someone, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db
LEAGUES = "/api/v1/leagues"
RED = {"colour": "red", "value": 5, "count": 100}


@pytest.fixture
def at(world: World) -> str:
    return f"{LEAGUES}/{world.league.pk}"


def test_league_creator_becomes_its_host() -> None:
    client, body = someone(), {"name": "Friday", "currency": "EUR", "time_zone": "Europe/Berlin"}
    made = ask(client, "post", LEAGUES, body)
    assert made.status_code == 201
    league = client.get(made["Location"]).json()
    assert {key: league[key] for key in body} == body
    assert [each["id"] for each in client.get(LEAGUES).json()["results"]] == [league["id"]]
    [host] = client.get(f"{made['Location']}/members").json()["results"]
    assert host["role"] == "host"
    assert len(client.get(f"{made['Location']}/seasons").json()["results"]) == 1


def test_host_changes_settings_and_omitted_settings_are_kept(
    at: str, doors: dict[str, Client]
) -> None:
    before = doors["host"].get(at).json()
    chips = [
        {"colour": "white", "value": 1, "count": 100},
        {"colour": "red", "value": 5, "count": 50},
    ]
    chosen = {"joined_access": "look", "denominations": [5, 25, 100], "closing_hour": 4}
    chosen |= {"stand_up": 5, "bomb_pot_every": 10, "bomb_pot_ante": 2}
    chosen |= {"least_buy_in": 20, "most_buy_in": 200, "most_rebuys": 0}
    chosen |= {"match_biggest_stack": True, "leave_notice": 30, "limits": "refuse"}
    chosen |= {"chip_set": chips}
    answer = ask(doors["host"], "patch", at, chosen)
    assert answer.json() == before | chosen
    assert doors["viewer"].get(at).json() == before | chosen | {"code": None}


def test_players_cannot_record_hands_if_the_league_forbids_it(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    check = f"/api/v1/nights/{world.night.pk}/check"
    refusal(ask(doors["player"], "post", check, {}), 400)
    ask(doors["host"], "patch", at, {"joined_access": "look"})
    refusal(ask(doors["player"], "post", check, {}), 403)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"closing_hour": 24}, ("closing_hour", "wrong-type")),
        ({"joined_access": "all"}, ("joined_access", "bad-option")),
        ({"denominations": []}, ("denominations", "wrong-type")),
        ({"denominations": [5, 5]}, ("denominations", "bad-chips")),
        ({"denominations": [0]}, ("denominations/0", "wrong-type")),
        ({"chip_set": [RED | {"colour": "beige"}]}, ("chip_set/0/colour", "bad-option")),
        ({"chip_set": [RED | {"count": 2001}]}, ("chip_set/0/count", "wrong-type")),
        ({"chip_set": [RED, RED | {"colour": "blue"}]}, ("chip_set/1/value", "bad-chips")),
        ({"chip_set": [RED, RED | {"value": 6}]}, ("chip_set/1/colour", "bad-chips")),
        ({"banker": str(uuid4())}, ("banker", "unknown-player")),
        ({"time_zone": "Mars"}, ("time_zone", "bad-time-zone")),
        ({"chip_value": 100}, ("chip_value", "night-open")),
        ({"most_rebuys": 501}, ("most_rebuys", "wrong-type")),
        ({"least_buy_in": 9, "most_buy_in": 8}, ("most_buy_in", "bad-chips")),
        ({"bomb_pot_every": 201}, ("bomb_pot_every", "wrong-type")),
        ({"leave_notice": 241}, ("leave_notice", "wrong-type")),
        ({"code": "ABCDEF"}, ("code", "unknown-key")),
    ],
)
def test_invalid_league_setting_is_refused(
    body: Any, error: tuple[str, str], at: str, doors: dict[str, Client]
) -> None:
    assert error in reported_errors(ask(doors["host"], "patch", at, body))


@pytest.mark.parametrize(
    ("body", "where"),
    [({}, "name"), ({"name": " "}, "name"), ({"name": "x", "currency": "$"}, "currency")],
)
def test_league_without_a_name_is_refused(body: Any, where: str) -> None:
    assert [each for each, _ in reported_errors(ask(someone(), "post", LEAGUES, body))] == [where]


def test_host_cannot_add_two_players_with_the_same_name(at: str, doors: dict[str, Client]) -> None:
    made = ask(doors["host"], "post", f"{at}/players", {"name": "eve", "is_guest": True})
    body = doors["viewer"].get(made["Location"]).json()
    assert (body["name"], body["is_guest"], body["joined"]) == ("eve", True, False)
    assert body in doors["viewer"].get(f"{at}/players").json()["results"]
    again = ask(doors["host"], "post", f"{at}/players", {"name": "EVE"})
    assert reported_errors(again) == [("name", "name-twice")]


def test_only_hosts_can_change_a_league_and_its_players(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    turned_away(doors, "get", at, wrong="")
    turned_away(doors, "patch", at, {"closing_hour": 5}, wrong="scorekeeper")
    turned_away(doors, "get", f"{at}/players", wrong="")
    turned_away(doors, "post", f"{at}/players", {"name": "eve"}, wrong="scorekeeper")
    player = f"/api/v1/players/{world.ann.pk}"
    turned_away(doors, "get", player, wrong="")
    turned_away(doors, "post", f"{player}/release", wrong="scorekeeper")
    refusal(doors["host"].get(f"/api/v1/players/{uuid4()}"), 404)
