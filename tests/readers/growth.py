"""How the running time grows with the size of the input.

Only this module checks running times, and it checks only their growth: the time per character for a
long text divided by the time for a text an eighth as long. The result is 1 for linear and 8 for
quadratic work. A text that takes no measurable time is ignored. A text whose time seems to grow is
measured again.
"""

import gc
import time
from collections.abc import Callable

LONG = 64_000  # length in characters
SHORTER = 8
FLOOR = 0.05  # seconds of processor time; long texts that take less are ignored
GROWS = 3.5
TRIES = 3
TIMES = 3  # number of baseline measurements; the lowest one is used

Work = Callable[[str], object]
Made = Callable[[int], str]


def pumped(head: str, part: str, tail: str) -> Made:
    """Build texts of any length by repeating a part between a head and a tail."""
    return lambda length: head + part * (length // len(part)) + tail


def growth(work: Work, made: Made, *, long: int = LONG) -> float:
    """Return a long text's time per character relative to a short one, or 0 if negligible."""
    least = float("inf")
    for _ in range(TRIES):
        least = min(least, _growth(work, made, long))
        if least < GROWS:
            break
    return least


def _growth(work: Work, made: Made, long: int) -> float:
    """Measure texts of increasing length, which finds strong growth early."""
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
    """Return the processor time of this thread.

    Garbage collection is disabled because its cost depends on the heap.
    """
    gc.disable()
    try:
        start = time.thread_time()
        work(text)
        return time.thread_time() - start
    finally:
        gc.enable()
