"""docs/notebook.ipynb runs in its own kernel against a server, and draws correct figures."""

import json
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from pytest_django.live_server_helper import LiveServer

from league.models import HandFact
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.demo_season import MISTAKES, a_demo_season

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
DRAWN = ("net", "matrix", "luck", "hours")
SECONDS = 120


def test_committed_notebook_has_no_output() -> None:
    """The repository contains no league pictures and no output from a run."""
    data = json.loads(NOTEBOOK.read_text("utf-8"))
    cells = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
    assert {cell["execution_count"] for cell in cells} == {None}
    assert [cell["outputs"] for cell in cells] == [[]] * len(cells)
    nbformat.validate(nbformat.read(NOTEBOOK, as_version=4))


@pytest.mark.scheduled
@pytest.mark.django_db(transaction=True)
def test_notebook_draws_a_league(
    live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each drawing cell outputs one picture, which contains the recorded names and figures."""
    league = a_demo_season()
    environment = {"LEAGUE_SERVER": live_server.url, "LEAGUE_ID": str(league.pk)}
    environment |= {"LEAGUE_KEY": link_to(league)}
    environment |= {name: str(tmp_path) for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "HOME")}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    outputs = run()
    hands = HandFact.objects.filter(league=league, voided=False)
    nights = hands.values("night").distinct().count()
    summary = outputs["feeds"]["data"]["text/plain"]
    assert summary == f"'{nights} nights, {hands.count()} hands, 8 players'"
    pictures = {name: str(outputs[name]["data"]["image/svg+xml"]) for name in DRAWN}
    for name in ("net", "matrix", "luck"):
        assert all(f">{item.name}<" in pictures[name] for item in league.players.all()), name
    games = set(hands.values_list("game", flat=True))
    assert sum(f">{item}<" in pictures["matrix"] for item in games) == 12
    bars = re.findall(r"hour of the night: (\d+); rate: ([\d.]+)%", pictures["hours"])
    by_hour = [hands.filter(hour=int(hour) - 1) for hour, _ in bars]
    wrong = [item.filter(mistaken=True).count() for item in by_hour]
    assert sum(wrong) == MISTAKES
    for (_, rate), item, mistaken in zip(bars, by_hour, wrong, strict=True):
        assert float(rate) == pytest.approx(100 * mistaken / item.count(), abs=0.001)
    keep(pictures)


def run() -> dict[str, Any]:
    """Return each cell's outputs, by cell id."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=SECONDS).execute()
    return {
        cell["id"]: cell["outputs"][0]
        for cell in notebook.cells
        if cell["cell_type"] == "code" and cell["outputs"]
    }


def keep(pictures: dict[str, str]) -> None:
    """Store the pictures for the documentation under `make pictures`."""
    if folder := os.environ.get("PICTURES"):
        for name, picture in pictures.items():
            (Path(folder) / f"feeds-{name}.svg").write_text(f"{picture.strip()}\n", "utf-8")
