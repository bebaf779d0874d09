"""A PostgreSQL replica that can be made to lag behind."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.faults.machines import Cluster, wait_until


class Standby(Cluster):
    """A streaming replica of another server."""

    def follow(self, source: Cluster) -> None:
        """Copy the source and start to stream its changes."""
        shutil.chown(self.folder, source.folder.owner())
        self._run(
            *("pg_basebackup", "-h", "127.0.0.1", "-p", str(source.port), "-U", "postgres"),
            *("-D", "data", "-X", "stream", "-c", "fast", "-R"),
        )
        self.start()

    def catch_up(self, source: Cluster) -> None:
        """Wait until the standby has all current rows from the source."""
        with psycopg.connect(source.url) as connection:
            row = connection.execute("SELECT pg_current_wal_flush_lsn()").fetchone()
        assert row
        wait_until(
            lambda: self._ask(f"SELECT pg_last_wal_replay_lsn() >= '{row[0]}'"), "the replica"
        )

    @contextmanager
    def behind(self) -> Iterator[None]:
        """Pause replication inside the block."""
        self._ask("SELECT pg_wal_replay_pause()")
        wait_until(
            lambda: self._ask("SELECT pg_get_wal_replay_pause_state() = 'paused'"), "the pause"
        )
        yield
        self._ask("SELECT pg_wal_replay_resume()")

    def _ask(self, sql: str) -> object:
        with psycopg.connect(self.url) as connection:
            row = connection.execute(sql).fetchone()  # type: ignore[call-overload]
        return row and row[0]
