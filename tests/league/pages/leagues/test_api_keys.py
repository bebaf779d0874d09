"""The page on which a league's API keys are created and revoked."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from league.models import FeedLink, League, Role, Scope, Token
from league.people.api_keys import link_of, make_token, token_of
from tests.helpers.api.clients import member, someone
from tests.helpers.league.leagues import a_league, a_user
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def at(league: League, rest: str = "") -> str:
    return f"/leagues/{league.pk}/keys{rest}"


def shown_once(answer: HttpResponse) -> str:
    match = re.search(r'id="address">([^<]+)<', html(answer))
    assert match
    assert answer["Cache-Control"] == "private, no-store"
    return match[1]


@pytest.mark.parametrize("role", Role)
def test_every_member_can_create_tokens(role: Role) -> None:
    league = a_league()
    client = member(league, role)
    form = {"name": "my script", "scope": "record", "days": "30"}
    text = shown_once(client.post(at(league, "/tokens"), form))
    token = token_of(text)
    assert token
    assert (token.league, token.scope, token.name) == (league, Scope.RECORD, "my script")
    page = html(client.get(at(league)))
    assert "my script" in page
    assert re.search(r"my script.*?View and record hands.*?</li>", page)
    assert text not in page
    client.post(at(league, f"/tokens/{token.id}/end"))
    assert token_of(text) is None


def test_host_can_revoke_any_token_and_others_only_their_own() -> None:
    maker = a_user()
    league = a_league(maker)
    theirs, text = make_token(league, maker, "theirs", Scope.READ)
    other = member(league, Role.SCOREKEEPER)
    assert b"theirs" not in other.get(at(league)).content
    other.post(at(league, f"/tokens/{theirs.id}/end"))
    assert token_of(text)
    host = member(league, Role.HOST)
    assert b"theirs" in host.get(at(league)).content
    host.post(at(league, f"/tokens/{theirs.id}/end"))
    assert not Token.objects.exists()


def test_host_creates_a_feed_link_that_works_until_it_is_revoked(client: Client) -> None:
    league = a_league()
    host = member(league, Role.HOST)
    page = host.post(at(league, "/links"), {"name": "sheet"})
    address = shown_once(page)
    key = address.partition("key=")[2]
    sheet, calendar = Client().get(address), Client().get(address.replace(".csv", ".ics"))
    assert sheet["Content-Type"].startswith("text/csv")
    assert calendar["Content-Type"].startswith("text/calendar")
    assert address.replace(".csv", ".ics") in html(page)
    link = link_of(key)
    assert link
    host.post(at(league, f"/links/{link.pk}/end"))
    assert link_of(key) is None


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.PLAYER, Role.VIEWER])
def test_only_hosts_can_publish_feeds(role: Role) -> None:
    league = a_league()
    client = member(league, role)
    assert b"Feed links" not in client.get(at(league)).content
    assert client.post(at(league, "/links"), {"name": "sheet"}).status_code == 403
    assert not FeedLink.objects.exists()


def test_error_is_shown_next_to_its_field() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    answer = host.post(at(league, "/tokens"), {"name": " ", "scope": "all", "days": "1"})
    assert answer.status_code == 400
    assert html(answer).count('class="error"') == 3
    assert host.post(at(league, "/links"), {"name": ""}).status_code == 400
    assert not Token.objects.exists()


def test_outsiders_cannot_open_the_page_or_create_keys(client: Client) -> None:
    league = a_league()
    for method, rest in (("get", ""), ("post", "/tokens"), ("post", "/links")):
        assert getattr(someone(), method)(at(league, rest)).status_code == 404
    assert client.get(at(league)).status_code == 302
