"""docs/record.md is correct: every key in records and answers, and the golden hands."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.rules.schemas import SCHEMAS, validator
from tests.helpers.rules.vectors import FOLDER, SETTLED, lines_of
from tests.helpers.stages import sample

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")
HISTORY = {"actions", "stacks", "stakes", "about"}
NEVER = "never"


def tables_of(heading: str) -> list[dict[str, list[str]]]:
    """Return the rows in a section's tables, by each key in their first column."""
    [section] = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    tables = []
    for text in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        rows = [
            [cell.strip() for cell in line.strip("|\n").split(" | ")] for line in text.splitlines()
        ]
        tables.append({key: row for row in rows[2:] for key in re.findall(r"`(\w+)`", row[0])})
    return tables


def keys_of(name: str) -> set[str]:
    return set(SCHEMAS[name]["properties"])


def always(table: dict[str, list[str]]) -> set[str]:
    return {key for key, cells in table.items() if cells[-1].strip("| ") == NEVER}


def without_required(schema: Any) -> Any:
    """Return the schema without required keys, for validating parts of a value."""
    if isinstance(schema, dict):
        return {key: without_required(part) for key, part in schema.items() if key != "required"}
    return [without_required(part) for part in schema] if isinstance(schema, list) else schema


def test_every_key_of_a_hand_record_is_documented() -> None:
    record, player = tables_of("A record")
    assert {*record, "players"} == keys_of("Record") - HISTORY
    assert set(player) == keys_of("RecordPlayer")
    assert set(re.findall(r"`(\w+)`", PAGE)) >= HISTORY


def test_every_key_of_an_answer_is_documented() -> None:
    [answer] = tables_of("An answer")
    assert {*answer, "variant"} == keys_of("Answer")


# --- golden hands -------------------------------------------------------------------------------

HAND, REFUSED = tables_of("Golden hands")
EXPECTED = validator("Answer", without_required(SCHEMAS))


@pytest.mark.parametrize(
    "path", sample(SETTLED, 60, lambda path: path.stem), ids=lambda path: path.stem
)
def test_golden_hands_have_only_documented_keys(path: Path) -> None:
    assert always(HAND) == {"record", "expect"}
    for line in lines_of(path):
        assert always(HAND) <= line.keys() <= HAND.keys(), line
        assert line["expect"], line
        expected = dict(line["expect"])
        errors = expected.pop("errors", [])
        assert all(set(each) == {"code", "where"} for each in errors), line
        assert [each.message for each in EXPECTED.iter_errors(expected)] == [], line
        assert not (errors and expected), line


def test_golden_errors_have_only_documented_keys() -> None:
    assert always(REFUSED) == {"code", "where"}
    for line in lines_of(FOLDER / "errors.jsonl"):
        assert always(REFUSED) <= line.keys() <= REFUSED.keys(), line
        assert ("record" in line) != ("text" in line), line
        assert f"`{line['code']}`" in PAGE, line
