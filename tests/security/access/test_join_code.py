"""The join code lets anyone become a player, so only roles that may invite can see it."""

import pytest
from django.test import Client

from league.models import Inviters, League, Night, Role, Scope
from league.people.api_keys import make_link, make_token
from tests.helpers.league.leagues import a_night
from tests.helpers.league.pages import html
from tests.helpers.security.browsers import joined, someone

pytestmark = pytest.mark.django_db
ROLES = (Role.HOST, Role.SCOREKEEPER, Role.PLAYER, Role.VIEWER)
SHOWN = {
    Inviters.HOSTS: {Role.HOST},
    Inviters.SCOREKEEPERS: {Role.HOST, Role.SCOREKEEPER},
    Inviters.PLAYERS: {Role.HOST, Role.SCOREKEEPER, Role.PLAYER},
}


@pytest.fixture
def night() -> Night:
    return a_night()


def places(night: Night) -> list[str]:
    """Return every URL that shows the league to a member."""
    league = night.league.pk
    api = f"/api/v1/leagues/{league}"
    return [
        *(f"/leagues/{league}", f"/nights/{night.pk}", f"/seasons/{night.season_id}"),
        *(f"/leagues/{league}/games", f"/leagues/{league}/keys", "/account", "/"),
        *(f"/nights/{night.pk}/record", f"/nights/{night.pk}/count"),
        *(api, "/api/v1/leagues", f"{api}/players", f"/api/v1/nights/{night.pk}"),
    ]


def sees(client: Client, night: Night) -> set[str]:
    """Return the URLs whose response contains the join code."""
    code = night.league.code
    addresses = {at for at in places(night) if code in html(client.get(at))}
    filed = client.post("/account/file")
    content = filed.getvalue() if filed.streaming else filed.content
    return addresses | ({"own file"} if code in content.decode() else set())


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("chosen", Inviters)
def test_join_code_is_shown_to_roles_that_may_invite(
    chosen: Inviters, role: Role, night: Night
) -> None:
    League.objects.update(inviters=chosen)
    shown = sees(someone(night, role), night)
    api = f"/api/v1/leagues/{night.league.pk}"
    expected = {f"/leagues/{night.league.pk}", f"/nights/{night.pk}", api, "/api/v1/leagues"}
    assert shown == (expected if role in SHOWN[chosen] else set())


def test_joined_phone_cannot_see_the_join_code(night: Night) -> None:
    assert sees(joined(night, "bob"), night) == set()


@pytest.mark.parametrize("scope", Scope)
def test_only_managing_tokens_can_see_the_join_code(scope: Scope, night: Night) -> None:
    host = night.league.created_by
    assert host
    League.objects.update(inviters=Inviters.PLAYERS)
    _, text = make_token(night.league, host, "program", scope)
    client = Client(headers={"Authorization": f"Bearer {text}"})
    code = client.get(f"/api/v1/leagues/{night.league.pk}").json()["code"]
    assert code == (night.league.code if scope == Scope.MANAGE else None)
    [listed] = client.get("/api/v1/leagues").json()["results"]
    assert listed["code"] == code


def test_feed_link_cannot_see_the_join_code(night: Night) -> None:
    _, key = make_link(night.league, "sheet", by=None)
    for at in ("nights", f"nights/{night.pk}", "seasons", "players"):
        path = f"leagues/{night.league.pk}/{at}" if at in {"seasons", "players"} else at
        assert night.league.code not in html(Client().get(f"/api/v1/{path}?key={key}"))


def test_only_hosts_can_open_the_page_with_the_join_code(night: Night) -> None:
    for role, status in ((Role.HOST, 200), (Role.SCOREKEEPER, 403), (Role.PLAYER, 403)):
        page = someone(night, role).get(f"/leagues/{night.league.pk}/phones")
        assert page.status_code == status
        assert (night.league.code in html(page)) == (status == 200)
