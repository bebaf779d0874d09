"""Free space on the interpreter's frame stack, which keeps calls near a chunk's end fast."""

from collections.abc import Callable
from functools import wraps
from typing import Any

# CPython allocates chunks of 16 KiB. A frame of this size requests 1 MiB and fills half of it.
WORDS = 70_000


def with_room(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, called from a frame that leaves free space for further frames.

    CPython allocates its frame stack in chunks, and frees a chunk with its last frame. A loop whose
    calls start a new chunk allocates and frees memory in every iteration. While a page was
    rendered, this happened two thousand times.
    """

    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        return function(*args, **named)

    called.__code__ = called.__code__.replace(co_stacksize=WORDS)
    return called
