"""Growth of running time with the size of the input.

This is the only place that judges time, and only by its growth: the cost of a character in a long
text relative to a text an eighth as long. Linear work yields 1, quadratic 8. A text that takes no
measurable time is not judged; one that seems to grow is measured again.
"""

import gc
import time
from collections.abc import Callable

LONG = 64_000  # characters
SHORTER = 8
FLOOR = 0.05  # seconds of processor time below which a long text is harmless
GROWS = 3.5
TRIES = 3
TIMES = 3  # repetitions of the baseline measurement; the lowest counts

Work = Callable[[str], object]
Made = Callable[[int], str]


def pumped(head: str, part: str, tail: str) -> Made:
    """Build texts of any length: a part repeated between two ends."""
    return lambda length: head + part * (length // len(part)) + tail


def growth(work: Work, made: Made, *, long: int = LONG) -> float:
    """Return the cost of a character in a long text relative to a short text; 0 for no time."""
    least = float("inf")
    for _ in range(TRIES):
        least = min(least, _growth(work, made, long))
        if least < GROWS:
            break
    return least


def _growth(work: Work, made: Made, long: int) -> float:
    """Measure in increasing steps, so that growth is found early."""
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
    """Return the processor time of this thread without garbage collection, whose cost depends on
    the heap.
    """
    gc.disable()
    try:
        start = time.thread_time()
        work(text)
        return time.thread_time() - start
    finally:
        gc.enable()
