"""Read and write TOML for hand histories, without losing values in JSON.

A value that JSON lacks (a decimal, a time, infinity) is stored as `{"toml": "21:55:24"}`. Files
written by tools have one key and value per line and named sections. `read_simple` reads such files
quickly and leaves any other text (nested tables, escapes, repeated keys) to the library.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from rules.json_text import describe_error

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")
LITERAL = "toml"
MOST_PARTS = 64  # maximum number of parts of a key, because parsing takes quadratic time
# Tokens that may contain dots but are not keys: strings of all four kinds, and comments.
TEXTS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?'
    r"|'''(?:[^']|'(?!''))*+(?:''')?"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?|#[^\n]*+",
    re.DOTALL,
)
# the header of a section that is not in another section
HEADER = re.compile(
    rf"""{TEXTS.pattern}|^[ \t]*+(?P<header>\[)[ \t]*+(?:[\w-]++|"[^"\\\n]*+"|'[^'\n]*+')"""
    r"[ \t]*+\][ \t]*+(?:#[^\n]*+)?\r?$",
    re.DOTALL | re.MULTILINE,
)
BETWEEN = re.compile(r"[=,{}\[\]]")
PLAIN = frozenset((int, str, bool))


class TomlError(Exception):
    """A text is not TOML, or has keys with too many parts."""


def loads(text: str) -> dict[str, Any]:
    """Parse TOML as a table, with floats as decimals. Raises TomlError."""
    plain = read_simple(text)
    if plain is not None:
        return plain
    bare = TEXTS.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), 1):
        if any(part.count(".") >= MOST_PARTS for part in BETWEEN.split(line)):
            raise TomlError(f"a key has more than {MOST_PARTS} parts (at line {number}, column 1)")
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError, ArithmeticError) as error:
        raise TomlError(describe_error(error)[:200]) from None


def section_starts(text: str) -> Iterator[int]:
    """Yield the positions of the headers of sections, except for sections in other sections."""
    return (found.start("header") for found in HEADER.finditer(text) if found["header"])


def to_json(value: object) -> Any:
    """Return a TOML value in its JSON form."""
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
    """Return a name as a TOML key, quoted if necessary."""
    return name if BARE_KEY.match(name) else _text(name)


def _text(text: str) -> str:
    """Return a quoted string. TOML has the same escapes as JSON, except for surrogate pairs."""
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


KEY = re.compile(r"[A-Za-z0-9_-]+ *\Z")
SECTION = re.compile(r"\[([A-Za-z0-9_-]+)\] *\Z")
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\Z", re.ASCII)
DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+\Z", re.ASCII)
CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\Z", re.ASCII)
TEXT = re.compile(r"'([^'\x00-\x08\x0a-\x1f\x7f]*)'\Z")
QUOTED = re.compile(r'"([^"\\\x00-\x08\x0a-\x1f\x7f]*)"\Z')
# a list of numbers without underscores or exponents
NUMBER = r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?"
NUMBERS = re.compile(rf"\[{NUMBER}(?:, *{NUMBER})*\]\Z", re.ASCII)
QUOTES = frozenset(("'", '"'))
# a list item: a string with its comma, a comment, both, or neither
ITEM = re.compile(
    r'[ \t]*+(?:"([^"\\\x00-\x1f\x7f]*+)"[ \t]*+(,?)[ \t]*+)?(?:#[^\x00-\x08\x0a-\x1f\x7f]*)?\Z'
)
WORDS = {"true": True, "false": False}
NOT_PLAIN = object()


def read_simple(text: str) -> dict[str, Any] | None:
    """Return the table of a simple TOML text, or None if the text is not simple."""
    whole: dict[str, Any] = {}
    table = whole
    lines = iter(text.split("\n"))
    for line in lines:
        key, _, text_of_value = line.partition("=")
        text_of_value = text_of_value.strip(" ")
        if not text_of_value or not KEY.match(key):
            if not line or (line[0] == "#" and line.isprintable()):
                continue
            section = SECTION.match(line)
            if section is None or section[1] in whole:
                return None
            table = whole[section[1]] = {}
            continue
        key = key.rstrip(" ")
        value = _texts(lines) if text_of_value == "[" else _plain_value(text_of_value)
        if value is NOT_PLAIN or key in table:
            return None
        table[key] = value
    return whole


def _plain_value(text: str) -> Any:
    if NUMBERS.match(text):
        return DECODER.decode(text) if "." in text else list(map(int, text[1:-1].split(",")))
    if text[0] == "[":
        quote = text[1:2]
        if quote in QUOTES and text[-2:] == f"{quote}]" and text.isprintable():
            texts = text[2:-2].split(f"{quote}, {quote}")
            # a simple list has no escapes, and no quotes inside its strings
            if "\\" not in text and text.count(quote) == 2 * len(texts):
                return texts
        return [] if text == "[]" else NOT_PLAIN
    if INTEGER.match(text):
        return int(text)
    if match := TEXT.match(text) or QUOTED.match(text):
        return match[1]
    if DECIMAL.match(text):
        return Decimal(text)
    if CLOCK.match(text):
        return time.fromisoformat(text)
    return WORDS.get(text, NOT_PLAIN)


def _texts(lines: Iterator[str]) -> Any:
    """Return a list of strings, one per line, with comments after or between them."""
    texts: list[str] = []
    more = True
    for line in lines:
        item = ITEM.match(line)
        if item is None:
            return texts if line.rstrip(" ") == "]" else NOT_PLAIN
        if item[1] is not None:
            if not more:
                return NOT_PLAIN
            texts.append(item[1])
            more = bool(item[2])
    return NOT_PLAIN


DECODER = json.JSONDecoder(parse_float=Decimal)
