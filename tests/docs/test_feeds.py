"""The panels of docs/grafana.json read existing feeds."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models import F
from django.test import Client

from league.closing.standings import standings
from league.models import HandFact, League, Night, PlayerTally
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.api.grafana import Frame, transformed
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import closed
from tests.helpers.league.seasons import a_season

DOCS = Path(__file__).parents[2] / "docs"
DASHBOARD: dict[str, Any] = json.loads((DOCS / "grafana.json").read_text("utf-8"))
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
READ = {"string": str, "number": int, "boolean": {"true": True, "false": False}.__getitem__}
READ["timestamp"] = str


def test_dashboard_declares_the_variables_used_in_its_panels() -> None:
    """In Grafana's dashboard model, variables used by panels must be declared."""
    declared = {each["name"]: each["type"] for each in DASHBOARD["templating"]["list"]}
    assert declared == {"source": "datasource", "league": "textbox"}
    used = set(re.findall(r"\$\{(\w+)[}:]", json.dumps(PANELS)))
    assert used - {"__from", "__to"} == set(declared)
    assert DASHBOARD["schemaVersion"] >= 36


def test_panels_are_side_by_side_with_unique_ids() -> None:
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    cells = [
        (x, y)
        for at in (panel["gridPos"] for panel in PANELS)
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_transformations_produce_the_same_frames_as_grafana() -> None:
    """`made_by` in the file is the name of the program that computed the expected frames."""
    data = json.loads((Path(__file__).parent / "grafana_frames.json").read_text("utf-8"))
    made = {each["title"]: [transformed(each, data["rows"][each["title"]])] for each in PANELS}
    assert made == data["frames"]
    assert made["Chips by player and game"][0]["holdem"] == [55, -55, 0]


@pytest.mark.django_db
def test_every_panel_draws_the_correct_figures() -> None:
    """The data has two seasons, and hands with and without cards, to detect mixed-up rows."""
    league = a_season(a_night())
    league.seasons.update(ends_on=F("starts_on"))  # the next night begins a new season
    later = open_night(league, players=list(league.players.filter(name__in=("ann", "bob"))))
    for player in league.players.filter(name__in=("ann", "bob")):
        buy_in(later, player, 50, buy_in_id=uuid4(), by=None)
    _play(later)
    _play(later, RESULT)
    closed(later)
    count_marked(league.pk)
    frames = {panel["title"]: transformed(panel, _rows(panel, league)) for panel in PANELS}
    _by_game(frames["Chips by player and game"], league)
    _by_dealer(frames["Who names which game"], league)
    totals, nets = (
        frames[title] for title in ("Chips of the season, night by night", "Net by night")
    )
    for season in league.seasons.all():
        for standing in standings(season):
            assert standing.net in totals[standing.name]
    [at, *names] = nets
    assert at == "started_at\\player_name"
    for name in names:
        won = sum(
            s.net for season in league.seasons.all() for s in standings(season) if s.name == name
        )
        assert sum(nets[name]) == won


RESULT = {
    "variant": "texas-holdem",
    "depth": "result",
    "button": 1,
    "players": [{"name": "ann", "paid": 10}, {"name": "bob", "paid": 10}],
    "took": {"bob": 20},
}


def _play(night: Night, record: dict[str, Any] | None = None) -> None:
    record_hand(night, uuid4(), record or holdem(), by=None)


def _by_game(frame: Frame, league: League) -> None:
    players = frame["player_name\\game"]
    tallies = list(PlayerTally.objects.filter(night__season__league=league))
    assert len({(tally.player_id, tally.game) for tally in tallies}) < len(tallies)
    for name in (column for column in frame if column != "player_name\\game"):
        for player, net in zip(players, frame[name], strict=True):
            of_both = [e for e in tallies if e.game == name and e.player.name == player]
            assert net == sum(tally.net for tally in of_both)


def _by_dealer(frame: Frame, league: League) -> None:
    hands = HandFact.objects.filter(league=league, voided=False)
    counted = [sum(cells) for name, cells in frame.items() if name != "game\\dealer_name"]
    assert sum(counted) == hands.count() > 3


def _rows(panel: dict[str, Any], league: League) -> list[dict[str, Any]]:
    """Return the rows that Infinity reads for a panel, converted by their column types."""
    [target] = panel["targets"]
    at = target["url"].replace("${league}", str(league.pk))
    times = {"${__from:date:iso}": "2020-01-01T00:00:00.000Z"}
    times["${__to:date:iso}"] = "2100-01-01T00:00:00.000Z"
    parameters = {item["key"]: item["value"] for item in target["url_options"]["params"]}
    asked = {key: times.get(value, value) for key, value in parameters.items()}
    answer: Any = Client().get(at, asked | {"key": link_to(league)})
    assert answer.status_code == 200, answer.content
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert rows, panel["title"]
    return [
        {item["text"]: READ[item["type"]](row[item["selector"]]) for item in target["columns"]}
        for row in rows
    ]


def test_panels_read_csv_exports_rather_than_pages() -> None:
    """By default, Infinity follows a cursor for five pages and fails after the last page.

    An export is a single response.
    """
    assert {each["targets"][0]["url"].rpartition(".")[2] for each in PANELS} == {"csv"}


def test_dashboard_contains_no_host_name() -> None:
    text = json.dumps(DASHBOARD)
    assert "http" not in text
    with pytest.raises(ValueError, match="badly formed"):
        UUID(DASHBOARD["templating"]["list"][1]["query"])
