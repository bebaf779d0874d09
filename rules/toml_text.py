"""The TOML text of a document, read; and the line of it on which a value stands."""

import re
import tomllib
from itertools import islice
from typing import Any

from rules.faults import BadGame, Fault
from rules.options import TABLES

MOST_BYTES = 64 * 1024
MOST_DOTS = 64  # in a line: the time to read a key of many parts grows with their square


def parse(text: str) -> dict[str, Any]:
    """The document written in a TOML text. Raises BadGame."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise BadGame([Fault("", f"the document is larger than {MOST_BYTES // 1024} kB")])
    for number, written in enumerate(text.split("\n"), start=1):
        if written.count(".") > MOST_DOTS:
            raise BadGame([Fault("", f"more than {MOST_DOTS} dots in a line", line=number)])
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        found = re.search(r"\(at line (\d+)", str(error))
        line = int(found[1]) if found else None
        reason = str(error).partition(" (at")[0] or "not a TOML document"
        raise BadGame([Fault("", f"not TOML: {reason}", line=line)]) from None


STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'')


def line_of(text: str, where: str) -> int | None:
    """The line of a TOML text on which the value at `where` stands, such as `deal/3`."""
    keys = where.split("/")
    name = keys[1] if keys[0] in TABLES and len(keys) > 1 else keys[0]
    start = re.search(rf"^[ \t]*(?:\w+\.)?{re.escape(name)}[ \t]*=", text, re.MULTILINE)
    if not name or start is None:
        return None
    offset = start.start()
    if keys[-1].isdigit():
        strings = islice(STRING.finditer(text, start.end()), int(keys[-1]), None)
        offset = next((found.start() for found in strings), offset)
    return text.count("\n", 0, offset) + 1
