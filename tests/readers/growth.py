"""Whether the time that something takes grows faster than what it is given.

The only place where time is judged, and by its growth alone: what a character costs in a long text
against what it costs in a text an eighth as long. Linear work comes to 1, quadratic to 8. A text
that is done with in no time is never judged, one that seems to grow is measured again.
"""

import gc
import time
from collections.abc import Callable

LONG = 64_000  # characters
SHORTER = 8
FLOOR = 0.05  # seconds of processor time: below it a long text harms nobody
GROWS = 3.5
TRIES = 3
TIMES = 3  # that what is held against is measured: the least counts

Work = Callable[[str], object]
Made = Callable[[int], str]


def pumped(head: str, part: str, tail: str) -> Made:
    """What makes texts of any length: a part again and again between two ends."""
    return lambda length: head + part * (length // len(part)) + tail


def growth(work: Work, made: Made, *, long: int = LONG) -> float:
    """How much more a character of a long text costs than one of a short text; 0 for no time."""
    least = float("inf")
    for _ in range(TRIES):
        least = min(least, _growth(work, made, long))
        if least < GROWS:
            break
    return least


def _growth(work: Work, made: Made, long: int) -> float:
    """Goes up in steps, so that what grows is found before it takes all day."""
    length = long // SHORTER
    while length <= long:
        took = _seconds(work, made(length))
        if took > FLOOR:
            before = min(_seconds(work, made(length // SHORTER)) for _ in range(TIMES))
            grown = took / (SHORTER * max(before, FLOOR / SHORTER**2))
            if grown > GROWS:
                return grown
        length *= SHORTER
    return 0.0


def _seconds(work: Work, text: str) -> float:
    """The processor time of this thread, without collecting garbage, which looks at more the more
    is there."""
    gc.disable()
    try:
        start = time.thread_time()
        work(text)
        return time.thread_time() - start
    finally:
        gc.enable()
