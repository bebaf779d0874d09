"""Upgrades a backup from an older version in a temporary database.

A child process creates an SQLite database with that version's tables, inserts the rows, migrates
the database and backs it up again. The rows are audited when the new file is restored.
"""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from config.data.backups.file_format import UnreadableBackupError, is_older


@contextmanager
def brought_up(file: Path) -> Iterator[Path]:
    """Yield a path to the backup in this version's format. Raises UnreadableBackupError."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        if not is_older(json.loads(next(lines))):
            yield file
            return
    with TemporaryDirectory() as folder:
        newer = Path(folder) / "newer.backup"
        old = file.resolve()
        variables = os.environ | {
            "DATABASE_URL": f"sqlite:///{newer.parent}/league.sqlite3",
            "REPLICA_URL": "",
            "SECRET_KEY": settings.SECRET_KEY,
        }
        words = [sys.executable, "-m", "config.data.backups.upgrade_process", str(old), str(newer)]
        done = subprocess.run(  # noqa: S603 (our own)
            words, cwd=settings.BASE_DIR, env=variables, capture_output=True, text=True, check=False
        )
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["it ended"])[-1]
            raise UnreadableBackupError(f"{old} can't be brought to this version: {reason:.300}")
        yield newer
