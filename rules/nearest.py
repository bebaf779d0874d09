"""The known words nearest to one that was not understood."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    return tuple(get_close_matches(word[:60], list(known), n=most, cutoff=0.6))
