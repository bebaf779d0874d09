"""The plain part of TOML, fast: a key and a value a line, sections by name.

That is what tools write. It is told apart from the rest by its shape alone: whatever is not plain
beyond doubt (a value over several lines, an escape, a comment behind a value, a key twice) makes
the whole text not plain, and the library reads it. So both always come to the same.
"""

import json
import re
from datetime import time
from decimal import Decimal
from typing import Any

LINE = re.compile(r"([A-Za-z0-9_-]+) *= *(\S.*?) *\Z")
SECTION = re.compile(r"\[([A-Za-z0-9_-]+)\] *\Z")
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\Z", re.ASCII)
DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+\Z", re.ASCII)
CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\Z", re.ASCII)
TEXT = re.compile(r"'([^'\x00-\x08\x0a-\x1f\x7f]*)'\Z")
QUOTED = re.compile(r'"([^"\\\x00-\x08\x0a-\x1f\x7f]*)"\Z')
# a list of plain numbers, or of texts in one kind of quotes: what JSON reads the same way
NUMBER = r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?"
NUMBERS = re.compile(rf"\[{NUMBER}(?:, *{NUMBER})*\]\Z", re.ASCII)
SINGLE = re.compile(r"\[(?:'[^'\"\\\x00-\x1f\x7f]*'(?:, *'[^'\"\\\x00-\x1f\x7f]*')*)?\]\Z")
DOUBLE = re.compile(r'\[(?:"[^"\\\x00-\x1f\x7f]*"(?:, *"[^"\\\x00-\x1f\x7f]*")*)?\]\Z')
WORDS = {"true": True, "false": False}
NOT_PLAIN = object()


def read_plain(text: str) -> dict[str, Any] | None:
    """The table of a plain text, None when it is not plain."""
    whole: dict[str, Any] = {}
    table = whole
    for line in text.split("\n"):
        found = LINE.match(line)
        if found is None:
            if not line or (line[0] == "#" and line.isprintable()):
                continue
            section = SECTION.match(line)
            if section is None or section[1] in whole:
                return None
            table = whole[section[1]] = {}
            continue
        value = _value(found[2])
        if value is NOT_PLAIN or found[1] in table:
            return None
        table[found[1]] = value
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


def _list(text: str) -> Any:
    if NUMBERS.match(text) or DOUBLE.match(text):
        return DECODER.decode(text)
    if SINGLE.match(text):
        return DECODER.decode(text.replace("'", '"'))
    return NOT_PLAIN


DECODER = json.JSONDecoder(parse_float=Decimal)
