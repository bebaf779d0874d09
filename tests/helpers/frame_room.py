"""Room on the interpreter's frame stack, so that calls near the end of a chunk are not slow."""

from collections.abc import Callable
from functools import wraps
from typing import Any

# CPython's chunks have 16 KiB. This size requests one of 1 MiB and fills half of it.
WORDS = 70_000


def with_room(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, called from a frame that leaves room for the frames below it.

    CPython allocates its frame stack in chunks and frees a chunk with the last frame in it. A loop
    whose calls start a new chunk would allocate and free memory in every iteration. Rendering a
    page did so two thousand times.
    """

    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        return function(*args, **named)

    called.__code__ = called.__code__.replace(co_stacksize=WORDS)
    return called
