"""JSON as people and programs send it: a key that is told twice is refused, never guessed at."""

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from rules.errors import quoted


def read_json(text: str) -> Any:
    """The value of a text. Raises ValueError for what is no JSON, for NaN and infinities, and for
    a key that an object has twice; RecursionError for what is nested too deep."""
    return DECODER.decode(text)


SPACE = re.compile(r"\s*+")


def why_not(error: Exception) -> str:
    """Why a text is no JSON, in words that mean something to whoever sent it."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 from byte {error.start} on"
    said = str(error)
    return "a number has too many digits" if said.startswith(TOO_LONG) else said[:120]


TOO_LONG = "Exceeds the limit"  # how Python begins, and goes on with how to lift it


def past_space(text: str, at: int) -> int:
    """Where the text goes on behind the white space at this place."""
    found = SPACE.match(text, at)
    return found.end() if found else at


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"an object has the key {quoted(counts.most_common(1)[0][0])} twice")
    return found


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _exact(number: str) -> Decimal:
    try:
        return Decimal(number)
    except InvalidOperation as error:  # 1e99999999999999999999: more than a Decimal can tell
        raise ValueError(f"{quoted(number)} is no number that can be read") from error


DECODER = json.JSONDecoder(object_pairs_hook=_each_once, parse_constant=_refuse_constant)
EXACT = json.JSONDecoder(  # decimals as they are written
    object_pairs_hook=_each_once, parse_constant=_refuse_constant, parse_float=_exact
)
