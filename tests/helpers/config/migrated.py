"""An empty, migrated SQLite database that tests copy instead of migrating again.

Migrating takes two seconds of processor time, and a test run needs about 20 new databases. The
file is stored for later runs, under a hash of everything that migrations depend on.
"""

import contextlib
import fcntl
import shutil
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.helpers.fork_server import ROOT

FOLDER = ROOT / ".pytest_cache" / "migrated"


@cache
def _file() -> Path:
    sources = sorted([*ROOT.glob("*/migrations/*.py"), ROOT / "requirements" / "base.txt"])
    content = sha256(b"".join(source.read_bytes() for source in sources))
    return FOLDER / f"{content.hexdigest()[:16]}.sqlite3"


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Let only one process at a time create the database that the others copy."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        if not _file().exists():
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def store_migrated(connection: Any) -> None:
    """Keep a copy of this connection's migrated database, unless there is one."""
    if _file().exists():
        return
    for old in FOLDER.glob("*.sqlite3"):
        old.unlink()
    new = _file().with_suffix(".new")
    new.unlink(missing_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(new)])
    new.rename(_file())


def copy_migrated(to: Path) -> None:
    """Copy the database to this path, unless the path exists or no database is stored yet."""
    if _file().exists() and not to.exists():
        shutil.copy(_file(), to)
