"""`rename_players` changes every field in a record or an answer that names a player."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import rename_players, settle
from tests.helpers.stages import sample

VECTORS = Path(__file__).parents[2] / "vectors"
RECORDS = [
    line["record"]
    for path in sorted(VECTORS.rglob("*.jsonl"))
    for line in map(json.loads, path.read_text("utf-8").splitlines())
    if "errors" not in line.get("expect", {"errors": []})
]


def without_sentences(answer: dict[str, Any]) -> dict[str, Any]:
    findings = [{**each, "text": ""} for each in answer["findings"]]
    return answer | {"story": [], "findings": findings}


@pytest.mark.parametrize("record", sample(RECORDS, 200, json.dumps))
def test_renamed_record_has_the_renamed_answer(record: dict[str, Any]) -> None:
    """Settlements do not depend on player names."""
    called = {player["name"]: f"{player['name']} II" for player in record["players"]}
    renamed = rename_players(record, called)
    expected = without_sentences(rename_players(settle(record), called))
    assert without_sentences(settle(renamed)) == expected
    told = json.dumps([renamed["players"], expected])
    assert not any(f'"{name}"' in told for name in called)


def test_renaming_does_not_change_sentences_or_other_words() -> None:
    """A name may be one of the game's words. It is changed only where it refers to a player."""
    record = {"variant": "omaha-8", "options": {"declare": "high"}, "players": [{"name": "high"}]}
    assert rename_players(record, {"high": "low"}) == record | {"players": [{"name": "low"}]}


def test_renaming_leaves_an_invalid_record_unchanged() -> None:
    """External files may contain anything in place of names."""
    odd = {"players": 7, "took": ["x"], "shared": [None], "carried": 3, "tiebreaks": {"a": 1}}
    assert rename_players(odd, {"x": "y", "a": "b"}) == odd
