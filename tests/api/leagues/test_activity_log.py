"""GET leagues/{id}/activity: the activity log, for hosts and for tokens that may manage."""

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from tests.helpers.api.clients import ask, reported_errors, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/leagues/{world.league.pk}/activity"


def test_api_actions_are_listed_with_the_user(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    code = f"/api/v1/leagues/{world.league.pk}/join-code"
    for _ in range(2):
        assert ask(doors["host"], "post", code).status_code == 200
    rows = doors["host"].get(at).json()["results"]
    assert [row["kind"] for row in rows[:2]] == ["code-renewed", "code-renewed"]
    assert rows[0]["by"] == rows[1]["by"] is not None
    assert world.league.code not in str(rows)
    earlier = doors["host"].get(at, {"before": rows[0]["created_at"]}).json()["results"]
    assert earlier[0] == rows[1]
    assert doors["manage token"].get(at).json()["results"] == rows


def test_pages_contain_every_action_once(at: str, world: World, doors: dict[str, Client]) -> None:
    code = f"/api/v1/leagues/{world.league.pk}/join-code"
    with time_machine.travel(timezone.now(), tick=False):  # several actions with the same time
        for _ in range(3):
            ask(doors["host"], "post", code)
    whole = doors["host"].get(at).json()
    pages = [doors["host"].get(at, {"page_size": 2}).json()]
    while pages[-1]["next"]:
        pages.append(doors["host"].get(pages[-1]["next"]).json())
    assert [row for page in pages for row in page["results"]] == whole["results"]
    assert {(page["previous"], whole["next"]) for page in pages} == {(None, None)}


@pytest.mark.parametrize("cursor", ["x", "WzFd", "WyIyMDI2LTAxLTAxIiwtMV0=", "bnVsbA=="])
def test_malformed_cursor_is_refused(at: str, doors: dict[str, Client], cursor: str) -> None:
    assert reported_errors(doors["host"].get(at, {"cursor": cursor})) == [("cursor", "bad-cursor")]


def test_only_hosts_can_read_the_activity_log(at: str, doors: dict[str, Client]) -> None:
    turned_away(doors, "get", at, wrong="scorekeeper")


@pytest.mark.parametrize("before", ["yesterday", "2026-01-01", "2026-01-01T00:00:00"])
def test_invalid_time_is_refused(at: str, doors: dict[str, Client], before: str) -> None:
    assert reported_errors(doors["host"].get(at, {"before": before})) == [("before", "bad-time")]
    assert reported_errors(doors["host"].get(at, {"before": ""})) == [("before", "missing")]
