"""POST /api/v1/leagues/{id}/nights and POST /api/v1/nights/{id}/seats"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def nights(world: World) -> str:
    return f"/api/v1/leagues/{world.league.pk}/nights"


@pytest.fixture
def seats(world: World) -> str:
    return f"/api/v1/nights/{world.night.pk}/seats"


def test_repeated_request_with_the_same_id_opens_only_one_night(
    nights: str, world: World, doors: dict[str, Client]
) -> None:
    ids = [str(player(world.night, name).pk) for name in ("cat", "ann")]
    body = {"id": str(uuid4()), "name": "Late", "usual_buy_in": 50, "players": ids}
    first, again = (ask(doors["scorekeeper"], "post", nights, body) for _ in range(2))
    assert (first.status_code, again.json()["id"]) == (201, body["id"])
    opened = doors["viewer"].get(first["Location"]).json()
    assert [each["player_name"] for each in opened["seats"]] == ["cat", "ann"]
    assert (opened["name"], opened["usual_buy_in"], opened["state"]) == ("Late", 50, "open")


def test_new_player_or_guest_can_be_seated(
    seats: str, world: World, doors: dict[str, Client]
) -> None:
    cat = str(player(world.night, "cat").pk)
    seated = ask(doors["scorekeeper"], "post", seats, {"player": cat})
    assert (seated.status_code, seated.json()["player_name"], seated.json()["stack"]) == (
        201,
        "cat",
        0,
    )
    body = {"guest": "eve", "id": str(uuid4())}
    for _ in range(2):
        guest = ask(doors["scorekeeper"], "post", seats, body).json()
        assert (guest["player_name"], guest["player"]) == ("eve", body["id"])


def test_players_and_outsiders_cannot_open_nights_or_seat_players(
    nights: str, seats: str, world: World, doors: dict[str, Client]
) -> None:
    turned_away(doors, "post", nights, {}, wrong="player")
    turned_away(doors, "post", seats, {"player": str(world.ann.pk)}, wrong="player")
    turned_away(doors, "post", seats, {"guest": "eve"}, wrong="player")
    closed = seats.replace(str(world.night.pk), str(world.closed.pk))
    refusal(ask(doors["host"], "post", closed, {"guest": "eve"}), 409)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"players": [str(uuid4())]}, "players/0"),
        ({"players": "ann"}, "players"),
        ({"usual_buy_in": 0}, "usual_buy_in"),
        ({"name": 7}, "name"),
        ({"seats": []}, "seats"),
    ],
)
def test_invalid_night_is_refused(
    body: Any, where: str, nights: str, doors: dict[str, Client]
) -> None:
    assert [each for each, _ in reported_errors(ask(doors["host"], "post", nights, body))] == [
        where
    ]


@pytest.mark.parametrize(
    "body", [{}, {"player": "00000000-0000-4000-8000-000000000000", "guest": "x"}, {"guest": ""}]
)
def test_seat_without_a_player_is_refused(body: Any, seats: str, doors: dict[str, Client]) -> None:
    assert reported_errors(ask(doors["host"], "post", seats, body))
