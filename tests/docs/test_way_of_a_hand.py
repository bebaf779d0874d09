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


PATH = re.compile(r"`((?:api|league|ledger|rules)/[\w/]*\.py)(?::(\w+))?`")


def steps() -> str:
    text = (ROOT / "docs" / "architecture.md").read_text()
    return text.partition("1. **Send.**")[2].partition("**When it branches.**")[0]


def listed(source: str) -> set[str]:
    """Return the files in all steps, except files for the other source."""
    start, of_form, of_json, rest = re.split(
        r"from a form in|Or from JSON in|Then:", steps(), maxsplit=3
    )
    chosen = start + {"form": of_form, "json": of_json}[source] + rest
    return {path for path, _function in PATH.findall(chosen)}


@pytest.mark.parametrize("source", ["form", "json"])
def test_hand_passes_through_exactly_the_documented_files(
    traces: dict[str, Any], source: str
) -> None:
    passed = {*traces[source]["view"], *traces[source]["writer"]}
    assert passed == listed(source)
    assert len(passed) <= MOST_FILES


def test_documented_steps_refer_to_existing_functions() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    named = [(path, function) for path, function in PATH.findall(text) if function]
    assert len(named) > 20
    for path, function in named:
        assert f"def {function}(" in (ROOT / path).read_text(), function


@pytest.mark.parametrize("source", ["form", "json"])
def test_only_verdict_and_revision_contain_the_record(traces: dict[str, Any], source: str) -> None:
    assert traces[source]["carriers"] == ["Revision", "Verdict"]
