"""The known words nearest to one that was not understood."""

from collections.abc import Iterable
from itertools import islice

LONGEST = 32  # letters that are compared: the time to compare grows with their square
MOST_KNOWN = 1_000


def nearest(
    word: str, known: Iterable[str], *, most: int = 3, among: int = MOST_KNOWN
) -> tuple[str, ...]:
    from difflib import get_close_matches  # noqa: PLC0415 - for errors alone, which most never see

    near = {each.casefold(): each for each in islice(known, among) if len(each) <= 2 * LONGEST}
    asked = word[:LONGEST].casefold()
    return tuple(near[found] for found in get_close_matches(asked, near, n=most, cutoff=0.6))
