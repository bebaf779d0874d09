"""A replica of the database: a copy of the file as of its last update, or an unreachable server.

PostgreSQL has a real replica in the fault tests (`tests/faults/standby.py`), but one process cannot
delay it step by step. There the evenings read from the source.
"""

import sqlite3
from pathlib import Path

from django.conf import settings
from django.db import connections

ALIAS = "replica"


class Replica:
    """A replica that lags behind its source or is unreachable until it catches up."""

    def __init__(self) -> None:
        self.is_there = ALIAS in settings.DATABASES
        if self.is_there:
            self.source = str(connections["default"].settings_dict["NAME"])
            self.name = f"{self.source}.replica"

    def catch_up(self) -> None:
        """Copy the source's committed state."""
        if not self.is_there:
            return
        self.go_away()
        with sqlite3.connect(self.source) as source, sqlite3.connect(self.name) as copy:
            source.backup(copy)
        source.close()
        copy.close()
        connections[ALIAS].settings_dict["NAME"] = self.name

    def go_away(self) -> None:
        """Make the replica unreachable."""
        if self.is_there:
            connections[ALIAS].close()
            connections[ALIAS].settings_dict["NAME"] = f"{self.source}.gone/away"

    def forget(self) -> None:
        """Delete the copy."""
        if self.is_there:
            self.go_away()
            for beside in ("", "-wal", "-shm"):
                Path(f"{self.name}{beside}").unlink(missing_ok=True)
