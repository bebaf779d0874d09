"""The known words nearest to one that was not understood."""

from collections.abc import Iterable
from itertools import islice

LONGEST = 32  # letters that are compared: the time to compare grows with their square
MOST_KNOWN = 100


def nearest(word: str, known: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    from difflib import get_close_matches  # noqa: PLC0415 - for errors alone, which most never see

    near = [each for each in islice(known, MOST_KNOWN) if len(each) <= 2 * LONGEST]
    return tuple(get_close_matches(word[:LONGEST], near, n=most, cutoff=0.6))
