"""GET /api/v1/games, /api/v1/games/{slug} and /api/v1/games/schema"""

from django.test import Client

from rules.documents import catalog
from rules.game.schema import json_schema
from tests.helpers.api.clients import refusal


def test_catalog_games_are_public() -> None:
    results = Client().get("/api/v1/games").json()["results"]
    assert [each["slug"] for each in results] == list(catalog.slugs())
    holdem = next(each for each in results if each["slug"] == "texas-holdem")
    assert holdem["name"] == "Texas Hold'em"
    assert holdem["players"][0] == 2


def test_game_includes_its_document_form_and_rules() -> None:
    for slug in catalog.slugs():
        body = Client().get(f"/api/v1/games/{slug}").json()
        assert body["document"] == catalog.document(slug)
        assert body["form"]["game"] == slug
        assert body["rules"]["sections"]


def test_unknown_game_is_not_found() -> None:
    for slug in ("texas-foldem", "x" * 10_000, "%00", "..%2f"):
        refusal(Client().get(f"/api/v1/games/{slug}"), 404)


def test_game_document_schema_is_public() -> None:
    body = Client().get("/api/v1/games/schema").json()
    refusal(Client().get("/api/v1/games/schema?fields=title"), 400)
    assert body == json_schema()
    assert "shares" in body["properties"]
