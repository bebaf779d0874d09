"""A hand passes through the files that docs/architecture.md lists ("The way of a hand")."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MOST_FILES = 25


@pytest.fixture(scope="module")
def traces() -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.helpers.league.traced_hand"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=300)
    traces: dict[str, Any] = json.loads(done.stdout)
    return traces


def listed(heading: str) -> list[str]:
    """Return the files of the list under this line of the document."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    [part] = re.findall(rf"^{heading}:\n\n((?:\* .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^\* `([^`]*)`", part, re.MULTILINE)


@pytest.mark.parametrize(("source", "heading"), [("form", "From the form"), ("json", "From JSON")])
def test_hand_passes_through_listed_files(
    traces: dict[str, Any], source: str, heading: str
) -> None:
    trace = traces[source]
    assert trace["view"] == listed(heading)
    assert trace["writer"] == listed("Then")
    assert len({*trace["view"], *trace["writer"]}) <= MOST_FILES


@pytest.mark.parametrize("source", ["form", "json"])
def test_only_verdict_and_revision_hold_the_record(traces: dict[str, Any], source: str) -> None:
    assert traces[source]["carriers"] == ["Revision", "Verdict"]
