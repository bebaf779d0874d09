"""Limits on buy-ins: stacks after a buy-in, rebuys, and confirmations."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.audit_log import logged_actions
from league.closing.chip_requests import Exchange, accept, exchange
from league.common.errors import RefusedError
from league.models import BuyIn, ChipRequest, Night, Role
from league.nights.buy_ins import undo
from league.nights.nights import stacks
from league.people.joining import join
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, player
from tests.helpers.league.nights import chosen, dealt

pytestmark = pytest.mark.django_db


def buys(night: Night, name: str, chips: int, *, banker: str = "", **options: Any) -> Any:
    pays = player(night, banker) if banker else None
    wanted = Exchange(
        kind="buy-in",
        id=uuid4(),
        night=night,
        player=player(night, name),
        chips=chips,
        banker=pays,
        **options,
    )
    return exchange(wanted, by=None, word=pays)


def refused(night: Night, name: str, chips: int) -> str:
    with pytest.raises(RefusedError) as caught:
        buys(night, name, chips)
    assert [each["code"] for each in caught.value.errors] == ["beyond-limits"]
    return str(caught.value.errors[0]["text"])


def test_limits_apply_to_the_stack_after_a_buy_in() -> None:
    night = chosen(a_night(chips=0), least_buy_in=50, most_buy_in=200)
    assert refused(night, "ann", 49) == "the stack would be 49 chips, and the minimum is 50"
    buys(night, "ann", 150)
    assert refused(night, "ann", 51) == "the stack would be 201 chips, and the maximum is 200"
    buys(night, "ann", 5)
    buys(night, "ann", 45)
    assert stacks(night)[player(night, "ann").pk] == 200


def test_player_can_match_the_biggest_stack() -> None:
    # https://thelodgepokerclub.com/what-is-match-the-stack-poker/
    night = chosen(a_night(), most_buy_in=100, match_biggest_stack=True)
    dealt(night)  # ann has 110 chips, bob 90
    assert refused(night, "bob", 21) == "the stack would be 111 chips, and the maximum is 110"
    buys(night, "bob", 20)
    assert refused(night, "ann", 1) == "the stack would be 111 chips, and the maximum is 110"


def test_undone_rebuys_do_not_count() -> None:
    night = chosen(a_night(chips=0), most_rebuys=1)
    buys(night, "cat", 10)
    again = buys(night, "cat", 10)
    assert refused(night, "cat", 10) == "the league allows 1 rebuy a night"
    undo(again, by=None)
    buys(night, "cat", 10)


def test_confirmed_buy_in_is_logged_once() -> None:
    night = chosen(a_night(), most_buy_in=100)
    buys(night, "dan", 40, beyond_limits=True)
    asked = buys(night, "dan", 60, banker="bob", beyond_limits=True)
    assert isinstance(asked, ChipRequest)
    for _ in range(2):
        accept(asked, by=None)
    assert stacks(night)[player(night, "dan").pk] == 200
    logged = [each for each in logged_actions(night.league) if each.kind == "limits-exceeded"]
    assert sorted(each.about["chips"] for each in logged) == [40, 60]


@pytest.mark.parametrize(
    ("limits", "role", "offers"),
    [
        ("warn", Role.SCOREKEEPER, True),
        ("refuse", Role.SCOREKEEPER, False),
        ("refuse", Role.HOST, True),
    ],
)
def test_page_warns_before_a_buy_in_beyond_the_limits(
    limits: str, role: Role, offers: bool
) -> None:
    night = chosen(a_night(), most_buy_in=100, limits=limits)
    client: Client = member(night.league, role)
    body = {"player": str(player(night, "bob").pk), "chips": "5", "key": str(uuid4())}
    page = client.post(f"/nights/{night.pk}/buy-ins", body)
    text = page.content.decode()
    assert "The stack would be 105 chips, and the maximum is 100" in text
    assert ("Buy in beyond the limits" in text) is offers
    done = client.post(f"/nights/{night.pk}/buy-ins", body | {"beyond_limits": "on"})
    assert (done.status_code == 302) is offers
    assert BuyIn.objects.filter(pk=body["key"]).exists() is offers


@pytest.mark.parametrize("paid", ["", "cash-box"])
def test_player_is_referred_to_a_host_beyond_the_limits(paid: str) -> None:
    night = chosen(a_night(), most_buy_in=100, limits="refuse")
    bob, phone = player(night, "bob"), Client()
    phone.force_login(join(night.league, bob))
    body = {"player": str(bob.pk), "chips": "5", "banker": paid, "key": str(uuid4())}
    text = phone.post(f"/nights/{night.pk}/buy-ins", body).content.decode()
    assert "The stack would be 105 chips, and the maximum is 100" in text
    assert "Only a host can go beyond the limits. Ask one to enter this." in text
    assert not ChipRequest.objects.exists()


def test_player_who_accepts_too_late_is_referred_to_a_host() -> None:
    night = chosen(a_night(), most_buy_in=120, limits="refuse")
    asked = buys(night, "bob", 20, banker="ann")
    buys(night, "bob", 10)
    phone = Client()
    phone.force_login(join(night.league, player(night, "ann")))
    at = f"/nights/{night.pk}/requests/{asked.pk}/accept"
    text = phone.post(at, follow=True).content.decode()
    assert "The stack would be 130 chips, and the maximum is 120" in text
    assert "Only a host can go beyond the limits. Ask one to enter this." in text


@pytest.mark.parametrize(("limits", "status"), [("warn", 201), ("refuse", 403)])
def test_api_requires_confirmation_beyond_the_limits(limits: str, status: int) -> None:
    night = chosen(a_night(), most_buy_in=100, limits=limits)
    client = member(night.league, Role.SCOREKEEPER)
    body = {"id": str(uuid4()), "player": str(player(night, "bob").pk), "chips": 5}
    at, kind = f"/api/v1/nights/{night.pk}/buy-ins", "application/json"
    answer = client.post(at, body, kind)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "beyond-limits")
    assert client.post(at, body | {"beyond_limits": True}, kind).status_code == status
