"""Times functions with the same result in turns, so that other load affects them equally.

Import this before NumPy, because it limits NumPy to one thread. Times are processor times, without
garbage collection.
"""

import gc
import os
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

TURNS = 7


@dataclass(frozen=True)
class Work:
    """A function, and the number of items it processes."""

    do: Callable[[], Any]
    items: int = 1

    def timed(self) -> float:
        """Return the nanoseconds per item."""
        gc.collect()
        gc.disable()
        started = time.process_time_ns()
        result = self.do()
        taken = time.process_time_ns() - started
        gc.enable()
        del result  # the result is freed after the measurement
        return taken / self.items


@dataclass(frozen=True)
class Times:
    """Nanoseconds per item by turn."""

    turns: tuple[float, ...]

    @property
    def middle(self) -> float:
        return statistics.median(self.turns)

    def over(self, other: "Times") -> "Times":
        """Return the ratio to another function's times in each turn."""
        return Times(
            tuple(mine / theirs for mine, theirs in zip(self.turns, other.turns, strict=True))
        )

    def __str__(self) -> str:
        return f"{self.middle:,.1f} ({min(self.turns):,.1f} to {max(self.turns):,.1f})"


@dataclass(frozen=True)
class Ratio:
    """The ratio of the peer's times to ours in each turn, and the medians of the times."""

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


def all_by_turns(works: Mapping[str, Work], turns: int = TURNS) -> dict[str, Times]:
    """Run each function once per turn, alternating between them. The first turn is a warm-up."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(turns + 1):
        for name, work in works.items():
            nanoseconds = work.timed()
            if turn:
                taken[name].append(nanoseconds)
    return {name: Times(tuple(times)) for name, times in taken.items()}


def by_turns(name: str, ours: Work, theirs: Work, turns: int = TURNS) -> Ratio:
    """Alternate between the two functions for `turns` turns. Return the ratio of their times."""
    times = all_by_turns({"ours": ours, "theirs": theirs}, turns)
    us, them = times["ours"], times["theirs"]
    return Ratio(name, us.middle, them.middle, them.over(us).turns)


def last_line(ratios: list[Ratio]) -> str:
    """Return all ratios on one line."""
    return "; ".join(f"{ratio.name} {ratio.middle:.1f}" for ratio in ratios)


def stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
