"""Two ways to come to the same, timed by turns: what else the machine does then hits both.

Import this before NumPy: it keeps NumPy to one thread. Times are those of the processor.
"""

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

TURNS = 7


@dataclass(frozen=True)
class Work:
    """Something to do, and how many of its items it does."""

    do: Callable[[], Any]
    items: int = 1

    def timed(self) -> float:
        """Its nanoseconds an item."""
        started = time.process_time_ns()
        self.do()
        return (time.process_time_ns() - started) / self.items


@dataclass(frozen=True)
class Ratio:
    """How many times as long they took as we, turn by turn; medians of the times themselves."""

    name: str
    ours: float
    theirs: float
    turns: tuple[float, ...]

    @property
    def middle(self) -> float:
        return statistics.median(self.turns)

    def __str__(self) -> str:
        spread = f"{min(self.turns):.2f} to {max(self.turns):.2f}"
        times = f"{self.ours:12,.0f} ns{self.theirs:12,.0f} ns"
        return f"{self.name:34}{times}{self.middle:9.2f} times ({spread})"


def by_turns(name: str, ours: Work, theirs: Work, turns: int = TURNS) -> Ratio:
    """Do both, one after the other, so many times; the first turn, which warms up, is left out."""
    ours.timed()
    theirs.timed()
    pairs = [(ours.timed(), theirs.timed()) for _ in range(turns)]
    middles = [statistics.median(times) for times in zip(*pairs, strict=True)]
    return Ratio(name, middles[0], middles[1], tuple(them / us for us, them in pairs))


def last_line(ratios: list[Ratio]) -> str:
    """All ratios in one line."""
    return "; ".join(f"{ratio.name} {ratio.middle:.1f}" for ratio in ratios)


def stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
