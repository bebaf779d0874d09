"""A first-in, first-out lock for threads that write to the same database."""

from collections import deque
from functools import cache
from threading import Event, Lock


class WriteQueue:
    """A lock with one holder, which passes to the thread that has waited longest."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.is_taken = False
        self.waiting: deque[Event] = deque()

    def take(self, seconds: float) -> bool:
        """Wait for the lock. Returns whether it was acquired in time."""
        with self.lock:
            if not self.is_taken:
                self.is_taken = True
                return True
            called = Event()
            self.waiting.append(called)
        return called.wait(seconds) or not self._left(called)

    def give(self) -> None:
        """Release the lock and pass it to the next thread."""
        with self.lock:
            if self.waiting:
                self.waiting.popleft().set()
            else:
                self.is_taken = False

    def _left(self, called: Event) -> bool:
        """Stop waiting. Returns False if the lock was passed to this thread in the meantime."""
        with self.lock:
            if called.is_set():
                return False
            self.waiting.remove(called)
            return True


@cache
def queue_of(database: str) -> WriteQueue:
    """Return the queue for writers of this database file."""
    return WriteQueue()
