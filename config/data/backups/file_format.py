"""The file of a backup: its version, its foot, and what is left out of it."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import connection

from config.data.backups.tables import migrations
from league.common.version import VERSION
from league.management.database_version import newer, of_newer_version

FORMAT = "dealers-choice backup 2"
AT_ONCE = 500
SHARED = ""  # the section of rows that are no league's

Progress = Callable[[int, int], object]


class Unreadable(Exception):
    """The file is no whole backup, or one of another version; nothing was changed."""


class NotEmpty(Exception):
    """There are leagues in the database already."""


class Unsound(Exception):
    """What was read does not hold; nothing was kept of it."""


@dataclass(slots=True)
class Outcome:
    """How many rows were kept, and what was left out and why; which leagues that were."""

    rows: int = 0
    skipped: list[str] = field(default_factory=list)
    leagues: list[str] = field(default_factory=list)


def check(file: Path) -> Outcome:
    """Read the file to its end without keeping anything. Raises Unreadable."""
    digest, rows, last = sha256(), 0, ""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            require_no_newer_version(json.loads(head := next(lines, "null")))
            last = head
            for line in lines:
                digest.update(last.encode())
                rows, last = rows + last.startswith("["), line
            foot = json.loads(last)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise Unreadable(f"{file} can't be read to its end: {error}") from error
    whole = {"rows": rows, "sha256": digest.hexdigest()}
    if not isinstance(foot, dict) or foot | whole != foot:
        raise Unreadable(f"{file} is not as it was written")
    skipped = [f"not in the backup: {each}" for each in foot.get("skipped", ())]
    return Outcome(rows, skipped, list(foot.get("leagues", ())))


def require_no_newer_version(head: Any) -> None:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise Unreadable("this is no backup of ours")
    named = head.get("migrations")
    if not isinstance(named, list) or not all(isinstance(each, str) for each in named):
        raise Unreadable("this is no backup of ours: it names no migrations")
    if unknown := of_newer_version(_named(each) for each in named):
        theirs = newer(str(head.get("version", ""))[:40])
        raise Unreadable(
            f"the backup is of {theirs} than this one, {VERSION} (which does not know"
            f" {unknown:.80}): restore it with that version"
        )


def is_older(head: dict[str, Any]) -> bool:
    """Tell whether migrations have come since the file was written."""
    return set(head["migrations"]) != set(migrations())


def _named(migration: str) -> tuple[str, str]:
    app, _, name = migration.partition(".")
    return app, name


@contextmanager
def sparing(called: str, say: Callable[[str], object]) -> Iterator[None]:
    """Leave out what can't be read or written, and say so; a row may be spoilt in any way."""
    try:
        yield
    except (OSError, MemoryError, Unreadable):
        raise
    except Exception as error:
        if not connection.is_usable():
            raise  # the database is gone: that is no matter of rows
        say(f"{called} is left out: {_said(error)}")


def _said(error: Exception) -> str:
    """Return what is wrong with a row, in a line; not what a driver says of it."""
    ours = type(error) is ValueError or isinstance(error, Unsound)
    return str(error).partition("\n")[0][:300] if ours else type(error).__name__
