"""Lists that are computed as a whole have a single page, unless `page_size` is given."""

from typing import Any

import pytest
from django.test import Client

from api.http.paging import encode_cursor
from api.openapi.reference import document
from api.openapi.schema import operations
from league.models import Role
from league.stats.count import count_marked
from tests.helpers.api.clients import ask, member, reported_errors
from tests.helpers.api.routes import bodies
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import holdem

pytestmark = pytest.mark.django_db


def test_every_list_accepts_page_parameters() -> None:
    schemas = document()["components"]["schemas"]
    pages = {f"#/components/schemas/{name}" for name in schemas if "next" in _keys(schemas[name])}
    for path, verb, operation in operations(document()):
        content = operation["responses"].get("200", {}).get("content", {})
        shape = content.get("application/json", {}).get("schema", {}).get("$ref")
        if verb == "get" and shape in pages:
            names = {each["name"] for each in operation["parameters"]}
            assert {"cursor", "page_size"} <= names, path


def _keys(schema: dict[str, Any]) -> set[str]:
    return set(schema.get("properties", ()))


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/games",
        "/api/v1/feeds",
        "/api/v1/seasons/{season}/standings",
        "/api/v1/seasons/{season}/table",
        "/api/v1/leagues/{league}/charts",
        "/api/v1/leagues/{league}/charts/nights/rows",
        "/api/v1/leagues/{league}/feeds/standings",
    ],
)
def test_short_list_can_be_paged_in_both_directions(path: str, world: World) -> None:
    count_marked(world.league.pk)
    path = path.format(season=world.night.season_id, league=world.league.pk)
    client = member(world.league, Role.VIEWER)
    whole = client.get(path).json()
    assert (whole["next"], whole["previous"]) == (None, None)
    pages = [client.get(path, {"page_size": 1}).json()]
    while (following := pages[-1]["next"]) and len(pages) < 5:
        pages.append(client.get(following).json())
    rows = [row for page in pages for row in page["results"]]
    assert rows == whole["results"][: len(rows)]
    assert len(rows) == min(5, len(whole["results"])) > 1
    if "feeds/" not in path:  # feeds can only be read forward
        assert client.get(pages[1]["previous"]).json()["results"] == pages[0]["results"]


@pytest.mark.parametrize("cursor", ["x", encode_cursor([-1]), encode_cursor([True]), "W10="])
def test_malformed_cursor_is_refused(cursor: str) -> None:
    answer = Client().get("/api/v1/games", {"cursor": cursor})
    assert reported_errors(answer) == [("cursor", "bad-cursor")]


def test_errors_use_the_field_names_from_the_request_body(world: World) -> None:
    """Internally the payouts are called `parts`."""
    host = member(world.league, Role.HOST)
    body = bodies(world)["night-tournaments", "post"] | {"payouts": [60, 60]}
    answer = ask(host, "post", f"/api/v1/nights/{world.night.pk}/tournaments", body)
    assert reported_errors(answer) == [("payouts", "bad-parts")]
    assert [each["pointer"] for each in answer.json()["errors"]] == ["#/payouts"]


def test_settle_errors_point_into_the_record() -> None:
    record = holdem(players=[{"name": "ann", "paid": -1}])
    errors = ask(Client(), "post", "/api/v1/settle", record).json()["errors"]
    assert "#/players/0/paid" in {each["pointer"] for each in errors}
