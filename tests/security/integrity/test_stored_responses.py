"""A stored response is returned only to callers with the same permissions as the first one."""

import pytest
from django.test import Client

from api.models import IdempotencyRecord
from league.models import League, Membership, Player, Role, Scope, User
from league.people.api_keys import make_token
from league.people.leagues import add_member
from tests.helpers.api.clients import refusal
from tests.helpers.api.idempotency import send
from tests.helpers.league.leagues import a_league, a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    return a_league()


@pytest.fixture
def user(league: League) -> User:
    made = a_user()
    add_member(league, made, Role.HOST)
    return made


def with_scope(league: League, user: User, scope: Scope) -> Client:
    _, text = make_token(league, user, "program", scope)
    return Client(headers={"Authorization": f"Bearer {text}"}, enforce_csrf_checks=True)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_stored_response_for_a_managing_token_is_refused_to_other_tokens(
    league: League, user: User
) -> None:
    manages = with_scope(league, user, Scope.MANAGE)
    assert send(manages, league, {"name": "eve"}).status_code == 201
    for scope in (Scope.READ, Scope.RECORD):
        refusal(send(with_scope(league, user, scope), league, {"name": "eve"}), 403)
    other = a_league()
    add_member(other, user, Role.HOST)
    refusal(send(with_scope(other, user, Scope.MANAGE), league, {"name": "eve"}), 404)
    again = send(manages, league, {"name": "eve"})
    assert (again.status_code, again["Idempotency-Replayed"]) == (201, "true")


def test_idempotency_keys_of_a_session_and_a_token_are_separate(league: League, user: User) -> None:
    assert send(signed_in(user), league, {"name": "eve"}).status_code == 201
    other = send(with_scope(league, user, Scope.MANAGE), league, {"name": "fay"})
    assert other.status_code == 201
    assert set(Player.objects.values_list("name", flat=True)) >= {"eve", "fay"}


def test_demoted_user_does_not_get_stored_responses(league: League, user: User) -> None:
    host = signed_in(user)
    assert send(host, league, {"name": "eve"}).status_code == 201
    mine = Membership.objects.filter(league=league, user=user)
    mine.update(role=Role.VIEWER)
    refusal(send(host, league, {"name": "eve"}), 403)
    mine.delete()
    refusal(send(host, league, {"name": "eve"}), 404)


def test_stored_response_records_the_callers_league_and_permissions(
    league: League, user: User
) -> None:
    send(signed_in(user), league, {"name": "eve"})
    response = IdempotencyRecord.objects.get()
    assert (response.bearer, response.league) == ("", str(league.pk))
    assert response.rights == "invite,keep-score,look,manage,record-hands"
