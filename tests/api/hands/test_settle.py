"""POST /api/v1/settle"""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from rules import settle
from tests.helpers.api.clients import refusal, reported_errors, send
from tests.helpers.api.vectors import PARAMETERS, body
from tests.helpers.league.leagues import holdem

ADDRESS = "/api/v1/settle"


def test_anyone_can_settle_a_hand() -> None:
    """The test has no database access, so it fails if anything is stored."""
    response = send(Client(), ADDRESS, holdem())
    assert response.status_code == 200
    assert response.json() == json.loads(json.dumps(settle(holdem())))


def test_brief_answer_omits_hands_story_and_reasons() -> None:
    body = send(Client(), f"{ADDRESS}?brief=true", holdem()).json()
    assert body["won"] == {"ann": 20, "bob": 0}
    assert not {"hands", "story", "reasons"} & body.keys()


@pytest.mark.parametrize("line", PARAMETERS)
def test_every_error_is_reported_with_its_path(line: dict[str, Any]) -> None:
    assert (line["where"], line["code"]) in reported_errors(send(Client(), ADDRESS, body(line)))


def test_invalid_record_causes_only_the_expected_error() -> None:
    """Each record in the table is wrong in exactly one way and causes only that error."""
    for line in (item.values[0] for item in PARAMETERS):
        errors = reported_errors(
            send(Client(REMOTE_ADDR=f"192.0.2.{id(line) % 250}"), ADDRESS, body(line))
        )
        inside = [item for item in errors if not item[0].startswith(f"{line['where']}/")]
        assert inside == [(line["where"], line["code"])], line


@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * 10_000])
def test_response_is_valid_json_for_any_player_name(text: str) -> None:
    record = holdem()
    record["players"][0]["name"] = text
    response = send(Client(), ADDRESS, record)
    assert response.status_code in {200, 400}
    json.loads(response.content)


@pytest.mark.parametrize(
    "changes",
    [
        {"board": ["a b c"] * 10_000},
        {"deal": ["5 down"] * 100_000},
        {"shares": ["high"] * 10_000},
        {"hand": [" + ".join(["1 down"] * 100_000)]},
        {"name": "x" * 10_000},
        {"name": "\0"},
        {"name": "\ud800"},
        {"options": {f"o{number}": ["a", "b"] for number in range(10_000)}},
        {"deal": [["5 down"]]},
    ],
)
def test_invalid_inline_game_is_refused(changes: dict[str, Any]) -> None:
    game = {"name": "Mine", "deal": ["5 down"], "hand": ["all down"], "shares": ["high"]}
    errors = reported_errors(send(Client(), ADDRESS, holdem(variant=game | changes)))
    assert all(where.startswith("variant") for where, _ in errors)


def test_game_with_a_million_lines_in_its_deal_is_too_large() -> None:
    game = {"name": "Mine", "deal": ["5 down"] * 1_000_000}
    refusal(send(Client(), ADDRESS, holdem(variant=game)), 413)


@pytest.mark.parametrize("sent", ["", "[]", "null", "7", '"x"'])
def test_body_that_is_not_a_record_is_refused(sent: str) -> None:
    assert reported_errors(send(Client(), ADDRESS, sent))


def test_ten_megabyte_body_is_too_large() -> None:
    refusal(send(Client(), ADDRESS, holdem(note="x" * 10_000_000)), 413)


def test_rate_limit_reports_when_to_retry(settings: Settings) -> None:
    settings.API_RATES = {**settings.API_RATES, "settle": "120/min"}
    cache.clear()
    client = Client()
    responses = [send(client, ADDRESS, "{}") for _ in range(121)]
    assert {each.status_code for each in responses[:120]} == {400}
    refusal(responses[120], 429)
    assert 0 < int(responses[120]["Retry-After"]) <= 60


def test_get_is_not_allowed() -> None:
    refusal(Client().get(ADDRESS), 405)
