"""Keys, roles and irreversible actions require a sign-in within the last 15 minutes."""

import json
import time
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from league.models import (
    FeedLink,
    Invitation,
    League,
    Membership,
    Role,
    Scope,
    Token,
    User,
    Webhook,
)
from league.people.api_keys import make_token
from league.people.leagues import add_member
from tests.helpers.fresh import signed_in_at
from tests.helpers.league.leagues import a_league, a_night, a_user, player
from tests.helpers.security.people import NEW, PASSWORD, noted, page_text, somebody, stale

pytestmark = pytest.mark.django_db

TOKEN = {"name": "bot", "scope": "read", "days": "30"}
HOOK = {"url": "https://hooks.example.org/a", "events": ["hand.settled"], "note": ""}
STALE = "/api/problems/stale-sign-in"


@pytest.fixture
def host() -> User:
    cache.clear()
    return somebody("joel")


@pytest.fixture
def league(host: User) -> League:
    return a_league(host)


@pytest.fixture
def client(host: User) -> Client:
    client = Client()
    client.force_login(host)
    return client


def doors(league: League) -> dict[str, dict[str, Any]]:
    """Return every form that requires a fresh sign-in, with valid values."""
    at = f"/leagues/{league.pk}"
    return {
        f"{at}/keys/tokens": TOKEN,
        f"{at}/keys/links": {"name": "sheet"},
        f"{at}/webhooks": HOOK | {"id": str(uuid4())},
        f"{at}/webhooks/{uuid4()}/rotate": {},
        f"{at}/passwords": {"user": "1"},
        f"{at}/invitations": {"name": "eve", "role": "scorekeeper", "days": "7"},
        "/account/email": {"action_add": "", "email": "joel@example.org"},
        "/account/two-factor/on": {"code": "123456"},
        "/account/two-factor/codes/new": {},
        "/account/passkeys/add": {"name": "", "credential": "{}"},
        "/account/passkeys/1": {"name": "x"},
        "/account/passkeys/1/remove": {},
    }


def test_stale_session_is_asked_to_sign_in_again(
    client: Client, league: League, host: User
) -> None:
    stale(client, host)
    for path, form in doors(league).items():
        answer = client.post(path, form)
        assert answer.status_code == 302, path
        assert answer.headers["Location"].startswith("/account/again?next="), path
    assert not Token.objects.exists()
    assert not FeedLink.objects.exists()
    assert not Webhook.objects.exists()


def test_fresh_session_is_not_asked_to_sign_in_again(client: Client, league: League) -> None:
    for path, form in doors(league).items():
        answer = client.post(path, form)
        assert "/account/again" not in answer.headers.get("Location", ""), path


def test_sign_in_stays_fresh_for_a_quarter_of_an_hour(
    client: Client, league: League, host: User
) -> None:
    path = f"/leagues/{league.pk}/keys/tokens"
    for ago, made in ((settings.ACCOUNT_REAUTHENTICATION_TIMEOUT - 30, 1), (901, 1)):
        signed_in_at(client, host, time.time() - ago)
        client.post(path, TOKEN)
        assert Token.objects.count() == made


def test_pending_action_runs_after_the_password_is_confirmed(
    client: Client, league: League, host: User
) -> None:
    stale(client, host)
    again = client.post(f"/leagues/{league.pk}/keys/tokens", TOKEN).headers["Location"]
    assert "Sign in again" in page_text(client.get(again))
    page = client.post(again, {"password": PASSWORD, "next": f"/leagues/{league.pk}/keys/tokens"})
    assert "Copy it now" in page_text(page)
    assert Token.objects.get().name == "bot"


def test_repeated_wrong_passwords_are_logged_and_lock_the_account(
    client: Client, league: League, host: User
) -> None:
    stale(client, host)
    again = client.post(f"/leagues/{league.pk}/keys/tokens", TOKEN).headers["Location"]
    answers = [
        client.post(again, {"password": f"guess {number}"}).status_code
        for number in range(settings.AXES_FAILURE_LIMIT)
    ]
    assert answers == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    assert client.post(again, {"password": PASSWORD}).status_code == 429
    assert not Token.objects.exists()
    assert {"wrong-password", "locked-out"} <= set(noted())


def test_another_user_signing_in_to_the_session_does_not_make_it_fresh(
    client: Client, league: League, host: User
) -> None:
    signed_in_at(client, somebody("eve"), time.time())
    answer = client.post(f"/leagues/{league.pk}/keys/tokens", TOKEN)
    assert answer.headers["Location"].startswith("/account/again")


def test_joined_phone_must_set_a_password_before_creating_a_token() -> None:
    night, client = a_night(), Client()
    client.post(f"/join/{night.league.code}", {"player": player(night, "bob").pk})
    path = f"/leagues/{night.league.pk}/keys/tokens"
    assert client.post(path, TOKEN).headers["Location"].startswith("/account/password/set?")
    assert not Token.objects.exists()
    form = {"username": "bob", "new_password1": NEW, "new_password2": NEW}
    client.post("/account/password/set", form)
    assert client.post(path, TOKEN).status_code == 200
    assert Token.objects.count() == 1


# The API


def protected_requests(league: League, member: Membership) -> dict[tuple[str, str], dict[str, Any]]:
    at, hook = f"/api/v1/leagues/{league.pk}", uuid4()
    return {
        ("patch", f"{at}/members/{member.pk}"): {"role": "scorekeeper"},
        ("delete", f"{at}/members/{member.pk}"): {},
        ("post", f"{at}/webhooks"): {"id": str(hook), "url": HOOK["url"]},
        ("patch", f"{at}/webhooks/{hook}"): {"note": "x"},
        ("post", f"{at}/webhooks/{hook}/rotate"): {},
        ("post", f"{at}/invitations"): {"name": "eve", "role": "scorekeeper"},
    }


def ask(client: Client, method: str, path: str, body: Any, **headers: str) -> tuple[int, str]:
    answer = getattr(client, method)(
        path, json.dumps(body), content_type="application/json", headers=headers
    )
    return answer.status_code, json.loads(answer.content or "{}").get("type", "")


def test_api_returns_403_with_a_problem_type_for_a_stale_session(
    client: Client, league: League, host: User
) -> None:
    member = add_member(league, a_user(), Role.PLAYER)
    stale(client, host)
    for (method, path), body in protected_requests(league, member).items():
        assert ask(client, method, path, body) == (403, STALE), path
    assert Membership.objects.get(pk=member.pk).role == Role.PLAYER
    assert not Webhook.objects.exists()
    assert not Invitation.objects.exists()


def test_inviting_a_player_requires_no_fresh_sign_in(
    client: Client, league: League, host: User
) -> None:
    """An invitation grants no more than the join code, which a host can always see."""
    stale(client, host)
    at, invitation = f"leagues/{league.pk}/invitations", {"name": "zoe", "role": "player"}
    assert client.post(f"/{at}", invitation | {"days": "7"}).status_code == 200
    assert ask(client, "post", f"/api/v1/{at}", invitation)[0] == 201


def test_api_token_requires_no_fresh_sign_in(league: League, host: User) -> None:
    member = add_member(league, a_user(), Role.PLAYER)
    bearer = {"Authorization": f"Bearer {make_token(league, host, 'bot', Scope.MANAGE)[1]}"}
    for (method, path), body in protected_requests(league, member).items():
        assert ask(Client(), method, path, body, **bearer)[1] != STALE, path


def test_viewing_does_not_require_a_recent_sign_in(
    client: Client, league: League, host: User
) -> None:
    stale(client, host)
    for path in ("keys", "webhooks", "passwords", "phones"):
        assert client.get(f"/leagues/{league.pk}/{path}").status_code == 200
    assert client.get(f"/api/v1/leagues/{league.pk}/webhooks").status_code == 200
