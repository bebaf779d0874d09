"""seasons/{id}/achievements: the recap's sentences and the facts behind them."""

import pytest
from django.test import Client

from league.stats.count import count_marked
from league.stats.figures.achievements import achievements
from league.stats.scopes import of_season
from tests.helpers.api.clients import reported_errors, turned_away
from tests.helpers.api.sample_league import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(world: World) -> str:
    while count_marked(world.league.pk):
        pass
    return f"/api/v1/seasons/{world.night.season_id}/achievements"


def test_achievements_match_the_achievements_on_the_pages(
    at: str, world: World, doors: dict[str, Client]
) -> None:
    results = doors["viewer"].get(at).json()["results"]
    read = achievements(of_season(world.night.season))
    assert read
    keys = ("code", "title", "sentence", "facts", "of_the_table")
    for result, achievement in zip(results, read, strict=True):
        assert {key: result[key] for key in keys} == {
            key: getattr(achievement, key) for key in keys
        }
        assert result["requirement"] == achievement.takes
        assert result["player"] == str(achievement.player)
        assert result["player_name"] == achievement.name
    [best] = [achievement for achievement in results if achievement["code"] == "best-hand"]
    assert best["hand"]
    assert best["cards"]


def test_achievements_require_membership(at: str, world: World, doors: dict[str, Client]) -> None:
    turned_away(doors, "get", at, wrong="")


def test_unknown_parameter_is_reported(at: str, doors: dict[str, Client]) -> None:
    assert reported_errors(doors["viewer"].get(f"{at}?game=omaha-8"))
    assert reported_errors(doors["viewer"].get(f"{at}?season={'0' * 32}"))


def test_unchanged_achievements_return_not_modified(at: str, doors: dict[str, Client]) -> None:
    answer = doors["viewer"].get(at)
    again = doors["viewer"].get(at, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
