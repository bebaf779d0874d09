"""Devices that joined: leagues/{id}/devices, ./devices/{id}/sign-out, ./join-code"""

import pytest
from django.contrib.auth import get_user
from django.test import Client

from league.models import Player
from tests.helpers.api.clients import ask, refusal, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/leagues/{world.league.pk}/devices"


def test_host_lists_phones_and_signs_out_one_of_them(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    phone, cat = Client(), Player.objects.get(league=world.league, name="cat")
    phone.force_login(a_user())
    joined = ask(phone, "post", f"/api/v1/join/{world.league.code}", {"player": str(cat.pk)})
    assert (joined.status_code, joined.json()["joined"]) == (200, True)
    rows = doors["host"].get(at).json()["results"]
    assert rows[0]["player"] == str(cat.pk)
    for _ in range(2):
        answer = ask(doors["host"], "post", f"{at}/{rows[0]['id']}/sign-out")
        assert answer.json()["signed_out_at"]
    assert not get_user(phone).is_authenticated  # type: ignore[arg-type]
    assert Player.objects.get(pk=cat.pk).user is None
    assert len(doors["host"].get(at).json()["results"]) == len(rows) - 1


def test_releasing_a_player_signs_out_the_phone(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    phone, cat = Client(), Player.objects.get(league=world.league, name="cat")
    phone.force_login(a_user())
    ask(phone, "post", f"/api/v1/join/{world.league.code}", {"player": str(cat.pk)})
    answer = ask(doors["host"], "post", f"/api/v1/players/{cat.pk}/release")
    assert answer.json()["joined"] is False
    assert not get_user(phone).is_authenticated  # type: ignore[arg-type]


def test_new_join_code_replaces_the_old_one(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    new = at.replace("devices", "join-code")
    code = ask(doors["host"], "post", new).json()["code"]
    assert code != world.league.code
    refusal(doors["outsider"].get(f"/api/v1/join/{world.league.code}"), 404)
    assert doors["outsider"].get(f"/api/v1/join/{code}").status_code == 200
    turned_away(doors, "post", new, wrong="scorekeeper")


def test_only_hosts_can_see_phones(at: str, world: World, doors: dict[str, Client]) -> None:
    turned_away(doors, "get", at, wrong="scorekeeper")
    turned_away(doors, "post", f"{at}/{world.more['device_id']}/sign-out", wrong="scorekeeper")


@pytest.mark.parametrize("key", ["0", "9" * 30])
def test_unknown_phone_is_not_found(key: str, at: str, doors: dict[str, Client]) -> None:
    refusal(ask(doors["host"], "post", f"{at}/{key}/sign-out"), 404)
