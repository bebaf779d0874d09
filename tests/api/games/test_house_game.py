"""GET, PUT and DELETE /api/v1/leagues/{id}/house-games/{slug}, POST .../retire"""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from league.games.house_games import current, revise, write
from league.models import HouseGame, Role
from league.recording.record import record_hand
from tests.helpers.api.clients import member, refusal, reported_errors, send, someone
from tests.helpers.league.house_games import CROSS, LOW_CROSS, a_house_game, crossed
from tests.helpers.league.leagues import a_league, a_night

pytestmark = pytest.mark.django_db


def address(game: HouseGame) -> str:
    return f"/api/v1/leagues/{game.league_id}/house-games/{game.slug}"


def put(client: Client, game: HouseGame, body: Any) -> HttpResponse:
    return client.put(address(game), json.dumps(body), content_type="application/json")


def test_house_game_includes_its_text_rules_and_all_versions() -> None:
    game = write(a_league(), CROSS, by=None)
    revise(game, LOW_CROSS, by=None)
    body = member(game.league, Role.VIEWER).get(address(game)).json()
    assert body["text"] == LOW_CROSS
    assert body["version"] == 2
    assert [each["number"] for each in body["versions"]] == [1, 2]
    assert body["versions"][1]["document_hash"] == body["document_hash"]


def test_update_adds_a_version() -> None:
    game = write(a_league(), CROSS, by=None)
    client = member(game.league, Role.SCOREKEEPER)
    assert put(client, game, {"text": LOW_CROSS}).json()["version"] == 2
    assert put(client, game, {"text": LOW_CROSS}).json()["version"] == 2
    assert current(game).text == LOW_CROSS


@pytest.mark.parametrize("body", [{}, {"text": "nonsense"}, {"copy": "nightmare"}, {"text": "\0"}])
def test_invalid_version_is_not_stored(body: Any) -> None:
    game = write(a_league(), CROSS, by=None)
    assert reported_errors(put(member(game.league, Role.HOST), game, body))
    assert current(game).text == CROSS


def test_game_that_was_never_dealt_can_be_deleted() -> None:
    game = write(a_league(), CROSS, by=None)
    client = member(game.league, Role.HOST)
    assert client.delete(address(game)).status_code == 204
    refusal(client.get(address(game)), 404)


def test_game_that_was_dealt_is_retired_instead_of_deleted() -> None:
    night = a_night()
    game = a_house_game(night)
    record_hand(night, uuid4(), crossed(game.slug), by=None)
    client = member(night.league, Role.HOST)
    refusal(client.delete(address(game)), 409)
    for _ in range(2):
        assert client.post(f"{address(game)}/retire").json()["retired_at"]
    assert put(client, game, {"text": CROSS}).json()["retired_at"] is None


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER])
def test_players_and_viewers_cannot_change_a_game(role: Role) -> None:
    game = write(a_league(), CROSS, by=None)
    client = member(game.league, role)
    refusal(put(client, game, {"text": LOW_CROSS}), 403)
    refusal(client.delete(address(game)), 403)
    refusal(client.post(f"{address(game)}/retire"), 403)
    game.refresh_from_db()
    assert game.retired_at is None


def test_outsiders_cannot_see_whether_the_game_exists() -> None:
    game = write(a_league(), CROSS, by=None)
    client = someone()
    refusal(client.get(address(game)), 404)
    refusal(put(client, game, {"text": LOW_CROSS}), 404)
    refusal(client.delete(address(game)), 404)
    refusal(client.post(f"{address(game)}/retire"), 404)
    refusal(Client().get(address(game)), 401)


def test_game_from_another_league_is_not_found() -> None:
    game, own = write(a_league(), CROSS, by=None), a_league()
    client = member(own, Role.HOST)
    refusal(client.get(f"/api/v1/leagues/{own.pk}/house-games/{game.slug}"), 404)
    refusal(client.get(f"/api/v1/leagues/{own.pk}/house-games/nightmare"), 404)


def test_hand_can_be_recorded_with_the_slug_of_a_house_game() -> None:
    night = a_night()
    game = a_house_game(night)
    client = member(night.league, Role.HOST)
    body = {"id": str(uuid4()), "record": crossed(game.slug)}
    recorded = send(client, f"/api/v1/nights/{night.pk}/hands", body).json()
    assert recorded["answer"]["won"] == {"ann": 20, "bob": 0}
    assert (recorded["game"], recorded["game_name"]) == ("grandmas-cross", "Grandma's Cross")
    assert recorded["document_hash"] == current(game).document_id
