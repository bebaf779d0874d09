"""GET hands/{id}/conflicts, POST hands/{id}/keep, POST conflicts/{id}/accept and .../separate"""

from uuid import uuid4

import pytest
from django.test import Client

from league.closing.close import Decisions, close_night
from league.models import Revision
from league.recording.conflicts import keep_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.api.clients import ask, refusal, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import holdem

pytestmark = pytest.mark.django_db


@pytest.fixture
def hand(world: World) -> str:
    return f"/api/v1/hands/{world.hand.pk}"


@pytest.fixture
def conflict(world: World) -> str:
    return f"/api/v1/conflicts/{world.more['conflict_id']}"


def test_conflicting_record_is_listed_with_the_hand(
    hand: str, world: World, doors: dict[str, Client]
) -> None:
    [listed] = doors["viewer"].get(f"{hand}/conflicts").json()["results"]
    assert (listed["id"], listed["state"]) == (str(world.more["conflict_id"]), "waiting")
    assert listed["record"]["board"] == [["2h", "7d", "9s", "Jd", "Qd"]]


PICKED = {"keep": ("declined", 1, 1), "accept": ("accepted", 1, 2), "separate": ("separated", 2, 1)}


@pytest.mark.parametrize("pick", PICKED)
def test_host_can_pick_a_record(
    pick: str, hand: str, conflict: str, world: World, doors: dict[str, Client]
) -> None:
    state, hands, revision = PICKED[pick]
    for _ in range(2):
        answer = ask(doors["host"], "post", f"{hand if pick == 'keep' else conflict}/{pick}")
        assert [each["state"] for each in answer.json()["results"]] == [state]
    assert world.night.hands.count() == hands
    assert Revision.objects.get(hand=world.hand, current=True).number == revision


def test_only_hosts_can_pick_a_record(hand: str, conflict: str, doors: dict[str, Client]) -> None:
    turned_away(doors, "get", f"{hand}/conflicts", wrong="")
    for at in (f"{hand}/keep", f"{conflict}/accept", f"{conflict}/separate"):
        turned_away(doors, "post", at, wrong="scorekeeper")
    refusal(ask(doors["host"], "post", f"/api/v1/conflicts/{uuid4()}/accept"), 404)


def test_conflict_on_a_closed_night_cannot_become_a_separate_hand(
    world: World, doors: dict[str, Client]
) -> None:
    keep_hand(world.hand, by=None)
    by_hands = Decisions(by_hands=True)
    close_night(world.night, uuid4(), by=world.league.created_by, decisions=by_hands)
    late = ClientContext(origin="late", seen=0, number=1)
    other = holdem(board=[["2c", "7d", "9s", "Jd", "Qd"]])
    conflict = record_hand(world.night, uuid4(), other, by=None, context=late).conflict
    assert conflict
    refusal(ask(doors["host"], "post", f"/api/v1/conflicts/{conflict.pk}/separate"), 409)
