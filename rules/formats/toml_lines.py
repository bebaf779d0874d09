"""The plain part of TOML, fast: a key and a value a line, sections by name.

That is what tools write. It is told apart from the rest by its shape alone: whatever is not plain
beyond doubt (a table in a value, an escape, a comment behind a value, a key twice) makes
the whole text not plain, and the library reads it. So both always come to the same.
"""

import json
import re
from collections.abc import Iterator
from datetime import time
from decimal import Decimal
from typing import Any

KEY = re.compile(r"[A-Za-z0-9_-]+ *\Z")
SECTION = re.compile(r"\[([A-Za-z0-9_-]+)\] *\Z")
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\Z", re.ASCII)
DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+\Z", re.ASCII)
CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\Z", re.ASCII)
TEXT = re.compile(r"'([^'\x00-\x08\x0a-\x1f\x7f]*)'\Z")
QUOTED = re.compile(r'"([^"\\\x00-\x08\x0a-\x1f\x7f]*)"\Z')
# a list of plain numbers
NUMBER = r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?"
NUMBERS = re.compile(rf"\[{NUMBER}(?:, *{NUMBER})*\]\Z", re.ASCII)
QUOTES = frozenset(("'", '"'))
# a text and its comma, a comment, both or nothing
ITEM = re.compile(
    r'[ \t]*+(?:"([^"\\\x00-\x1f\x7f]*+)"[ \t]*+(,?)[ \t]*+)?(?:#[^\x00-\x08\x0a-\x1f\x7f]*)?\Z'
)
WORDS = {"true": True, "false": False}
NOT_PLAIN = object()


def read_plain(text: str) -> dict[str, Any] | None:
    """The table of a plain text, None when it is not plain."""
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
        value = _texts(lines) if text_of_value == "[" else _value(text_of_value)
        if value is NOT_PLAIN or key in table:
            return None
        table[key] = value
    return whole


def _value(text: str) -> Any:
    if text[0] == "[":
        return _list(text)
    if INTEGER.match(text):
        return int(text)
    if found := TEXT.match(text) or QUOTED.match(text):
        return found[1]
    if DECIMAL.match(text):
        return Decimal(text)
    if CLOCK.match(text):
        return time.fromisoformat(text)
    return WORDS.get(text, NOT_PLAIN)


def _texts(lines: Iterator[str]) -> Any:
    """A list of texts over several lines, one a line, with comments behind or between them."""
    found: list[str] = []
    more = True
    for line in lines:
        item = ITEM.match(line)
        if item is None:
            return found if line.rstrip(" ") == "]" else NOT_PLAIN
        if item[1] is not None:
            if not more:
                return NOT_PLAIN
            found.append(item[1])
            more = bool(item[2])
    return NOT_PLAIN


def _list(text: str) -> Any:
    if NUMBERS.match(text):
        return DECODER.decode(text) if "." in text else list(map(int, text[1:-1].split(",")))
    quote = text[1:2]
    if quote in QUOTES and text[-2:] == f"{quote}]" and text.isprintable():
        found = text[2:-2].split(f"{quote}, {quote}")
        # an escape is not plain, and neither is a quote that belongs to something else
        if "\\" not in text and text.count(quote) == 2 * len(found):
            return found
    return [] if text == "[]" else NOT_PLAIN


DECODER = json.JSONDecoder(parse_float=Decimal)
