"""Whose turn it is: of those that wait, whoever had none for the longest time."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

# Whoever is forgotten counts as one that had no turn yet.
MOST_REMEMBERED = 10_000

Key = TypeVar("Key", bound=Hashable)


@dataclass(eq=False)
class RoundRobin(Generic[Key]):
    """The turns of one queue in this process; a key has at most so many at the same time."""

    most_at_once: int = 1
    _turns_given: int = 0
    _last_turns: OrderedDict[Key, int] = field(default_factory=OrderedDict)
    _running: Counter[Key] = field(default_factory=Counter)
    _resting_until: dict[Key, float] = field(default_factory=dict)
    _without_result: set[Key] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, waiting: Iterable[Key]) -> Key | None:
        """Give a turn to one of those that wait; to the first where none of them had one yet.

        No key is None, which says that nobody may have one.
        """
        with self._lock:
            free = [key for key in waiting if self._may_begin(key)]
            if not free:
                return None
            chosen = min(free, key=lambda key: self._last_turns.get(key, 0))
            self._remember(chosen)
            self._running[chosen] += 1
            return chosen

    def end(self, key: Key, *, rest: float = 0.0, without_result: bool = False) -> None:
        """Take the turn back; there is no other one for so many seconds.

        Whoever got nowhere has none until somebody calls, unless others are at it: then that was
        why, and what they leave is to be done.
        """
        with self._lock:
            self._running[key] -= 1
            if without_result and not self._running[key]:
                self._without_result.add(key)
            self._running += Counter()  # without those that are at nothing
            if rest:
                now = time.monotonic()
                self._resting_until = {
                    each: until for each, until in self._resting_until.items() if until > now
                }
                self._resting_until[key] = now + rest

    def wake(self) -> None:
        """Let those have turns again that got nowhere: there may be something for them by now."""
        with self._lock:
            self._without_result.clear()

    def _may_begin(self, key: Key) -> bool:
        if key in self._without_result:
            return False
        return (
            self._running[key] < self.most_at_once
            and self._resting_until.get(key, 0.0) <= time.monotonic()
        )

    def _remember(self, key: Key) -> None:
        self._turns_given += 1
        self._last_turns[key] = self._turns_given
        self._last_turns.move_to_end(key)
        if len(self._last_turns) > MOST_REMEMBERED:
            self._last_turns.popitem(last=False)
