"""Hands that another format has no words for: the record itself travels in a field beside it."""

import json
from collections.abc import Mapping
from typing import Any

from rules.errors import Problem
from rules.json_text import read_json

FIELD = "_record"


def keep(record: Mapping[str, Any]) -> str:
    """The record as the text of one field; its actions stand in the file's own."""
    return json.dumps({key: value for key, value in record.items() if key != "actions"})


def restore(fields: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The record that `keep` wrote, with its actions."""
    try:
        record = read_json(fields[FIELD])
    except (TypeError, ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        return None, [Problem(FIELD, "not-json", "the field holds no record")]
    record["actions"] = fields.get("actions", [])
    return record, []
