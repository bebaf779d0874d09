"""GET and POST /api/v1/join/{code}"""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from league.models import Membership, Player
from league.sign_in.rate_limits import WRONG_CODES_HERE
from tests.helpers.api.clients import ask, refusal, reported_errors, someone
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    cache.clear()
    return f"/api/v1/join/{world.league.code}"


def test_join_code_returns_the_league_and_unclaimed_players(at: str, world: World) -> None:
    body = someone().get(at.lower()).json()
    assert (body["league"], body["league_name"]) == (str(world.league.pk), "Tuesday")
    assert [each["name"] for each in body["players"]] == ["ann", "bob", "cat", "dan"]


def test_joined_phone_plays_as_the_chosen_player(at: str, world: World) -> None:
    client, body = someone(), {"player": str(world.ann.pk)}
    joined = ask(client, "post", at, body)
    assert (joined.status_code, joined.json()["joined"]) == (200, True)
    assert client.get(joined["Location"]).json()["name"] == "ann"
    user = Player.objects.get(pk=world.ann.pk).user
    assert Membership.objects.get(league=world.league, user=user).role == "player"
    assert reported_errors(ask(client, "post", at, body)) == [("player", "name-taken")]
    assert reported_errors(ask(someone(), "post", at, body)) == [("player", "name-taken")]


def test_token_cannot_join_a_league(at: str, doors: dict[str, Client]) -> None:
    refusal(doors["manage token"].get(at), 403)
    refusal(doors["nobody"].get(at), 401)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, ("player", "missing")),
        ({"player": "ann"}, ("player", "wrong-type")),
        ({"player": str(uuid4())}, ("player", "unknown-player")),
    ],
)
def test_missing_or_unknown_player_is_refused(body: Any, error: tuple[str, str], at: str) -> None:
    assert reported_errors(ask(someone(), "post", at, body)) == [error]


def test_invalid_email_address_is_refused(at: str, world: World) -> None:
    body = {"player": str(world.ann.pk), "email": "nowhere"}
    assert reported_errors(ask(someone(), "post", at, body)) == [("email", "bad-email")]


def test_guessing_join_codes_is_rate_limited(at: str) -> None:
    client = someone()
    for _ in range(WRONG_CODES_HERE.most):
        refusal(client.get("/api/v1/join/NOSUCH"), 404)
    answer = client.get(at)
    refusal(answer, 429)
    assert int(answer["Retry-After"]) > 0
    cache.clear()
