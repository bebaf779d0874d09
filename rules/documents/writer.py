"""A document written as the TOML that a person reads and changes."""

import json
from collections.abc import Mapping
from typing import Any

from rules.game.options import TABLES
from rules.game.shape import KEYS

WIDTH = 80


def as_toml(document: Mapping[str, Any]) -> str:
    """The TOML text of a document of the right shape; `documents.parse` returns the document."""
    plain = [key for key in KEYS if key in document and key not in TABLES]
    plain.sort(key=READING_ORDER.index)
    lines = [f"{key} = {_value(key, document[key])}" for key in plain]
    for table in TABLES:
        if table in document:
            lines += ["", f"[{table}]"]
            lines += [f"{name} = {_value(name, words)}" for name, words in document[table].items()]
    return "\n".join(lines) + "\n"


READING_ORDER = (
    "name aliases by source players deck direction betting deal board lines hand wild bug kill"
    " points top order straights shares declare both_ways alone ties unwon dues match"
).split()


def _value(key: str, value: object) -> str:
    """One line, or as many as it takes, filled as the lines of a text are."""
    if not isinstance(value, list):
        return _text(value)
    lines = [f"{key} = ["]
    for item in (_text(item) for item in value):
        added = f"{lines[-1]}{'' if lines[-1].endswith('[') else ' '}{item},"
        if len(added) > WIDTH and not lines[-1].endswith("["):
            lines.append(" " * len(f"{key} = [") + f"{item},")
        else:
            lines[-1] = added
    return "\n".join(lines).removesuffix(",").removeprefix(f"{key} = ") + "]"


def _text(value: object) -> str:
    """A TOML string is a JSON string, as far as printable text goes."""
    return json.dumps(value, ensure_ascii=False)
