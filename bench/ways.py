"""Ways to do the same, timed by turns: what else runs on the machine meets them all alike."""

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any, NamedTuple

Work = Callable[[], Any]


class Way(NamedTuple):
    """What is timed, and how many things it does at once."""

    work: Work
    count: int


class Times(NamedTuple):
    """Seconds of processor time for one thing, turn by turn."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.seconds)

    def over(self, other: "Times") -> "Ratio":
        """How many times as long as another way, in each turn."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return Ratio(tuple(sorted(mine / theirs for mine, theirs in pairs)))


class Ratio(NamedTuple):
    ratios: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.ratios)

    def __str__(self) -> str:
        return f"{self.median:,.1f} ({self.ratios[0]:,.1f} to {self.ratios[-1]:,.1f})"


def by_turns(ways: Mapping[str, Way], turns: int) -> dict[str, Times]:
    """Each way once a turn, after one that does not count; without the collector of cycles."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(turns + 1):
        for name, way in ways.items():
            took = _seconds(way.work) / way.count
            if turn:
                seconds[name].append(took)
    return {name: Times(tuple(some)) for name, some in seconds.items()}


def _seconds(work: Work) -> float:
    gc.collect()
    gc.disable()
    started = time.process_time()
    kept = work()
    took = time.process_time() - started
    gc.enable()
    del kept
    return took
