"""The file of a backup: its version, its foot, the rows that it can contain."""

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, models
from django.db.backends.base.operations import BaseDatabaseOperations

from config.data.backups.tables import migrations
from league import VERSION
from league.common.text import unstorable
from league.management.database_version import newer, of_newer_version

FORMAT = "dealers-choice backup 2"
AT_ONCE = 500
SHARED = ""  # the section of rows that belong to no league
# As JSON is written: what may be a NUL or half a character. Few rows have one.
_SUSPECT = re.compile(r"\\u0000|\\ud[89a-f]")
RANGES = BaseDatabaseOperations.integer_field_ranges

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
    keys = ((app, name) for app, _, name in (each.partition(".") for each in named))
    if unknown := of_newer_version(keys):
        theirs = newer(str(head.get("version", ""))[:40])
        raise Unreadable(
            f"the backup is of {theirs} than this one, {VERSION} (which does not know"
            f" {unknown:.80}): restore it with that version"
        )


def is_older(head: dict[str, Any]) -> bool:
    """Tell whether migrations have come since the file was written."""
    return set(head["migrations"]) != set(migrations())


@contextmanager
def sparing(called: str, say: Callable[[str], object]) -> Iterator[None]:
    """Leave out what can't be read or written, and report it; a row may be spoilt in any way."""
    try:
        yield
    except (OSError, MemoryError, Unreadable):
        raise
    except Exception as error:
        if not connection.is_usable():
            raise  # the database is gone: that is no matter of rows
        # what a driver says of a row is not shown
        ours = type(error) is ValueError or isinstance(error, Unsound)
        text = str(error).partition("\n")[0][:300] if ours else type(error).__name__
        say(f"{called} is left out: {text}")


def unportable(model: type[models.Model], row: Sequence[Any], line: str) -> str:
    """Return what PostgreSQL or SQLite would refuse of a row, "" if both accept it.

    SQLite accepts more than PostgreSQL does. `line` is the row as JSON.
    """
    suspect = _SUSPECT.search(line)
    for column, value in zip(model._meta.concrete_fields, row, strict=True):  # noqa: SLF001 (public)
        if value is None:
            wrong = "" if column.null else "nothing is there"
        elif isinstance(column, models.JSONField):
            wrong = "it is no JSON that can be kept" if suspect and any(unstorable(value)) else ""
        else:
            wrong = _wrong(column, value)
            if not wrong and suspect and any(unstorable(value)):
                wrong = "a NUL or half a character is in it"
        if wrong:
            table = model._meta.db_table  # noqa: SLF001 (public)
            return f"{column.name} of row {row[0]!s:.40} of {table}: {wrong}"
    return ""


def _wrong(column: Any, value: Any) -> str:
    """Return why a column does not accept a value."""
    if isinstance(value, str):
        most = getattr(column, "max_length", None)
        if most and len(value) > most:
            return "it is too long"
    elif type(value) is int and (bounds := _range(column)):
        return "" if bounds[0] <= value <= bounds[1] else "the number is too large"
    try:
        return "" if column.to_python(value) == value else "it is of another type"
    except ValidationError:
        return "it is of another type"


@cache
def _range(column: Any) -> tuple[int, int] | None:
    """Return the least and the largest number of the column."""
    while isinstance(column, models.ForeignKey):
        column = column.target_field
    return RANGES.get(column.get_internal_type())
