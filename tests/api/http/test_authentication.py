"""Coming with a token instead of a session."""

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
def test_a_program_records_what_its_token_and_its_maker_may(
    role: Role, scope: Scope, status: int
) -> None:
    night = a_night()
    client = program(night.league, role, scope)
    assert client.get(f"/api/v1/nights/{night.pk}").status_code == 200
    sent = {"id": str(uuid4()), "record": holdem()}
    assert send(client, f"/api/v1/nights/{night.pk}/hands", sent).status_code == status
    assert Hand.objects.exists() == (status == 201)


def test_a_token_sees_its_own_league_alone() -> None:
    host = a_user()
    mine, other = a_night(a_league(host)), a_night(a_league(host))
    _, text = make_token(mine.league, host, "program", Scope.MANAGE)
    client = Client(headers={"Authorization": f"Bearer {text}"})
    told = client.get("/api/v1/nights").json()["results"]
    assert [each["id"] for each in told] == [str(mine.pk)]
    refusal(client.get(f"/api/v1/nights/{other.pk}"), 404)


@pytest.mark.parametrize("text", ["nonsense", "dealer_" + "0" * 64, "a b", "", "\xff"])
def test_a_token_that_is_none_is_told_to_sign_in(text: str) -> None:
    client = Client(headers={"Authorization": f"Bearer {text}"})
    answer = client.get("/api/v1/nights")
    refusal(answer, 401)
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_token_that_was_ended_opens_nothing() -> None:
    night = a_night()
    client = program(night.league, Role.HOST, Scope.READ)
    assert client.get(f"/api/v1/nights/{night.pk}").status_code == 200
    Token.objects.all().delete()
    refusal(client.get(f"/api/v1/nights/{night.pk}"), 401)
