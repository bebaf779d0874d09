"""The list of members, on which hosts change roles."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from league.models import League, Membership, Role
from league.people.joining import join
from league.people.leagues import add_player
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    """A league whose player Bob has joined with a phone."""
    league = a_league()
    bob = add_player(league, "Bob")
    join(league, bob)
    return league


@pytest.fixture
def host(league: League) -> Client:
    client = Client()
    assert league.created_by
    client.force_login(league.created_by)
    return client


def of_bob(league: League) -> Membership:
    return league.memberships.get(user__players__name="Bob")


def change(client: Client, of: Membership, role: str) -> str:
    at = f"/leagues/{of.league_id}/members/{of.pk}/role"
    return html(client.post(at, {"role": role}, follow=True))


def test_host_makes_a_member_a_host(league: League, host: Client) -> None:
    page = html(host.get(f"/leagues/{league.pk}/phones"))
    members = page.partition('id="members"')[2].partition("</section>")[0]
    assert re.search(r"Bob</span>\s*<span class=\"tag\">Player", members)
    assert "New role of Bob: Host." in change(host, of_bob(league), Role.HOST)
    assert of_bob(league).role == Role.HOST


def test_last_host_cannot_give_up_the_role(league: League, host: Client) -> None:
    own = league.memberships.get(user=league.created_by)
    assert "A league needs at least one host" in change(host, own, Role.PLAYER)
    own.refresh_from_db()
    assert own.role == Role.HOST


def test_host_who_gives_up_the_role_returns_to_the_league(league: League, host: Client) -> None:
    change(host, of_bob(league), Role.HOST)
    own = league.memberships.get(user=league.created_by)
    answer = host.post(f"/leagues/{league.pk}/members/{own.pk}/role", {"role": Role.VIEWER})
    assert answer["Location"] == f"/leagues/{league.pk}"


def test_changing_a_role_needs_a_fresh_sign_in(league: League, host: Client) -> None:
    Session.objects.all().delete()
    stale = member(league, Role.HOST)
    session = stale.session
    session["account_authentication_methods"] = []
    session.save()
    at = f"/leagues/{league.pk}/members/{of_bob(league).pk}/role"
    assert stale.post(at, {"role": Role.HOST}).status_code == 302
    assert of_bob(league).role == Role.PLAYER


def test_unknown_role_and_member_of_another_league_are_not_found(
    league: League, host: Client
) -> None:
    foreign = a_league().memberships.get()
    for of, role in ((of_bob(league), "king"), (foreign, Role.PLAYER)):
        at = f"/leagues/{league.pk}/members/{of.pk}/role"
        assert host.post(at, {"role": role}).status_code == 404
