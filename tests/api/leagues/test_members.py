"""GET /api/v1/leagues/{id}/members; PATCH and DELETE /api/v1/leagues/{id}/members/{id}"""

from typing import Any

import pytest
from django.test import Client

from league.models import Membership, Player, Role
from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/leagues/{world.league.pk}/members"


@pytest.fixture
def one(world: World, at: str) -> str:
    return f"{at}/{world.more['member_id']}"


def host_of(world: World) -> Membership:
    return Membership.objects.get(league=world.league, user=world.league.created_by)


def test_members_are_listed_with_their_roles(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    rows = doors["viewer"].get(f"{at}?page_size=200").json()["results"]
    assert {each["role"] for each in rows} == set(Role.values)
    assert rows[0]["name"] == world.league.created_by.username  # type: ignore[union-attr]
    assert set(rows[0]) == {"id", "name", "role", "player", "player_name", "joined_at"}


def test_host_can_change_a_members_role(one: str, world: World, doors: dict[str, Client]) -> None:
    answer = ask(doors["host"], "patch", one, {"role": "scorekeeper"})
    assert (answer.status_code, answer.json()["role"]) == (200, "scorekeeper")
    assert Membership.objects.get(pk=world.more["member_id"]).role == Role.SCOREKEEPER


def test_removed_member_loses_access_and_releases_the_player(
    one: str, world: World, doors: dict[str, Client]
) -> None:
    member = Membership.objects.get(pk=world.more["member_id"])
    Player.objects.filter(pk=world.ann.pk).update(user=member.user)
    gone = Client()
    gone.force_login(member.user)
    assert gone.get(f"/api/v1/leagues/{world.league.pk}").status_code == 200
    assert ask(doors["host"], "delete", one).status_code == 204
    assert gone.get(f"/api/v1/leagues/{world.league.pk}").status_code == 404
    assert Player.objects.get(pk=world.ann.pk).user is None


@pytest.mark.parametrize("method", ["patch", "delete"])
def test_last_host_cannot_leave_or_be_demoted(
    method: str, at: str, world: World, doors: dict[str, Client]
) -> None:
    host = host_of(world)
    Membership.objects.filter(league=world.league, role=Role.HOST).exclude(pk=host.pk).update(
        role=Role.PLAYER
    )
    client = Client()
    client.force_login(host.user)
    answer = ask(client, method, f"{at}/{host.pk}", {"role": "player"})
    assert reported_errors(answer) == [("role", "last-host")]


def test_only_hosts_can_change_members(at: str, one: str, doors: dict[str, Client]) -> None:
    turned_away(doors, "get", at, wrong="")
    for method in ("patch", "delete"):
        turned_away(doors, method, one, {"role": "host"}, wrong="scorekeeper")


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, ("role", "missing")),
        ({"role": "king"}, ("role", "bad-option")),
        ({"role": "host", "name": "x"}, ("name", "unknown-key")),
    ],
)
def test_unknown_role_is_refused(
    body: Any, error: tuple[str, str], one: str, doors: dict[str, Client]
) -> None:
    assert reported_errors(ask(doors["host"], "patch", one, body)) == [error]


@pytest.mark.parametrize("key", ["0", "9" * 30])
def test_unknown_member_is_not_found(key: str, at: str, doors: dict[str, Client]) -> None:
    refusal(ask(doors["host"], "patch", f"{at}/{key}", {"role": "host"}), 404)
