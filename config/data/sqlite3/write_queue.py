"""Threads that wait for one thing in the order in which they came."""

from collections import deque
from functools import cache
from threading import Event, Lock


class WriteQueue:
    """One holder at a time; whoever gives it back hands it to who has waited longest."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.is_taken = False
        self.waiting: deque[Event] = deque()

    def take(self, seconds: float) -> bool:
        """Wait for it; tell whether it came in time."""
        with self.lock:
            if not self.is_taken:
                self.is_taken = True
                return True
            called = Event()
            self.waiting.append(called)
        return called.wait(seconds) or not self._left(called)

    def give(self) -> None:
        """Hand it on."""
        with self.lock:
            if self.waiting:
                self.waiting.popleft().set()
            else:
                self.is_taken = False

    def _left(self, called: Event) -> bool:
        """Stop waiting; tell whether that was possible: it may have been handed over just now."""
        with self.lock:
            if called.is_set():
                return False
            self.waiting.remove(called)
            return True


@cache
def queue_of(database: str) -> WriteQueue:
    """Return the queue of the writers of this file."""
    return WriteQueue()
