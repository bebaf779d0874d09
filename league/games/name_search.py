"""Rank games by how near their names are to a search text."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")


def nearness(text: str, title: str, others: Iterable[str] = ()) -> int:
    """Return a rank, higher for nearer names. A script ranks the same (games/filter-games.js).

    The searched name itself comes first, then names that begin with it, then names that contain
    its words. A title ranks above another name.
    """
    words = _words(text)
    if not words:
        return 0
    ranked = [2 * near + 1 for near in [_near(words, title)] if near]
    return max([0, *ranked, *(2 * _near(words, each) for each in others)])


def _near(words: list[str], name: str) -> int:
    own = _words(name)
    joined, whole = "".join(own), "".join(words)
    if joined == whole:
        return 3
    if joined.startswith(whole):
        return 2
    return int(set(words) <= set(own))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("'", ""))
