"""GET leagues/{id}/logbook: who did what, for hosts and those who manage in their name."""

import pytest
from django.test import Client

from tests.helpers.api.clients import ask, turned_away, wrong
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/leagues/{world.league.pk}/logbook"


def test_what_the_api_did_is_told_with_who_did_it(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    code = f"/api/v1/leagues/{world.league.pk}/code"
    for _ in range(2):
        assert ask(doors["host"], "post", code).status_code == 200
    rows = doors["host"].get(at).json()["results"]
    assert [row["kind"] for row in rows[:2]] == ["code-renewed", "code-renewed"]
    assert rows[0]["by"] == rows[1]["by"] is not None
    assert world.league.code not in str(rows)
    earlier = doors["host"].get(at, {"before": rows[0]["at"]}).json()["results"]
    assert earlier[0] == rows[1]
    assert doors["manage token"].get(at).json()["results"] == rows


def test_others_read_no_logbook(at: str, doors: dict[str, Client]) -> None:
    turned_away(doors, "get", at, wrong="scorekeeper")


@pytest.mark.parametrize("before", ["yesterday", "2026-01-01", "2026-01-01T00:00:00"])
def test_a_moment_that_is_none_is_refused(at: str, doors: dict[str, Client], before: str) -> None:
    assert wrong(doors["host"].get(at, {"before": before})) == [("before", "bad-time")]
    assert wrong(doors["host"].get(at, {"before": ""})) == [("before", "missing")]
