"""Authentication with a token instead of a session."""

from uuid import uuid4

import pytest
from django.test import Client

from league.models import Hand, League, Role, Scope, Token
from league.people.api_keys import make_token
from league.people.leagues import add_member
from tests.helpers.api.clients import refusal, send
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem

pytestmark = pytest.mark.django_db


def program(league: League, role: Role, scope: Scope) -> Client:
    user = a_user()
    add_member(league, user, role)
    _, text = make_token(league, user, "program", scope)
    return Client(headers={"Authorization": f"Bearer {text}"}, enforce_csrf_checks=True)


@pytest.mark.parametrize(
    ("role", "scope", "status"),
    [
        (Role.HOST, Scope.READ, 403),
        (Role.HOST, Scope.RECORD, 201),
        (Role.HOST, Scope.MANAGE, 201),
        (Role.SCOREKEEPER, Scope.MANAGE, 201),
        (Role.PLAYER, Scope.MANAGE, 201),
    ],
)
def test_token_is_limited_by_its_scope_and_by_the_role_of_its_owner(
    role: Role, scope: Scope, status: int
) -> None:
    night = a_night()
    client = program(night.league, role, scope)
    assert client.get(f"/api/v1/nights/{night.pk}").status_code == 200
    sent = {"id": str(uuid4()), "record": holdem()}
    assert send(client, f"/api/v1/nights/{night.pk}/hands", sent).status_code == status
    assert Hand.objects.exists() == (status == 201)


def test_token_can_read_only_its_own_league() -> None:
    host = a_user()
    mine, other = a_night(a_league(host)), a_night(a_league(host))
    _, text = make_token(mine.league, host, "program", Scope.MANAGE)
    client = Client(headers={"Authorization": f"Bearer {text}"})
    results = client.get("/api/v1/nights").json()["results"]
    assert [each["id"] for each in results] == [str(mine.pk)]
    refusal(client.get(f"/api/v1/nights/{other.pk}"), 404)


@pytest.mark.parametrize("text", ["nonsense", "dealer_" + "0" * 64, "a b", "", "\xff"])
def test_invalid_token_returns_401_with_a_challenge(text: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {text}"})
    answer = client.get("/api/v1/nights")
    refusal(answer, 401)
    assert answer["WWW-Authenticate"] == "Bearer"


def test_revoked_token_is_refused() -> None:
    night = a_night()
    client = program(night.league, Role.HOST, Scope.READ)
    assert client.get(f"/api/v1/nights/{night.pk}").status_code == 200
    Token.objects.all().delete()
    refusal(client.get(f"/api/v1/nights/{night.pk}"), 401)
