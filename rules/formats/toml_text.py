"""TOML in and out, as far as hand histories need it, with nothing lost on the way through JSON.

A value that JSON lacks (a decimal, a time, infinity) is kept as `{"toml": "21:55:24"}`.
"""

import json
import re
import tomllib
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from rules.formats.toml_lines import read_plain
from rules.json_text import why_not

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")
LITERAL = "toml"
MOST_PARTS = 64  # of a key: the time to read one grows with their square
# Whatever may hold dots and is no key: texts of all four kinds, and comments.
TEXTS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?'
    r"|'''(?:[^']|'(?!''))*+(?:''')?"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?|#[^\n]*+",
    re.DOTALL,
)
BETWEEN = re.compile(r"[=,{}\[\]]")
PLAIN = frozenset((int, str, bool))


class TomlError(Exception):
    """A text that is no TOML, with the reason."""


def loads(text: str) -> dict[str, Any]:
    """The table of a text, floats as decimals. Raises TomlError."""
    plain = read_plain(text)
    if plain is not None:
        return plain
    if line := _line_of_long_key(text):
        raise TomlError(f"a key of more than {MOST_PARTS} parts (at line {line}, column 1)")
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, ArithmeticError) as error:
        raise TomlError(why_not(error)[:200]) from None


def _line_of_long_key(text: str) -> int:
    """The first line on which a key has more parts than are read; 0 for none."""
    bare = TEXTS.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), 1):
        if any(part.count(".") >= MOST_PARTS for part in BETWEEN.split(line)):
            return number
    return 0


def to_json(value: object) -> Any:
    """A value of TOML as JSON has it."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Decimal):
        return {LITERAL: str(value).lower().replace("infinity", "inf")}
    if isinstance(value, datetime | date | time):
        return {LITERAL: value.isoformat()}
    if isinstance(value, list):
        if all(type(item) in PLAIN for item in value):
            return value
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    return value


def dump(fields: dict[str, Any]) -> str:
    return "".join(f"{key(name)} = {_value(value)}\n" for name, value in fields.items())


def key(name: str) -> str:
    """A name as a key: bare, or quoted where it has to be."""
    return name if BARE_KEY.match(name) else _text(name)


def _text(text: str) -> str:
    """A quoted text. JSON's escapes are TOML's, but for characters outside the first plane."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Decimal):
        return f"{value:f}" if value.is_finite() else str(value).lower().replace("infinity", "inf")
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, dict):
        if set(value) == {LITERAL} and isinstance(value[LITERAL], str):
            return str(value[LITERAL])
        return "{" + ", ".join(f"{key(k)} = {_value(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)
