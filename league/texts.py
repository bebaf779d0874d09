"""Which texts and values can be kept and shown: what comes from outside may hold anything.

PostgreSQL stores no NUL, no database and no page takes half a surrogate pair, and JSON knows no
infinity though Python reads 1e999 as one.
"""

import math
import re
from collections.abc import Iterator
from typing import Any

from league.models import LONGEST_NAME
from league.refusals import Fault, fault

DEEPEST = 32
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_LONGEST_SHOWN = 600


def tidy(text: str) -> str:
    """Return the text on one line, single spaces between its words."""
    return " ".join(text.split())


def shown(text: str) -> str:
    """Return the text fit to be sent back to whoever sent it: short, and no half characters."""
    whole = _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return whole if len(whole) <= _LONGEST_SHOWN else f"{whole[:_LONGEST_SHOWN]}…"


def wrong_text(
    where: str, text: object, *, longest: int = LONGEST_NAME, needed: bool = True
) -> Iterator[Fault]:
    """Yield what is wrong with a name or note that someone typed."""
    if not isinstance(text, str):
        yield fault(where, "wrong-type", "this must be text")
    elif needed and not text.strip():
        yield fault(where, "missing", "this must not be empty")
    elif len(text) > longest:
        yield fault(where, "too-long", f"this is longer than {longest} characters")
    elif _UNSTORABLE.search(text):
        yield fault(where, "wrong-type", "this has a NUL or half a character in it")


def unstorable(value: object) -> Iterator[Fault]:
    """Yield a fault for whatever in a JSON value can't be kept, wherever it stands.

    Walks with a list of its own: the sender chooses the depth, so recursion could run out.
    """
    waiting: list[tuple[tuple[str, ...], object]] = [((), value)]
    while waiting:
        path, each = waiting.pop()
        if len(path) > DEEPEST:
            yield fault(_where(path), "wrong-type", f"nested more than {DEEPEST} deep")
        elif reason := _reason(each):
            yield fault(_where(path), "wrong-type", reason)
        else:
            waiting.extend(_inside(path, each))


def too_deep(value: object) -> bool:
    """Tell whether a JSON value is nested deeper than any record can be."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [each for outer in level for _, each in _inside((), outer)]
    return bool(level)


def _reason(value: object) -> str:
    match value:
        case str() if _UNSTORABLE.search(value):
            return "this text has a NUL or half a character in it"
        case float() if not math.isfinite(value):
            return "this is not a number"
        case dict() if any(_UNSTORABLE.search(key) for key in value):
            return "a key in here has a NUL or half a character in it"
    return ""


def _inside(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], object]]:
    match value:
        case dict():
            yield from (((*path, key), each) for key, each in value.items())
        case list():
            yield from (((*path, str(place)), each) for place, each in enumerate(value))


def _where(path: tuple[str, ...]) -> str:
    return shown("/".join(path))
