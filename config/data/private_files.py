"""The secret key, and files that only the service's user can read (folders 700, files 600)."""

import os
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Lock

_MAKING = Lock()
# SQLite creates these files with the database file's mode
BESIDE = ("", "-wal", "-shm", "-journal")


def make_folder(folder: Path) -> None:
    """Create the folder if it is missing.

    An existing folder keeps its mode, since others may use it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def make_private_database(path: Path) -> None:
    """Create an SQLite file if it is missing, and make an existing one private.

    Other users' files are not changed. If the file can't be created, SQLite reports that later. An
    existing database is never opened here, because closing it would drop the locks that SQLite
    holds in this process (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    with _MAKING, suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    for end in BESIDE:
        with suppress(FileNotFoundError):  # SQLite may remove its logs at any time
            file = path.with_name(path.name + end)
            status = file.stat()
            if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) & 0o077:
                file.chmod(0o600)


def stored_secret_key(path: Path) -> str:
    """Return the secret stored in the file at `path`. The file is created if it is missing."""
    if not path.exists():
        make_folder(path.parent)
        handle, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)  # if two processes start at the same time, the first one wins
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
    return path.read_text().strip()
