"""GET /api/v1/hands/{id}/replay"""

from uuid import uuid4

import pytest

from league.models import Role
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from tests.helpers.api.clients import member, turned_away
from tests.helpers.api.sample_league import at_the_door
from tests.helpers.league.histories import history
from tests.helpers.league.leagues import a_night, holdem

pytestmark = pytest.mark.django_db


def test_replay_contains_scenes_in_order() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    revise_hand(hand, uuid4(), holdem(button=0), by=None)
    viewer = member(night.league, Role.VIEWER)
    answer = viewer.get(f"/api/v1/hands/{hand.pk}/replay")
    body = answer.json()
    assert (body["hand"], body["revision"]) == (str(hand.pk), 2)
    scenes = body["scenes"]
    assert [scenes[0]["kind"], scenes[-1]["kind"]] == ["deal", "end"]
    placed = {place for scene in scenes for place in (*scene["down"], *scene["up"])}
    assert {"players/0/down/0", "players/1/down/1", "board/0/4"} <= placed
    [share] = [scene for scene in scenes if scene["kind"] == "share"]
    assert share["wins"] == {"ann": 20}
    again = viewer.get(f"/api/v1/hands/{hand.pk}/replay", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_replay_of_a_full_history_moves_chips_with_each_action() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), history(), by=None).hand
    scenes = member(night.league, Role.VIEWER).get(f"/api/v1/hands/{hand.pk}/replay").json()
    stacks = [each["stacks"] for each in scenes["scenes"] if each["stacks"]]
    assert stacks[0] == [99, 98, 100, 100]
    assert sum(stacks[-1]) == 400


def test_outsiders_cannot_read_a_replay() -> None:
    night = a_night()
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    turned_away(at_the_door(night.league), "get", f"/api/v1/hands/{hand.pk}/replay", wrong="")
