"""The golden hands, one per line, in folders by family (docs/record.md, "Golden hands")."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "vectors"
SETTLED = sorted(path for path in FOLDER.rglob("*.jsonl") if path.stem != "errors")
FILES = {path.stem: path for path in SETTLED}
HISTORIES = FOLDER.parents[1] / "docs" / "history.jsonl"


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
