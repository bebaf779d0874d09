"""The backups that the service takes by itself: before it migrates, and every day."""

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.utils import timezone

from config.data.backups.file_format import Outcome
from config.data.backups.tables import Schema
from config.data.backups.writing import back_up
from config.data.private_files import make_folder

DAILY = "daily-*.backup"
# Taken before migrations; the name says of which version and when.
BEFORE = re.compile(r"before-(?P<version>.+)-(?P<at>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.backup")
VERSIONS_KEPT, OF_A_VERSION_KEPT = 5, 3


def back_up_before(folder: Path, version: str, schema: Schema) -> tuple[Path, Outcome]:
    """Back up what the next version will change, under a name of its own. Raises OSError.

    The newest three of each of the newest five versions are kept: a migration that fails is tried
    again at each start of the service, and must not push out those of other versions.
    """
    make_folder(folder)
    file = folder / f"before-{version}-{timezone.now():%Y-%m-%dT%H-%M-%S}.backup"
    outcome = back_up(file, lambda _done, _whole: None, schema)
    _thin(folder)
    return file, outcome


def _thin(folder: Path) -> None:
    """Delete backups of before migrations, but for the newest; other files are left alone."""
    named = [(file, BEFORE.fullmatch(file.name)) for file in folder.glob("before-*.backup")]
    taken = sorted(((found["at"], found["version"], file) for file, found in named if found))
    by_version: dict[str, list[Path]] = {}
    for _, version, file in reversed(taken):
        by_version.setdefault(version, []).append(file)
    for place, files in enumerate(by_version.values()):
        for file in files[OF_A_VERSION_KEPT:] if place < VERSIONS_KEPT else files:
            file.unlink()


def back_up_daily(folder: Path, keep: int) -> Outcome | None:
    """Back up once a day, and delete all but the newest of those; None where there is nothing to
    do. Raises OSError."""
    make_folder(folder)
    file = folder / f"daily-{timezone.now():%Y-%m-%d}.backup"
    with _alone(folder) as alone:
        if not alone or file.exists():
            return None
        outcome = back_up(file, lambda _done, _whole: None)
        for old in daily(folder)[:-keep]:
            old.unlink()
        return outcome


def daily(folder: Path) -> list[Path]:
    """Return the daily backups, the oldest first."""
    return sorted(folder.glob(DAILY))


def newest(folder: Path) -> datetime | None:
    """Return when the last backup of either kind was taken."""
    times = [file.stat().st_mtime for file in folder.glob("*.backup")]
    return datetime.fromtimestamp(max(times), timezone.get_current_timezone()) if times else None


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Tell whether no other process is at it here; the lock of one that dies goes with it."""
    file = folder / ".lock"
    file.touch(mode=0o600)
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
