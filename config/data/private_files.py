"""Files of the service that only its own user reads: folders of mode 700, files of mode 600."""

import os
import stat
from pathlib import Path

BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite gives new ones the mode of the database


def make_folder(folder: Path) -> None:
    """Make the folder if there is none. One that is there keeps its mode: others may use it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def make_private_database(path: Path) -> None:
    """Make an empty file for SQLite if there is none, and close an older one to other users.

    Files of another user are left alone. So is a missing folder: SQLite reports that.
    """
    if not path.parent.is_dir():
        return
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for file in (path.with_name(path.name + end) for end in BESIDE):
        if file.exists():
            _close_to_others(file)


def _close_to_others(file: Path) -> None:
    found = file.stat()
    if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & 0o077:
        file.chmod(0o600)
