"""GET /api/v1/games, /api/v1/games/{slug} and /api/v1/games/schema"""

from django.test import Client

from rules.documents import catalog
from rules.game.schema import json_schema
from tests.helpers.api.clients import refusal


def test_anyone_reads_the_games() -> None:
    told = Client().get("/api/v1/games").json()["results"]
    assert [each["slug"] for each in told] == list(catalog.slugs())
    holdem = next(each for each in told if each["slug"] == "texas-holdem")
    assert holdem["name"] == "Texas Hold'em"
    assert holdem["players"][0] == 2


def test_a_game_shows_its_document_its_form_and_its_rules() -> None:
    for slug in catalog.slugs():
        told = Client().get(f"/api/v1/games/{slug}").json()
        assert told["document"] == catalog.document(slug)
        assert told["form"]["game"] == slug
        assert told["rules"]["sections"]


def test_a_game_that_is_not_there_is_not_found() -> None:
    for slug in ("texas-foldem", "x" * 10_000, "%00", "..%2f"):
        refusal(Client().get(f"/api/v1/games/{slug}"), 404)


def test_anyone_reads_the_schema_of_a_document() -> None:
    told = Client().get("/api/v1/games/schema").json()
    assert told == json_schema()
    assert "shares" in told["properties"]
