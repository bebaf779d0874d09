"""docs/feeds.md and its dashboard ask for what the feeds have."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from league.stats.update.count import count_marked
from tests.helpers.api.sample_league import a_world, link_to

DOCS = Path(__file__).parents[2] / "docs"
DASHBOARD: dict[str, Any] = json.loads((DOCS / "grafana.json").read_text("utf-8"))
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
TYPES = {"string": str, "number": int, "boolean": bool, "timestamp": str}


def test_the_dashboard_asks_for_its_source_and_the_league() -> None:
    """Grafana's dashboard model: the variables that panels use are declared."""
    declared = {each["name"]: each["type"] for each in DASHBOARD["templating"]["list"]}
    assert declared == {"source": "datasource", "league": "textbox"}
    used = set(re.findall(r"\$\{(\w+)[}:]", json.dumps(PANELS)))
    assert used - {"__from", "__to"} == set(declared)
    assert DASHBOARD["schemaVersion"] >= 36


def test_panels_stand_side_by_side_with_ids_of_their_own() -> None:
    assert len({each["id"] for each in PANELS}) == len(PANELS)
    cells = [
        (x, y)
        for at in (each["gridPos"] for each in PANELS)
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


@pytest.mark.django_db
@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel["title"]))
def test_a_panel_reads_columns_that_its_feed_has(panel: dict[str, Any]) -> None:
    world = a_world()
    count_marked(world.league.pk)
    [target] = panel["targets"]
    at = target["url"].replace("${league}", str(world.league.pk))
    times = {"${__from:date:iso}": "2020-01-01T00:00:00.000Z"}
    times["${__to:date:iso}"] = "2100-01-01T00:00:00.000Z"
    told = {each["key"]: each["value"] for each in target["url_options"]["params"]}
    asked = {key: times.get(value, value) for key, value in told.items()}
    answer = Client().get(at, asked | {"key": link_to(world.league)})
    assert answer.status_code == 200, getattr(answer, "content", b"")
    rows = _rows(answer, target)
    assert rows
    for column in target["columns"]:
        values = {row[column["selector"]] for row in rows}
        if target["type"] == "csv" and column["type"] == "number":
            assert all(re.fullmatch(r"-?\d+", each) for each in values), column
        elif target["type"] == "json":
            assert all(isinstance(each, TYPES[column["type"]]) for each in values), column


def _rows(answer: Any, target: dict[str, Any]) -> list[dict[str, Any]]:
    if target["type"] == "csv":
        return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    found: list[dict[str, Any]] = answer.json()[target["root_selector"]]
    return found


def test_the_dashboard_names_no_place() -> None:
    text = json.dumps(DASHBOARD)
    assert "http" not in text
    with pytest.raises(ValueError, match="badly formed"):
        UUID(DASHBOARD["templating"]["list"][1]["query"])
