"""nights/{id}/closing, .../closing/check and .../reopen"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.recording.conflicts import keep_hand
from ledger.models import Posting
from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/nights/{world.night.pk}"


@pytest.fixture
def closed(world: World) -> str:
    return f"/api/v1/nights/{world.closed.pk}"


def payload(**changes: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "by_hands": True, **changes}


def test_closing_preview_stores_nothing(at: str, world: World, doors: dict[str, Client]) -> None:
    keep_hand(world.hand, by=None)  # a night closes after its conflicts are decided
    postings = Posting.objects.count()
    response = ask(doors["scorekeeper"], "post", f"{at}/closing/check", {"by_hands": True})
    assert response.status_code == 200
    assert (Posting.objects.count(), doors["viewer"].get(at).json()["state"]) == (postings, "open")
    made = ask(doors["scorekeeper"], "post", f"{at}/closing", payload()).json()
    assert response.json()["lines"] == made["lines"]
    plan = doors["viewer"].get(f"/api/v1/payment-plans/{made['payment_plan']}").json()
    names = ("payer", "payer_name", "payee", "payee_name", "cash_box", "chips", "money", "why")
    planned = [[each[name] for name in names] for each in plan["planned_payments"]]
    assert [list(each.values()) for each in response.json()["planned_payments"]] == planned


def test_closing_is_refused_while_a_hand_is_recorded_twice(
    at: str, doors: dict[str, Client]
) -> None:
    """The hand's result changes the payments, so a host chooses first."""
    for address, body in (("closing", payload()), ("closing/check", {"by_hands": True})):
        refused = ask(doors["host"], "post", f"{at}/{address}", body)
        assert reported_errors(refused) == [("hands/1", "recorded-twice")]


def test_night_is_closed_once_and_can_be_reopened(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    keep_hand(world.hand, by=None)
    body = payload()
    first, again = (ask(doors["host"], "post", f"{at}/closing", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert doors["viewer"].get(f"{at}/closing").json() == first.json()
    assert doors["viewer"].get(at).json()["state"] == "closed"
    reopened = ask(doors["host"], "post", f"{at}/reopen")
    assert (reopened.status_code, reopened.json()["state"]) == (200, "open")
    refusal(doors["viewer"].get(f"{at}/closing"), 404)


@pytest.mark.parametrize("rest", ["closing", "closing/check"])
@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, None),
        ({"by_hands": "yes"}, "by_hands"),
        ({"by_hands": True, "charge_difference_to": ["ann"]}, "charge_difference_to/0"),
        ({"by_hands": True, "difference": 1.5}, "difference"),
        ({"by_hands": True, "force": True}, "force"),
    ],
)
def test_invalid_closing_decision_is_refused(
    rest: str, body: Any, where: str | None, at: str, doors: dict[str, Client]
) -> None:
    sent = body if rest.endswith("check") else {"id": str(uuid4()), **body}
    found = [each for each, _ in reported_errors(ask(doors["host"], "post", f"{at}/{rest}", sent))]
    assert found == [where] if where else found


def test_users_without_permission_cannot_close_or_reopen_a_night(
    at: str, closed: str, doors: dict[str, Client]
) -> None:
    turned_away(doors, "post", f"{at}/closing", payload(), wrong="player")
    turned_away(doors, "post", f"{at}/closing/check", {"by_hands": True}, wrong="player")
    turned_away(doors, "post", f"{closed}/reopen", wrong="scorekeeper")
    turned_away(doors, "get", f"{closed}/closing", wrong="")
