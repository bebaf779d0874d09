"""What stands in a field for an option of a game: a word, a number, or a word that looks like one.

A choice may be called 3: such a word stands in quotes, since a plain 3 is read as a number.
"""

import json
import math
import re

LONGEST_NUMBER = 100  # characters
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", re.ASCII)


def number(text: str) -> int | float | str:
    """Return the number that the text is, or the text."""
    text = text.strip()
    match = _NUMBER.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
    if match is None:
        return text
    if not match[2] and not match[3]:
        return int(text)
    return float(text) if math.isfinite(float(text)) else text


def word_in_field(word: str) -> str:
    """Return the text of a field that `option_in` reads as this word."""
    is_plain = number(word) == word and not word.startswith('"')
    return word if is_plain or not word else json.dumps(word, ensure_ascii=False)


def option_in(text: str) -> int | float | str:
    """Return the word or number that the text of a field stands for."""
    if text.startswith('"'):
        try:
            word = json.loads(text)
        except ValueError:
            return text.strip()
        return word if isinstance(word, str) else text.strip()
    return number(text)
