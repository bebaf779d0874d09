"""Invalid input is rejected with our own messages on the right field and no server errors."""

import json
from uuid import uuid4

import pytest
from django.test import Client

from api.openapi.reference import document
from league.closing.close import Decisions, close_night
from league.common.errors import IdReusedError
from league.models import Closing, Role
from league.nights.opening import open_night
from tests.helpers.api.clients import member, refusal, reported_errors, send
from tests.helpers.league.house_games import CROSS
from tests.helpers.league.leagues import a_league, a_night

pytestmark = pytest.mark.django_db
BY_HANDS = Decisions(by_hands=True)


# --- a closing's id -----------------------------------------------------------------------------


def test_closing_id_cannot_be_reused_for_a_different_night() -> None:
    first, closing_id = a_night(), uuid4()
    close_night(first, closing_id, by=None, decisions=BY_HANDS)
    for night in (open_night(first.league), a_night()):
        with pytest.raises(IdReusedError):
            close_night(night, closing_id, by=None, decisions=BY_HANDS)
    assert Closing.objects.count() == 1


def test_page_and_api_refuse_a_closing_id_from_another_night() -> None:
    first, closing_id = a_night(), uuid4()
    close_night(first, closing_id, by=None, decisions=BY_HANDS)
    night = open_night(first.league)
    host = member(first.league, Role.HOST)
    body = {"id": str(closing_id), "by_hands": True}
    refusal(send(host, f"/api/v1/nights/{night.pk}/closing", body), 409)
    page = host.post(
        f"/nights/{night.pk}/close", {"key": str(closing_id), "missing": 0, "by_hands": "on"}
    )
    assert page.status_code == 400
    assert b"already saved with other values" in page.content


# --- error messages -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"\xff", "invalid UTF-8"),
        (b'{"id": ' + b"9" * 5_000 + b"}", "too many digits"),
    ],
)
def test_error_messages_do_not_quote_python_exceptions(body: bytes, message: str) -> None:
    problem = refusal(send(Client(), "/api/v1/settle", body), 400)
    assert message in problem["detail"]
    assert "codec" not in problem["detail"]
    assert "sys." not in problem["detail"]


def test_truncated_season_file_reveals_nothing_about_this_database() -> None:
    league = a_league()
    host = member(league, Role.HOST)
    head = json.dumps({"format": "dealers-choice season", "version": 1})
    for row in ({"row": "Season", "id": "x"}, {"row": "Player"}):
        answer = host.post(
            f"/api/v1/leagues/{league.pk}/season-file",
            f"{head}\n{json.dumps(row)}\n",
            content_type="application/x-ndjson",
        )
        assert answer.status_code == 400
        for word in ("DETAIL", "constraint", "Error", "league_", "Key ("):
            assert word not in answer.content.decode()


# --- parameters and methods ---------------------------------------------------------------------


def test_empty_parameter_is_reported() -> None:
    league = a_league()
    client = member(league, Role.VIEWER)
    at = f"/api/v1/leagues/{league.pk}/charts/nights"
    for name in ("season", "size", "look", "inline", "game"):
        assert (name, "missing") in reported_errors(client.get(f"{at}?{name}=")), name
    assert reported_errors(client.get("/api/v1/nights?fields=")) == [("fields", "missing")]


def test_flag_parameter_can_be_empty() -> None:
    record = {"variant": "x"}
    problem = refusal(send(Client(), "/api/v1/settle?brief=true", record), 400)
    assert "brief" not in json.dumps(problem["errors"])


def test_api_reference_responds_to_every_method() -> None:
    client = Client()
    for method in ("options", "post", "put", "patch", "delete", "trace"):
        answer = getattr(client, method)("/api/v1/reference")
        assert answer.status_code in (200, 405), method
    refusal(client.post("/api/v1/reference"), 405)
    assert client.get("/api/v1/reference")["Content-Type"].startswith("text/html")


# --- the schema ---------------------------------------------------------------------------------


def test_schema_describes_chart_rows_as_an_array() -> None:
    schemas = document()["components"]["schemas"]
    schema = schemas["ChartRowPage"]["properties"]["results"]
    assert (schema["type"], schema["items"]["$ref"].rpartition("/")[2]) == ("array", "ChartRow")
    assert schemas["ChartRow"]["type"] == "object"


def test_webhook_secret_is_optional_in_responses() -> None:
    """The secret is shown once and never stored. A request with a repeated id gets no secret."""
    assert "secret" not in document()["components"]["schemas"]["WebhookWithSecret"]["required"]
    league = a_league()
    host = member(league, Role.HOST)
    body = {"id": str(uuid4()), "url": "https://hooks.example.org/board"}
    first, again = (send(host, f"/api/v1/leagues/{league.pk}/webhooks", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert "secret" in first.json()
    assert "secret" not in again.json()


def test_game_sent_as_a_single_multi_line_string_is_accepted() -> None:
    answer = send(Client(), "/api/v1/games/check", {"text": CROSS})
    assert answer.status_code == 200
