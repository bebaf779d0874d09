"""POST /api/v1/nights/{id}/sentence"""

from typing import Any

import pytest
from django.test import Client

from league.models import Hand, Night, Role
from tests.helpers.api.clients import member, refusal, reported_errors, send, someone
from tests.helpers.league.leagues import a_night

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """A night with ann, bob, cat and dan."""
    return a_night()


@pytest.fixture
def keeper(night: Night) -> Client:
    return member(night.league, Role.SCOREKEEPER)


def address(night: Night) -> str:
    return f"/api/v1/nights/{night.pk}/sentence"


def read_sentence(night: Night, client: Client, text: str, **more: Any) -> dict[str, Any]:
    body = {"text": text, "variant": "texas-holdem"} | more
    response = send(client, address(night), body)
    assert response.status_code == 200, response.content
    read: dict[str, Any] = response.json()
    return read


def test_sentence_is_parsed_without_storing_anything(night: Night, keeper: Client) -> None:
    read = read_sentence(night, keeper, "board As Kd 7h 7c 2s, ann AhKh, bob 77, 60 each")
    assert read["board"] == [["As", "Kd", "7h", "7c", "2s"]]
    assert (read["depth"], read["all_paid"], read["marks"]) == ("showdown", 60, [])
    players = {player["name"]: player for player in read["players"]}
    assert players["ann"]["down"] == ["Ah", "Kh"]
    assert players["bob"]["down"] == ["7d", "7s"]
    assert (players["cat"]["state"], players["dan"]["state"]) == ("folded", "folded")
    assert not Hand.objects.exists()


def test_mark_positions_are_in_code_points(night: Night, keeper: Client) -> None:
    text = "\U0001f0a1 ann folds, zed wins"
    marks = read_sentence(night, keeper, text)["marks"]
    assert marks == [
        {"start": 13, "end": 16, "text": "zed", "code": "unknown-word", "players": []},
        {"start": 17, "end": 21, "text": "wins", "code": "no-player", "players": []},
    ]


def test_named_hands_determine_the_winner_of_a_result(night: Night, keeper: Client) -> None:
    """Ruling 3: the odd chip goes to the high. An eight-low qualifies in Omaha-8."""
    text = "ann kings and nines, bob mucks, cat 8 low, dan folds, pot 45"
    read = read_sentence(night, keeper, text, variant="omaha-8")
    assert (read["depth"], read["pot"]) == ("result", 45)
    players = {player["name"]: player for player in read["players"]}
    assert (players["ann"]["took"], players["cat"]["took"]) == (23, 22)
    assert players["ann"]["hands"] == [{"category": "two-pair", "ranks": ["K", "9"]}]
    assert players["bob"]["state"] == "mucked"


def test_modifiers_and_options_change_the_form(night: Night, keeper: Client) -> None:
    board = "board 2h7d9sJdQc Ah5d6s8dTc, ann low"
    options = {"declare": "high-low"}
    read = read_sentence(
        night, keeper, board, variant="omaha-8", modifiers=["two-row"], options=options
    )
    assert [len(row) for row in read["board"]] == [5, 5]
    assert read["players"][0]["declared"] == "low"
    assert not read["marks"]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"variant": "no-such-game"}, ("variant", "bad-game")),
        ({"variant": 7}, ("variant", "wrong-type")),
        ({"modifiers": ["no-such-modifier"]}, ("modifiers", "bad-game")),
        ({"options": {"no-such-option": 1}}, ("options/no-such-option", "unknown-option")),
        ({"options": []}, ("options", "wrong-type")),
        ({"text": "x" * 1001}, ("text", "too-long")),
        ({"text": ""}, ("text", "missing")),
        ({"record": {}}, ("record", "unknown-key")),
    ],
)
def test_invalid_body_is_rejected(
    night: Night, keeper: Client, changes: dict[str, Any], error: tuple[str, str]
) -> None:
    body = {"text": "ann wins", "variant": "texas-holdem"} | changes
    response = send(keeper, address(night), body)
    assert response.status_code == 400
    assert error in reported_errors(response)


def test_sentence_for_another_league_returns_404(night: Night) -> None:
    refusal(send(someone(), address(night), {"text": "ann wins", "variant": "texas-holdem"}), 404)
