"""GET and POST /api/v1/leagues/{id}/house-games"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.games.house_games import retire, write
from league.models import HouseGame, Role
from rules.documents import catalog, documents
from tests.helpers.api.clients import member, refusal, reported_errors, send, someone
from tests.helpers.league.house_games import CROSS
from tests.helpers.league.leagues import a_league

pytestmark = pytest.mark.django_db


def test_members_can_read_the_games_of_their_league() -> None:
    league = a_league()
    write(a_league(), CROSS, by=None)
    game = write(league, CROSS, by=None)
    retire(game)
    (listed,) = (
        member(league, Role.VIEWER)
        .get(f"/api/v1/leagues/{league.pk}/house-games")
        .json()["results"]
    )
    assert (listed["slug"], listed["name"]) == ("grandmas-cross", "Grandma's Cross")
    assert listed["retired_at"]


@pytest.mark.parametrize("role", [Role.HOST, Role.SCOREKEEPER])
@pytest.mark.parametrize(
    "body", [{"text": CROSS}, {"document": documents.parse(CROSS)}, {"text": CROSS, "id": None}]
)
def test_game_can_be_added_as_text_or_as_a_document(role: Role, body: dict[str, Any]) -> None:
    league = a_league()
    body = {key: value for key, value in body.items() if value is not None}
    made = send(member(league, role), f"/api/v1/leagues/{league.pk}/house-games", body)
    assert made.status_code == 201
    assert made["Location"] == f"/api/v1/leagues/{league.pk}/house-games/grandmas-cross"
    game = made.json()
    assert game["version"] == 1
    assert game["document"] == documents.parse(CROSS) == documents.parse(game["text"])
    assert game["document_hash"] == documents.content_hash(documents.parse(CROSS))
    assert game["form"]["game"] == "grandmas-cross"
    assert game["rules"]["sections"]


def test_catalog_game_can_be_copied() -> None:
    league = a_league()
    client = member(league, Role.HOST)
    body = send(client, f"/api/v1/leagues/{league.pk}/house-games", {"copy": "nightmare"}).json()
    assert body["document"] == catalog.document("nightmare")
    assert body["slug"] == "nightmare-2"
    refused = send(client, f"/api/v1/leagues/{league.pk}/house-games", {"copy": "texas-foldem\0"})
    assert reported_errors(refused)[0][0] == "copy"


def test_repeated_request_with_the_same_id_adds_one_game() -> None:
    league, game_id = a_league(), str(uuid4())
    client, at = member(league, Role.HOST), f"/api/v1/leagues/{league.pk}/house-games"
    codes = [send(client, at, {"id": game_id, "text": CROSS}).status_code for _ in range(2)]
    assert codes == [201, 200]
    other = {"id": game_id, "text": CROSS.replace("high", "low: best")}
    refusal(send(client, at, other), 409)
    assert HouseGame.objects.count() == 1


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER])
def test_players_and_viewers_cannot_add_games(role: Role) -> None:
    league = a_league()
    body = {"text": CROSS}
    refusal(send(member(league, role), f"/api/v1/leagues/{league.pk}/house-games", body), 403)


def test_outsiders_cannot_see_whether_the_league_exists() -> None:
    league = a_league()
    at = f"/api/v1/leagues/{league.pk}/house-games"
    refusal(someone().get(at), 404)
    refusal(send(someone(), at, {"text": CROSS}), 404)
    refusal(Client().get(at), 401)


def test_error_includes_line_word_and_suggestions() -> None:
    league = a_league()
    body = {"text": CROSS.replace('"bet"', '"bett"', 1)}
    refused = send(member(league, Role.HOST), f"/api/v1/leagues/{league.pk}/house-games", body)
    (error,) = refusal(refused, 400)["errors"]
    assert (error["where"], error["code"]) == ("deal/2", "bad-game")
    assert (error["line"], error["word"], error["could_be"]) == (4, "bett", ["bet"])


NESTED: Any = []
for _ in range(500):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        7,
        {"text": CROSS, "document": {}},
        {"text": ""},
        {"text": "\0"},
        {"text": CROSS + "# \ud800"},
        {"text": None},
        {"document": None},
        {"document": NESTED},
        {"document": {"name": NESTED}},
        {"document": {"name": "x\ud800", "shares": ["high"]}},
        {"text": CROSS, "id": "1"},
        {"text": CROSS, "more": 1},
        {"text": "x" * 70_000},
        {"document": {f"key{number}": 1 for number in range(10_000)}},
        {"document": {"name": "x", "shares": ["high"], "board": ["a"] * 10_000}},
        {"document": {"name": "x", "shares": ["high"], "deal": ["bet"] * 100_000}},
        "not json",
    ],
)
def test_invalid_game_is_refused(body: Any) -> None:
    league = a_league()
    refused = send(member(league, Role.HOST), f"/api/v1/leagues/{league.pk}/house-games", body)
    assert reported_errors(refused)
    assert not HouseGame.objects.exists()
