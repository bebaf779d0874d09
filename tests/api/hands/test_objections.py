"""GET and POST hands/{id}/objections, POST objections/{id}/answer"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.people.joining import join
from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import holdem, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def hand(world: World) -> str:
    return f"/api/v1/hands/{world.hand.pk}"


@pytest.fixture
def answer(world: World) -> str:
    return f"/api/v1/objections/{world.more['objection_id']}/answer"


@pytest.fixture
def bob(world: World) -> Client:
    """The phone of bob, who plays at the open night."""
    client = Client()
    client.force_login(join(world.league, player(world.night, "bob")))
    return client


def payload(**changes: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "reason": "Wrong amount", **changes}


def test_player_can_object_once_and_withdraw_the_objection(hand: str, bob: Client) -> None:
    body = payload()
    first, again = (ask(bob, "post", f"{hand}/objections", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    made = first.json()
    assert (made["player_name"], made["reason"], made["revision"], made["answer"]) == (
        "bob",
        "Wrong amount",
        1,
        None,
    )
    refusal(ask(bob, "post", made["address"], {"kind": "stands"}), 403)
    withdrawn = ask(bob, "post", made["address"], {"kind": "withdrawn"}).json()["answer"]
    assert (withdrawn["kind"], withdrawn["revision"]) == ("withdrawn", None)


def test_all_members_see_objections(hand: str, doors: dict[str, Client]) -> None:
    [listed] = doors["viewer"].get(f"{hand}/objections").json()["results"]
    assert (listed["player_name"], listed["reason"], listed["hand_number"]) == (
        "ann",
        "Wrong winner",
        1,
    )


def test_host_answers_with_a_correction(hand: str, answer: str, doors: dict[str, Client]) -> None:
    body = {"kind": "corrected"}
    errors = reported_errors(ask(doors["host"], "post", answer, body))
    assert errors == [("kind", "not-corrected")]
    record = {"id": str(uuid4()), "record": holdem(button=0)}
    ask(doors["host"], "post", f"{hand}/revisions", record)
    answered = ask(doors["host"], "post", answer, body).json()["answer"]
    assert (answered["kind"], answered["revision"]) == ("corrected", 2)


def test_host_lets_the_hand_stand(answer: str, doors: dict[str, Client]) -> None:
    body = {"kind": "stands", "text": "The cards are right"}
    for _ in range(2):
        answered = ask(doors["host"], "post", answer, body).json()["answer"]
        assert answered["text"] == "The cards are right"
    errors = reported_errors(ask(doors["host"], "post", answer, {"kind": "stands"}))
    assert errors == [("", "answered")]


def test_only_hosts_answer_and_only_authors_withdraw(
    hand: str, answer: str, bob: Client, doors: dict[str, Client]
) -> None:
    turned_away(doors, "post", answer, {"kind": "stands"}, wrong="scorekeeper")
    for client in (bob, doors["host"]):
        refusal(ask(client, "post", answer, {"kind": "withdrawn"}), 403)
    turned_away(doors, "post", f"{hand}/objections", payload(), wrong="viewer")
    refusal(ask(doors["read token"], "post", f"{hand}/objections", payload()), 403)


def test_player_cannot_object_for_another_player(hand: str, world: World, bob: Client) -> None:
    refusal(ask(bob, "post", f"{hand}/objections", payload(player=str(world.ann.pk))), 403)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, ("id", "missing")),
        (payload(reason=""), ("reason", "missing")),
        (payload(reason="x" * 501), ("reason", "too-long")),
        (payload(why=""), ("why", "unknown-key")),
    ],
)
def test_invalid_objection_is_refused(
    body: Any, error: tuple[str, str], hand: str, bob: Client
) -> None:
    assert error in reported_errors(ask(bob, "post", f"{hand}/objections", body))


def test_receipt_contains_the_objections_of_its_night(
    world: World, bob: Client, doors: dict[str, Client]
) -> None:
    of_closed = world.closed.hands.get().pk
    assert ask(bob, "post", f"/api/v1/hands/{of_closed}/objections", payload()).status_code == 201
    receipt = doors["viewer"].get(f"/api/v1/nights/{world.closed.pk}/receipt").json()
    assert [each["reason"] for each in receipt["objections"]] == ["Wrong amount"]
