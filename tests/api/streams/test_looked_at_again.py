"""Repeated permission checks give the same result, without rate limits or logging."""

from typing import Any

import pytest
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIRequest
from django.test import override_settings

from api.streams.admission import Places
from api.streams.handshake import environ_of, is_still_authorized
from league.models import League, Membership, Role, Scope, Token
from league.people.api_keys import make_link, revoke_link, revoke_token
from tests.helpers.api.clients import member
from tests.helpers.api.sample_league import token_text
from tests.helpers.league.leagues import a_league

pytestmark = pytest.mark.django_db


def environ(league: League, **headers: str) -> dict[str, Any]:
    """Return the stream's request, as stored by the streaming process."""
    query = headers.pop("query", "")
    scope = {
        "method": "GET",
        "raw_path": f"/api/v1/leagues/{league.pk}/stream".encode(),
        "query_string": query.encode(),
        "http_version": "1.1",
        "headers": [(name.encode(), text.encode()) for name, text in headers.items()],
    }
    return environ_of(scope)


def may(league: League, **headers: str) -> bool:
    return is_still_authorized(environ(league, **headers), Places(), league.pk)


def test_token_is_valid_until_it_is_revoked() -> None:
    league = a_league()
    text = token_text(league, Role.VIEWER, Scope.READ)
    assert may(league, authorization=f"Bearer {text}")
    assert not may(a_league(), authorization=f"Bearer {text}")
    revoke_token(league, Token.objects.get(league=league).id)
    assert not may(league, authorization=f"Bearer {text}")


def test_token_is_valid_until_its_owner_leaves_the_league() -> None:
    league = a_league()
    text = token_text(league, Role.VIEWER, Scope.READ)
    Membership.objects.filter(league=league, role=Role.VIEWER).delete()
    assert not may(league, authorization=f"Bearer {text}")


def test_feed_link_is_valid_until_it_is_revoked() -> None:
    league = a_league()
    link, key = make_link(league, "dashboard", by=None)
    assert may(league, query=f"key={key}")
    revoke_link(league, link.pk)
    assert not may(league, query=f"key={key}")


def test_session_is_valid_until_it_ends() -> None:
    league = a_league()
    client = member(league, Role.VIEWER)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    assert may(league, cookie=cookie)
    client.logout()
    assert not may(league, cookie=cookie)
    assert not may(league)


@override_settings(API_RATES={"caller": "1/min", "address": "1/min", "settle": "1/min"})
def test_rechecking_permissions_does_not_count_against_rate_limits() -> None:
    cache.clear()
    league = a_league()
    text = token_text(league, Role.VIEWER, Scope.READ)
    assert all(may(league, authorization=f"Bearer {text}") for _ in range(5))


def test_header_with_an_underscore_is_ignored() -> None:
    """`x_request_id` would become the same variable as a header that only a proxy sets."""
    league = a_league()
    made = environ(league, **{"x_request_id": "192.0.2.1", "x-other": "1"})
    assert made["HTTP_X_OTHER"] == "1"
    assert "HTTP_X_REQUEST_ID" not in made
    assert not [name for name in made if "." in name and not name.startswith("wsgi.")]


@pytest.mark.parametrize("behind", [False, True])
def test_forwarded_headers_are_trusted_only_from_a_configured_proxy(
    behind: bool,
) -> None:
    with override_settings(BEHIND_HTTPS=behind):
        made = environ(a_league(), **{"x-forwarded-for": "192.0.2.1", "forwarded": "for=x"})
    assert ("HTTP_X_FORWARDED_FOR" in made, "HTTP_FORWARDED" in made) == (behind, behind)


@pytest.mark.parametrize(
    ("sent", "path"), [(b"/%C3%A4", "/ä"), (b"/a%2Fb%20c", "/a/b c"), (b"http://x/a", "/a")]
)
def test_path_is_percent_decoded(sent: bytes, path: str) -> None:
    scope = {"method": "GET", "raw_path": sent, "query_string": b"", "http_version": "1.1"}
    assert WSGIRequest(environ_of({**scope, "headers": []})).path == path
