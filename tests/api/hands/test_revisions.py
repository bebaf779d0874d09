"""hands/{id}/revisions, .../check, .../void, .../undo and .../replay/links"""

from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from league.recording.corrections import TAKEN
from league.recording.record import record_hand
from tests.helpers.api.clients import ask, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import holdem

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/hands/{world.hand.pk}"


def payload(**changes: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "record": holdem(button=0), "reason": "ann dealt", **changes}


def test_repeating_a_correction_adds_only_one_revision(at: str, doors: dict[str, Client]) -> None:
    body = payload()
    first, again = (ask(doors["scorekeeper"], "post", f"{at}/revisions", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    corrected = again.json()
    assert (corrected["revision"], corrected["reason"], corrected["record"]["button"]) == (
        2,
        "ann dealt",
        0,
    )
    assert [revision["current"] for revision in corrected["revisions"]] == [False, True]
    other = body | {"record": holdem()}
    refusal(ask(doors["scorekeeper"], "post", f"{at}/revisions", other), 409)


def test_checking_a_correction_stores_nothing(at: str, doors: dict[str, Client]) -> None:
    response = ask(doors["scorekeeper"], "post", f"{at}/check", {"record": holdem(button=0)})
    assert response.json()["answer"]["won"] == {"ann": 20, "bob": 0}
    assert len(doors["viewer"].get(at).json()["revisions"]) == 1


def test_hand_can_be_voided_and_restored(at: str, doors: dict[str, Client]) -> None:
    body = ask(doors["scorekeeper"], "post", f"{at}/void", {"reason": "misdeal"}).json()
    assert (body["voided"], body["reason"]) == (True, "misdeal")
    assert ask(doors["scorekeeper"], "post", f"{at}/revisions", payload()).json()["voided"] is False


def test_only_recently_saved_hands_can_be_undone(world: World, doors: dict[str, Client]) -> None:
    hand = record_hand(world.night, uuid4(), holdem(), by=None).hand
    at = f"/api/v1/hands/{hand.pk}/undo"
    with time_machine.travel(timezone.now() + TAKEN * 2):
        refusal(ask(doors["scorekeeper"], "post", at), 409)
    for _ in range(2):
        assert ask(doors["scorekeeper"], "post", at).json()["voided"] is True


def test_repeated_undo_returns_the_first_response(world: World, doors: dict[str, Client]) -> None:
    at = f"/api/v1/hands/{record_hand(world.night, uuid4(), holdem(), by=None).hand.pk}/undo"
    assert ask(doors["scorekeeper"], "post", at).status_code == 200
    record_hand(world.night, uuid4(), holdem(), by=None)
    assert ask(doors["scorekeeper"], "post", at).json()["voided"] is True
    revisions = at.replace("undo", "revisions")
    assert ask(doors["scorekeeper"], "post", revisions, payload()).json()["voided"] is False
    refusal(ask(doors["scorekeeper"], "post", at), 409)


def test_replay_link_works_until_it_is_revoked(at: str, doors: dict[str, Client]) -> None:
    made = ask(doors["scorekeeper"], "post", f"{at}/replay/links").json()
    page = made["address"].removeprefix("http://testserver")
    assert page.endswith(made["token"])
    assert Client().get(page).status_code == 200
    assert ask(doors["scorekeeper"], "delete", f"{at}/replay/links").status_code == 204
    assert Client().get(page).status_code == 404


def test_users_without_permission_cannot_correct_a_hand(at: str, doors: dict[str, Client]) -> None:
    for rest in ("revisions", "check", "void", "undo"):
        turned_away(doors, "post", f"{at}/{rest}", payload(), wrong="viewer")
    for method in ("post", "delete"):
        turned_away(doors, method, f"{at}/replay/links", wrong="player")


@pytest.mark.parametrize(
    ("rest", "body", "error"),
    [
        ("revisions", {}, ("id", "missing")),
        ("revisions", payload(record=holdem(button=7)), ("button", "bad-button")),
        ("revisions", payload(reason=7), ("reason", "wrong-type")),
        ("check", {"record": 7}, ("", "wrong-type")),
        ("void", {"reason": "x" * 10_000}, ("reason", "too-long")),
        ("void", {"why": ""}, ("why", "unknown-key")),
    ],
)
def test_invalid_correction_is_refused(
    rest: str, body: Any, error: tuple[str, str], at: str, doors: dict[str, Client]
) -> None:
    assert error in reported_errors(ask(doors["host"], "post", f"{at}/{rest}", body))
