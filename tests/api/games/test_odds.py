"""GET /api/v1/games/{slug}/odds and /api/v1/leagues/{id}/house-games/{slug}/odds"""

from typing import Any

import pytest
from django.test import Client

from league.games import odds
from league.games.odds import find as find_odds
from league.models import Odds, Role
from tests.helpers.api.clients import member, refusal, turned_away
from tests.helpers.api.sample_league import at_the_door
from tests.helpers.league.house_games import a_house_game
from tests.helpers.league.leagues import a_night

pytestmark = pytest.mark.django_db
HOLDEM = "/api/v1/games/texas-holdem/odds"


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "DEALS", 200)


def odds_at(client: Client, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return answer


def test_odds_are_pending_until_a_worker_computes_them() -> None:
    first = odds_at(Client(), f"{HOLDEM}?players=4")
    assert (first.json()["state"], first.json()["found"]) == ("wanted", None)
    assert int(first["Retry-After"]) > 0
    find_odds(Odds.objects.get().deal)
    response = odds_at(Client(), f"{HOLDEM}?players=4")
    assert "Retry-After" not in response
    assert (response.json()["state"], response.json()["players"]) == ("found", 4)
    [share] = response.json()["found"]["shares"]
    assert sum(each["rate"] for each in share["won_by"]) == pytest.approx(1)


def test_modifiers_are_separated_by_commas() -> None:
    odds_at(Client(), f"{HOLDEM}?with=two-row,buy-a-card")
    assert Odds.objects.get().wanted["modifiers"] == ["two-row", "buy-a-card"]


@pytest.mark.parametrize(
    ("query", "where"),
    [("players=1", "players"), ("players=x", "players"), ("with=no-such", "with")],
)
def test_odds_for_an_impossible_deal_are_refused(query: str, where: str) -> None:
    errors = refusal(Client().get(f"{HOLDEM}?{query}"), 400)["errors"]
    assert [each["where"] for each in errors] == [where]
    assert not Odds.objects.exists()


def test_unknown_game_has_no_odds() -> None:
    refusal(Client().get("/api/v1/games/texas-foldem/odds"), 404)


def test_full_queue_reports_when_to_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "MOST_WAITING", 0)
    answer = odds_at(Client(), HOLDEM)
    assert answer.json()["state"] == "busy"
    assert int(answer["Retry-After"]) > 0


def test_only_members_can_read_the_odds_of_a_house_game() -> None:
    night = a_night()
    game = a_house_game(night)
    at = f"/api/v1/leagues/{night.league.pk}/house-games/{game.slug}/odds"
    assert odds_at(member(night.league, Role.VIEWER), at).json()["state"] == "wanted"
    assert Odds.objects.get().wanted["document"]["name"] == "Grandma's Cross"
    turned_away(at_the_door(night.league), "get", at, wrong="")
