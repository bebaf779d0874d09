"""Files of the service that only its own user reads: folders of mode 700, files of mode 600."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from threading import Lock

_MAKING = Lock()
BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite gives new ones the mode of the database


def make_folder(folder: Path) -> None:
    """Make the folder if there is none. One that is there keeps its mode: others may use it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def make_private_database(path: Path) -> None:
    """Make an empty file for SQLite if there is none, and close an older one to other users.

    Files of another user are left alone. What can't be made is left to SQLite, which reports it.
    A database that exists is never opened here: closing it would drop the locks that SQLite holds
    in this process (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    with _MAKING, suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    for end in BESIDE:
        with suppress(FileNotFoundError):  # SQLite removes its logs at any time
            _close_to_others(path.with_name(path.name + end))


def _close_to_others(file: Path) -> None:
    found = file.stat()
    if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & 0o077:
        file.chmod(0o600)
