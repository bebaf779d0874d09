"""a night's payment-plans, payment-plans/{id} with its payments, payments/{id} with its actions"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.models import Player, User
from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan(world: World) -> str:
    return f"/api/v1/payment-plans/{world.plan.pk}"


@pytest.fixture
def payment(world: World) -> str:
    return f"/api/v1/payments/{world.payment.pk}"


def payload(**changes: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "position": 0, "chips": 5, **changes}


def as_one(world: World, doors: dict[str, Client], name: str) -> Client:
    """Return a client for the member who plays as this player."""
    client = doors["player"]
    user = User.objects.get(pk=client.session["_auth_user_id"])
    Player.objects.filter(pk=player(world.closed, name).pk).update(user=user)
    return client


def test_plan_lists_payments_and_open_amounts(
    plan: str, world: World, doors: dict[str, Client]
) -> None:
    body = doors["viewer"].get(plan).json()
    [planned] = body["planned_payments"]
    names = (planned["payer_name"], planned["payee_name"], planned["chips"], planned["open_chips"])
    assert names == ("bob", "ann", 10, 10)
    assert [each["state"] for each in planned["payments"]] == ["promised"]
    listed = (
        doors["viewer"].get(f"/api/v1/nights/{world.closed.pk}/payment-plans").json()["results"]
    )
    assert listed == [body]


def test_payer_reports_a_payment_and_the_payee_confirms_it(
    plan: str, world: World, doors: dict[str, Client]
) -> None:
    bob = as_one(world, doors, "bob")
    made = ask(bob, "post", f"{plan}/payments", payload())
    assert (made.status_code, made.json()["state"]) == (201, "promised")
    refusal(ask(bob, "post", f"{made['Location']}/confirm"), 403)
    confirmed = ask(doors["host"], "post", f"{made['Location']}/confirm").json()
    assert confirmed["state"] == "confirmed"
    assert doors["viewer"].get(plan).json()["planned_payments"][0]["open_chips"] == 5


def test_payee_reports_a_received_payment(
    plan: str, world: World, doors: dict[str, Client]
) -> None:
    ann = as_one(world, doors, "ann")
    refusal(ask(ann, "post", f"{plan}/payments", payload()), 403)
    made = ask(ann, "post", f"{plan}/payments", payload(received=True))
    assert (made.status_code, made.json()["state"]) == (201, "confirmed")


def test_reported_payment_can_be_disputed_and_withdrawn(
    payment: str, doors: dict[str, Client]
) -> None:
    note = {"note": "not here"}
    assert ask(doors["host"], "post", f"{payment}/dispute", note).json()["state"] == "disputed"
    taken = ask(doors["host"], "post", f"{payment}/withdraw", {"note": "sorry"}).json()
    assert taken["state"] == "withdrawn"
    notes = [each["note"] for each in doors["viewer"].get(payment).json()["steps"]]
    assert notes[1:] == ["not here", "sorry"]


def test_users_without_permission_cannot_change_payments(
    plan: str, payment: str, world: World, doors: dict[str, Client]
) -> None:
    for at in (plan, payment, f"/api/v1/nights/{world.closed.pk}/payment-plans"):
        turned_away(doors, "get", at, wrong="")
    turned_away(doors, "post", f"{plan}/payments", payload(), wrong="scorekeeper")
    for action in ("confirm", "dispute", "withdraw"):
        turned_away(doors, "post", f"{payment}/{action}", wrong="scorekeeper")
    refusal(doors["host"].get(f"/api/v1/payment-plans/{uuid4()}"), 404)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"chips": 0}, "chips"),
        ({"chips": 10**6}, "chips"),
        ({"position": -1}, "position"),
        ({"note": "x" * 10_000}, "note"),
        ({"id": 7}, "id"),
    ],
)
def test_invalid_payment_is_refused(
    changes: Any, where: str, plan: str, doors: dict[str, Client]
) -> None:
    errors = reported_errors(ask(doors["host"], "post", f"{plan}/payments", payload(**changes)))
    assert [each for each, _ in errors] == [where]


def test_unplanned_payment_is_refused(plan: str, doors: dict[str, Client]) -> None:
    refusal(ask(doors["host"], "post", f"{plan}/payments", payload(position=7)), 404)
