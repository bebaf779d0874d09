"""GET /api/v1/{leagues,seasons,players}/{id}/charts, .../{name} and .../{name}/rows"""

from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.test import Client

from league.charts.catalog import KINDS, ChartSubject
from league.charts.rendering import documents_of
from league.charts.vega.theme import THEMES
from league.models import RenderedChart
from league.recording.record import record_hand
from league.stats.luck import find_luck
from tests.helpers.api.clients import refusal, reported_errors, someone
from tests.helpers.api.sample_league import World, link_to
from tests.helpers.league.histories import heads_up
from tests.helpers.league.stats_rows import count_all

pytestmark = pytest.mark.django_db
GAME = "texas-holdem"
OWNERS = ("leagues", "seasons", "players")
CHARTS = [
    (owner, each)
    for owner in OWNERS
    for each in KINDS
    if (each.of == ChartSubject.PLAYER) == (owner == "players")
]


@pytest.fixture(autouse=True)
def all_in(world: World) -> None:
    """Record aces against kings, all in after the turn, which gives the chart a row."""
    record_hand(world.night, uuid4(), heads_up(), by=None)
    count_all(world.league)
    find_luck(world.league.pk, deals=5)


def at(world: World, owner: str, rest: str = "") -> str:
    key = world.ids()[f"{owner[:-1]}_id"]
    return f"/api/v1/{owner}/{key}/charts{rest}"


@pytest.mark.parametrize(("owner", "kind"), CHARTS)
def test_chart_with_a_data_url_matches_the_chart_with_inline_rows(
    owner: str, kind: Any, world: World, doors: dict[str, Client]
) -> None:
    query = f"?size=narrow{f'&game={GAME}' if kind.of == ChartSubject.GAME else ''}"
    viewer = doors["viewer"]
    body = viewer.get(at(world, owner, f"/{kind.name}{query}")).json()
    whole = viewer.get(at(world, owner, f"/{kind.name}{query}&inline=true")).json()
    address = urlsplit(body["data"]["url"])
    assert body["data"]["format"] == {"type": "json", "property": "results"}
    rows = viewer.get(f"{address.path}?{address.query}").json()["results"]
    assert rows
    body["data"] = {"values": rows}
    assert body == whole


PAGES = {
    "seasons": "/seasons/{season_id}",
    "leagues": "/leagues/{league_id}/stats",
    "players": "/players/{player_id}",
    "game": f"/leagues/{{league_id}}/stats/game?game={GAME}",
}


@pytest.mark.parametrize("page", PAGES)
def test_charts_match_the_charts_on_the_page(
    page: str, world: World, doors: dict[str, Client]
) -> None:
    viewer = doors["viewer"]
    assert viewer.get(PAGES[page].format(**world.ids())).status_code == 200
    drawn = [documents_of(chart) for chart in RenderedChart.objects.filter(league=world.league)]
    owner, of = ("leagues", ChartSubject.GAME) if page == "game" else (page, None)
    kinds = [
        chart
        for got, chart in CHARTS
        if got == owner and (chart.of == ChartSubject.GAME) == bool(of)
    ]
    for kind in kinds:
        query = "?look=plain&inline=true" + (f"&game={GAME}" if of else "")
        address = at(world, owner, f"/{kind.name}{query}")
        documents = {
            size: viewer.get(f"{address}&size={size}").json() for size in ("narrow", "wide")
        }
        assert documents in drawn, kind.name
    assert len(drawn) == len(kinds)


@pytest.mark.parametrize("owner", OWNERS)
def test_chart_list_links_to_its_charts(owner: str, world: World, doors: dict[str, Client]) -> None:
    results = doors["viewer"].get(at(world, owner)).json()["results"]
    assert [chart["name"] for chart in results] == [
        chart.name for got, chart in CHARTS if got == owner
    ]
    for chart in results:
        path = urlsplit(chart["address"]).path
        query = f"?game={GAME}" if chart["of"] == "game" else ""
        assert doors["viewer"].get(path + query).status_code == 200


@pytest.mark.parametrize("rest", ["", "/nights", "/nights/rows"])
@pytest.mark.parametrize("owner", OWNERS)
def test_outsiders_cannot_see_whether_charts_exist(owner: str, rest: str, world: World) -> None:
    refusal(someone().get(at(world, owner, rest)), 404)
    refusal(Client().get(at(world, owner, rest)), 401)


def test_season_chart_contains_only_that_season(world: World, doors: dict[str, Client]) -> None:
    read = doors["read token"]
    rows = read.get(at(world, "seasons", "/nights/rows")).json()
    season = world.night.season_id
    for owner in ("leagues", "players"):
        assert read.get(at(world, owner, f"/nights/rows?season={season}")).status_code == 200
    assert read.get(at(world, "leagues", f"/nights/rows?season={season}")).json() == rows


def test_chart_read_with_a_feed_key_includes_the_key_in_its_data_url(world: World) -> None:
    key = link_to(world.league)
    body = Client().get(f"{at(world, 'leagues', '/games')}?key={key}&look=dark").json()
    address = urlsplit(body["data"]["url"])
    assert Client().get(f"{address.path}?{address.query}").json()["results"]


def test_chart_uses_the_requested_theme_or_none(world: World, doors: dict[str, Client]) -> None:
    address = at(world, "leagues", "/games?look=")
    documents = {look: doors["viewer"].get(address + look).json() for look in (*THEMES, "plain")}
    assert documents["light"]["config"] != documents["dark"]["config"]
    assert "config" not in documents["plain"]


@pytest.mark.parametrize(
    ("rest", "where"),
    [
        ("/winners", ("game", "missing")),
        ("/winners?game=%00", ("game", "wrong-type")),
        ("/nights?season=00000000-0000-4000-8000-000000000000", ("season", "unknown-season")),
        ("/nights?season=x", ("season", "wrong-type")),
        ("/nights?size=huge", ("size", "wrong-type")),
        ("/nights?look=pink", ("look", "wrong-type")),
        ("/nights?inline=1", ("inline", "wrong-type")),
        ("/nights?fields=data", ("fields", "unknown-parameter")),
        ("/nights/rows?look=dark", ("look", "unknown-parameter")),
    ],
)
def test_invalid_chart_request_is_refused_with_the_reason(
    rest: str, where: tuple[str, str], world: World, doors: dict[str, Client]
) -> None:
    assert reported_errors(doors["viewer"].get(at(world, "leagues", rest))) == [where]


@pytest.mark.parametrize("rest", ["/nonsense", "/seats", "/nonsense/rows"])
def test_unknown_chart_is_not_found(rest: str, world: World, doors: dict[str, Client]) -> None:
    refusal(doors["viewer"].get(at(world, "leagues", rest)), 404)
