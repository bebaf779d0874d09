"""Read and write the TOML text of a document, and find the line of a value."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.errors import GameError, bad_game
from rules.game.grammar.words import is_number
from rules.game.shape import KEYS, TABLES
from rules.json_text import describe_error

MOST_BYTES = 64 * 1024
MOST_DOTS = 64  # per line, because parsing a key takes quadratic time in its number of parts
NOT_TOML = (tomllib.TOMLDecodeError, RecursionError, ValueError)
CURLY = {'"': "\u201c\u201d\u201e\u201f", "'": "\u2018\u2019\u201a\u201b"}
STRAIGHT = {ord(curly): straight for straight, quotes in CURLY.items() for curly in quotes}
AT_LINE = re.compile(r"\(at line (\d+)")


def parse(text: str) -> dict[str, Any]:
    """Return the document in a TOML text, with or without a byte order mark. Raises GameError."""
    text = text.removeprefix("\ufeff")
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise GameError([bad_game("", f"the document is larger than {MOST_BYTES // 1024} kB")])
    for number, written in enumerate(text.split("\n"), start=1):
        if written.count(".") > MOST_DOTS:
            raise GameError([bad_game("", f"a line has more than {MOST_DOTS} dots", line=number)])
    try:
        try:
            return tomllib.loads(text)
        except NOT_TOML:
            straight = text.translate(STRAIGHT)
            if straight == text:
                raise
            return tomllib.loads(straight)
    except NOT_TOML as error:
        match = AT_LINE.search(str(error))
        line = int(match[1]) if match else None
        reason = describe_error(error).partition(" (at")[0] or "it can't be read"
        raise GameError([bad_game("", f"the document is not TOML: {reason}", line=line)]) from None


# Tokens: a key at the start of a line, a string (which extends to the end of the line if it is not
# closed), or a comment.
TOKEN = re.compile(
    r"^[ \t]*+(?:\w++\.)?+(?P<key>[\w-]++)[ \t]*+="
    r'|(?P<text>"(?:\\.|[^"\\\n])*+"?|\'[^\'\n]*+\'?)|#[^\n]*+',
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Places:
    """The line of each key, the number of strings before each key, and the line of each string."""

    keys: dict[str, tuple[int, int]]
    texts: list[int]


def line_of(text: str, where: str) -> int | None:
    """Return the line of the value at the path `where`, such as `deal/3`, in a TOML text."""
    keys = where.split("/")
    name = keys[1] if keys[0] in TABLES and len(keys) > 1 else keys[0]
    places = _places(text)
    if name not in places.keys:
        return None
    line, before = places.keys[name]
    if is_number(keys[-1]) and before + int(keys[-1]) < len(places.texts):
        return places.texts[before + int(keys[-1])]
    return line


@lru_cache(maxsize=2)  # called once for every problem in the same text
def _places(text: str) -> Places:
    places = Places({}, [])
    line, counted = 1, 0
    for token in TOKEN.finditer(text.translate(STRAIGHT)):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        if token["key"]:
            places.keys.setdefault(token["key"], (line, len(places.texts)))
        elif token["text"]:
            places.texts.append(line)
    return places


# A document as TOML that people can read and edit.


WIDTH = 80


def as_toml(document: Mapping[str, Any]) -> str:
    """Return the TOML text of a valid document. `documents.parse` reads it back."""
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
    " points top order straights shares declare both_ways lost_both alone ties unwon dues match"
).split()


def _value(key: str, value: object) -> str:
    """Return a value as TOML on one line, or on several filled lines."""
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
    """Return a string as TOML. Printable strings are written as in JSON."""
    return json.dumps(value, ensure_ascii=False)
