"""Records that can't be settled: at least one for each error code in docs/record.md."""

import json
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "vectors" / "errors.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text().splitlines()]


def body(line: dict[str, Any]) -> str:
    """Return the request body: a record as JSON, or text that is not JSON."""
    return line["text"] if "text" in line else json.dumps(line["record"])


PARAMETERS = [pytest.param(line, id=f"{line['code']}-{line['where']}") for line in LINES]
