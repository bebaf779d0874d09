"""Writers of one process queue for SQLite's only write lock instead of asking for it in turns.

SQLite lets one transaction write at a time. Whoever finds it taken sleeps, each time longer, and
who comes later may be served first: with eight writers a few waited a hundred times as long as the
others. Here they wait in the order in which they came. Other processes still meet at SQLite's lock.
"""

from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.data.private_files import make_private_database
from config.data.sqlite3.write_queue import queue_of


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that waits for its turn before a transaction, and ends it with that."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_turn = False

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the file, which only the service's user may read."""
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
        super()._commit()  # type: ignore[misc] # where it fails, a rollback follows
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
            raise OperationalError("database is locked")  # as SQLite says it after as long
        self.has_turn = True

    def _end_turn(self) -> None:
        if self.has_turn:
            self.has_turn = False
            queue_of(str(self.settings_dict["NAME"])).give()
