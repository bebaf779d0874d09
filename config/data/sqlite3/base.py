"""A queue in which the writers in a process wait for SQLite's only write lock.

SQLite allows only one transaction at a time to write. A writer that finds the lock taken sleeps
longer after each attempt, and later writers may overtake it: with eight writers, a few wait a
hundred times as long as the others. With the queue, threads get the lock in the order in which they
requested it. Other processes still compete for SQLite's own lock.
"""

from collections import deque
from functools import cache
from pathlib import Path
from threading import Event, Lock
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.data.private_files import make_private_database


class WriteQueue:
    """A lock that passes to the thread that has waited longest."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.is_taken = False
        self.waiting: deque[Event] = deque()

    def take(self, seconds: float) -> bool:
        """Wait up to `seconds` for the lock. Return whether it was acquired."""
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
        """Stop waiting. Return False if this thread has received the lock in the meantime."""
        with self.lock:
            if called.is_set():
                return False
            self.waiting.remove(called)
            return True


@cache
def queue_of(database: str) -> WriteQueue:
    return WriteQueue()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that waits in the write queue before a transaction and leaves it afterwards."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_turn = False

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the database file, which only the service's user can read."""
        name = str(conn_params["database"])
        if not name.startswith((":memory:", "file:")):
            make_private_database(Path(name))
        return super().get_new_connection(conn_params)

    def _start_transaction_under_autocommit(self) -> None:
        self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc] # if this fails, a rollback follows
        self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._end_turn()

    def _take_turn(self) -> None:
        seconds = float(self.settings_dict["OPTIONS"].get("timeout", 5))
        if not queue_of(str(self.settings_dict["NAME"])).take(seconds):
            # the error that SQLite raises in this case
            raise OperationalError("database is locked")
        self.has_turn = True

    def _end_turn(self) -> None:
        if self.has_turn:
            self.has_turn = False
            queue_of(str(self.settings_dict["NAME"])).give()
