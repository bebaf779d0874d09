"""Bring the file of an older version to this one, in a database of its own; both are left alone.

A process of its own makes an SQLite database as that version had it, puts the rows in, migrates it
as any other, and backs it up again. What it holds is audited when that file is restored.
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

from config.data.backups.file_format import Unreadable, is_older


@contextmanager
def brought_up(file: Path) -> Iterator[Path]:
    """Give the file as this version would have written it. Raises Unreadable."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        if not is_older(json.loads(next(lines))):
            yield file
            return
    with TemporaryDirectory() as folder:
        newer = Path(folder) / "newer.backup"
        _upgrade(file.resolve(), newer)
        yield newer


def _upgrade(old: Path, new: Path) -> None:
    variables = os.environ | {
        "DATABASE_URL": f"sqlite:///{new.parent}/league.sqlite3",
        "REPLICA_URL": "",
        "SECRET_KEY": settings.SECRET_KEY,
    }
    words = [sys.executable, "-m", "config.data.backups.upgrade_process", str(old), str(new)]
    done = subprocess.run(  # noqa: S603 (our own)
        words, cwd=settings.BASE_DIR, env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it ended"])[-1]
        raise Unreadable(f"{old} can't be brought to this version: {said:.300}")
