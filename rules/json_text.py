"""Parse JSON from users and programs strictly: duplicate keys are errors."""

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from rules.errors import quoted


def read_json(text: str) -> Any:
    """Parse a JSON text.

    Raises ValueError for invalid JSON, NaN, infinities and duplicate keys. Raises RecursionError
    for deeply nested values.
    """
    return DECODER.decode(text)


SPACE = re.compile(r"\s*+")
EMPTY_LISTS = re.compile(r"(?:\[\s*+\]\s*+)*+")


def describe_error(error: Exception) -> str:
    """Return why a string is not valid JSON, in words for its author."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"invalid UTF-8 from byte {error.start} on"
    text = str(error)
    return "a number has too many digits" if text.startswith(TOO_LONG) else text[:120]


# the start of Python's message, which then explains how to raise the limit
TOO_LONG = "Exceeds the limit"


def next_value(text: str, at: int, *, is_listed: bool) -> tuple[int, bool]:
    """Return where the next value starts, and whether it is in a list.

    The values of a text follow each other or are in lists. `at` is the start of the text or the end
    of a value, which was in a list if `is_listed`. The start is the length of the text after the
    last value. Raises JSONDecodeError.
    """
    at = _past(SPACE, text, at)
    if is_listed:
        if text.startswith(",", at):
            return _past(SPACE, text, at + 1), True
        if not text.startswith("]", at):
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
        at = _past(SPACE, text, at + 1)
    at = _past(EMPTY_LISTS, text, at)
    is_listed = text.startswith("[", at)
    return (_past(SPACE, text, at + 1) if is_listed else at), is_listed


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"an object has the key {quoted(counts.most_common(1)[0][0])} twice")
    return members


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def _exact(number: str) -> Decimal:
    try:
        return Decimal(number)
    # a number like 1e99999999999999999999 exceeds the range of Decimal
    except InvalidOperation as error:
        raise ValueError(f"{quoted(number)} is too large or too small") from error


DECODER = json.JSONDecoder(object_pairs_hook=_unique_members, parse_constant=_refuse_constant)
EXACT = json.JSONDecoder(  # a decoder that preserves decimals as written
    object_pairs_hook=_unique_members, parse_constant=_refuse_constant, parse_float=_exact
)
