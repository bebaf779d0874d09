"""Tokens and feed links are stored as hashes and can be revoked."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from league.common import row_limits
from league.common.errors import RefusedError
from league.models import FeedLink, Scope, Token
from league.people import api_keys
from tests.helpers.league.leagues import a_league, a_user

pytestmark = pytest.mark.django_db


def test_only_the_hash_of_a_token_is_stored() -> None:
    token, text = api_keys.make_token(a_league(), a_user(), " my  script ", Scope.READ)
    response = Token.objects.values().get()
    assert text.startswith("dealer_")
    assert token.name == "my script"
    assert text not in response.values()
    assert not any(text[20:] in str(value) for value in response.values())


def test_token_is_accepted_only_if_unchanged_and_until_it_expires() -> None:
    host = a_user()
    token, text = api_keys.make_token(a_league(host), host, "script", Scope.READ, days=30)
    assert api_keys.token_of(text) == token
    for other in ("", "dealer_", text[:-1], text + "0", text.upper(), "\0"):
        assert api_keys.token_of(other) is None
    with time_machine.travel(timezone.now() + timedelta(days=30, seconds=1), tick=False):
        assert api_keys.token_of(text) is None
        assert Token.objects.get().expired


def test_token_of_an_inactive_user_is_not_accepted() -> None:
    user = a_user()
    _, text = api_keys.make_token(a_league(user), user, "script", Scope.READ)
    assert api_keys.token_of(text)
    user.is_active = False
    user.save()
    assert api_keys.token_of(text) is None


def test_token_can_be_revoked_only_in_its_league_and_by_its_owner() -> None:
    user = a_user()
    league = a_league(user)
    token, text = api_keys.make_token(league, user, "script", Scope.READ)
    api_keys.revoke_token(a_league(), token.id)
    api_keys.revoke_token(league, token.id, of=a_user())
    assert api_keys.token_of(text)
    api_keys.revoke_token(league, token.id, of=user)
    assert api_keys.token_of(text) is None


@pytest.mark.parametrize(
    ("name", "scope", "days", "where"),
    [
        ("", "read", 30, "name"),
        ("x" * 10_000, "read", 30, "name"),
        ("script", "everything", 30, "scope"),
        ("script", "read", 0, "days"),
        ("script", "read", 10**9, "days"),
        ("script", "read", True, "days"),
    ],
)
def test_invalid_token_is_refused(name: str, scope: str, days: int, where: str) -> None:
    with pytest.raises(RefusedError) as refused:
        api_keys.make_token(a_league(), a_user(), name, scope, days=days)
    assert [each["where"] for each in refused.value.errors] == [where]


def test_number_of_keys_is_limited() -> None:
    league, user = a_league(), a_user()
    for number in range(row_limits.API_TOKENS.most):
        api_keys.make_token(league, user, f"script {number}", Scope.READ)
    with pytest.raises(RefusedError):
        api_keys.make_token(league, user, "one more", Scope.READ)


def test_feed_link_is_valid_until_it_is_revoked() -> None:
    league = a_league()
    link, key = api_keys.make_link(league, "spreadsheet", by=None)
    assert key not in FeedLink.objects.values().get().values()
    assert api_keys.link_of(key) == link
    for other in ("", key[:-1], "\ud800"):
        assert api_keys.link_of(other) is None
    api_keys.revoke_link(a_league(), link.pk)
    api_keys.revoke_link(league, uuid4())
    assert api_keys.link_of(key) == link
    api_keys.revoke_link(league, link.pk)
    assert api_keys.link_of(key) is None
