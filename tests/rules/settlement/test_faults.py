"""Regression tests: records that used to be settled wrongly, each with a similar record."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import settle
from tests.helpers.rules.comparing import check

TEXT = Path(__file__).with_name("faults.jsonl").read_text("utf-8")
FAULTS = [json.loads(line) for line in TEXT.splitlines()]


@pytest.mark.parametrize("line", FAULTS, ids=lambda line: line["note"])
def test_record_once_settled_wrongly_is_settled_correctly(line: dict[str, Any]) -> None:
    check(line["expect"], settle(line["record"]))
