"""Room on the interpreter's stack of frames, so that calls near the end of a piece cost no more."""

from collections.abc import Callable
from functools import wraps
from typing import Any

# 16 KiB is a piece of CPython's; what is asked for here makes one of 1 MiB, and fills half of it.
WORDS = 70_000


def with_room(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, called from a frame that leaves room for the frames below it.

    CPython takes its stack of frames from the system piece by piece and gives back a piece with
    the last frame in it. A loop whose calls begin a new piece would ask the system for memory, and
    give it back, every time around: drawing a page did so two thousand times.
    """

    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        return function(*args, **named)

    called.__code__ = called.__code__.replace(co_stacksize=WORDS)
    return called
