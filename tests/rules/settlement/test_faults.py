"""Records that were once settled or accepted wrongly, each with a similar one."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import settle
from tests.helpers.rules.comparing import check

TEXT = Path(__file__).with_name("faults.jsonl").read_text("utf-8")
FAULTS = [json.loads(line) for line in TEXT.splitlines()]


@pytest.mark.parametrize("line", FAULTS, ids=lambda line: line["note"])
def test_past_error_stays_fixed(line: dict[str, Any]) -> None:
    check(line["expect"], settle(line["record"]))
