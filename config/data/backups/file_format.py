"""The backup file format: its tables and their order, version, last line and valid values."""

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

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from league import VERSION
from league.common.text import unstorable
from league.management.base_command import RELEASE, newer, of_newer_version, recorded_version

# Tables that migrations recreate, or that are of no use on another installation.
LEFT_OUT = {"contenttypes", "auth", "sessions", "axes", "usersessions", RELEASE}
# Password links. They expire within an hour and give access to an account.
NOT_KEPT = {"league_passwordlink"}
# The last run of each job, which applies only to this installation.
NOT_KEPT |= {"league_lastrun"}
# Files that wait to be imported. They are deleted after a day.
NOT_KEPT |= {"league_importjob"}
# allauth tables that this service does not use.
NOT_KEPT |= {"account_emailconfirmation", "socialaccount_socialapp", "socialaccount_socialtoken"}
# The order matters because a reversal is checked against the transfer it reverses.
FIRST = ("ledger_book", "ledger_account", "ledger_posting", "ledger_transfer")

Model = type[models.Model]


@dataclass(frozen=True)
class Schema:
    """The models for reading a database, and their version."""

    registry: Any  # the current app registry, or the registry as of the applied migrations
    version: str


TODAY = Schema(apps, VERSION)


def applied_schema() -> Schema:
    """Return the models as of the applied migrations, which may differ from this version."""
    executor = MigrationExecutor(connection)
    applied = [
        key for key in executor.loader.applied_migrations if key in executor.loader.graph.nodes
    ]
    state = executor.loader.project_state(applied)
    return Schema(state.apps, recorded_version(connection))


def tables(schema: Schema = TODAY) -> list[Model]:
    """Return the models whose rows are backed up, in the order in which rows are written."""
    kept = []
    for model in schema.registry.get_models(include_auto_created=True):
        meta = model._meta  # noqa: SLF001 (public)
        if not meta.managed or table_name(model) in NOT_KEPT:
            continue
        related = {each.related_model for each in meta.concrete_fields if each.related_model}
        labels = {meta.app_label, *(each._meta.app_label for each in related)}  # noqa: SLF001
        if not labels & LEFT_OUT:
            kept.append(model)
    places = {name: place for place, name in enumerate(FIRST)}
    by_name = sorted(kept, key=table_name)
    return sorted(by_name, key=lambda model: places.get(table_name(model), len(FIRST)))


def table_name(model: Model) -> str:
    return model._meta.db_table  # noqa: SLF001 (public)


def columns_of(model: Model) -> list[str]:
    return [each.attname for each in model._meta.concrete_fields]  # noqa: SLF001 (public)


def migrations() -> list[str]:
    rows = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in rows if app not in LEFT_OUT)


FORMAT = "dealers-choice backup 2"
AT_ONCE = 500
SHARED = ""  # the section for rows that do not belong to a league
# JSON escapes that may encode a NUL or a lone surrogate. Few rows contain such escapes.
_SUSPECT = re.compile(r"\\u0000|\\ud[89a-f]")
RANGES = BaseDatabaseOperations.integer_field_ranges

Progress = Callable[[int, int], object]


class UnreadableBackupError(Exception):
    """The file is not a complete backup, or is from a newer version. Nothing was changed."""


class DatabaseNotEmptyError(Exception):
    """The database already has leagues or users."""


class InconsistentRowsError(Exception):
    """The rows contradict each other, so none of them were stored."""


@dataclass(slots=True)
class Outcome:
    """The number of rows stored, the reasons for omitting others, and their leagues."""

    rows: int = 0
    skipped: list[str] = field(default_factory=list)
    leagues: list[str] = field(default_factory=list)


def check(file: Path) -> Outcome:
    """Read the whole file and verify its digest. Raises UnreadableBackupError."""
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
        raise UnreadableBackupError(f"{file} can't be read to its end: {error}") from error
    whole = {"rows": rows, "sha256": digest.hexdigest()}
    if not isinstance(foot, dict) or foot | whole != foot:
        raise UnreadableBackupError(f"{file} is damaged or was changed")
    skipped = [f"not in the backup: {each}" for each in foot.get("skipped", ())]
    return Outcome(rows, skipped, list(foot.get("leagues", ())))


def require_no_newer_version(head: Any) -> None:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise UnreadableBackupError("this is not a backup made by this service")
    named = head.get("migrations")
    if not isinstance(named, list) or not all(isinstance(migration, str) for migration in named):
        raise UnreadableBackupError(
            "this is not a backup made by this service: it has no migrations"
        )
    keys = ((app, name) for app, _, name in (migration.partition(".") for migration in named))
    if unknown := of_newer_version(keys):
        theirs = newer(str(head.get("version", ""))[:40])
        raise UnreadableBackupError(
            f"the backup is of {theirs} than this one, {VERSION} (which does not know"
            f" {unknown:.80}): restore it with that version"
        )


def is_older(head: dict[str, Any]) -> bool:
    """Return whether the file's migrations differ from this version's."""
    return set(head["migrations"]) != set(migrations())


@contextmanager
def sparing(called: str, say: Callable[[str], object]) -> Iterator[None]:
    """Report rows that can't be read or written, and continue. A row may be damaged in any way.

    `called` describes the rows in the report.
    """
    try:
        yield
    except (OSError, MemoryError, UnreadableBackupError):
        raise
    except Exception as error:
        if not connection.is_usable():
            raise  # the error is caused by the unavailable database, not by the row
        # a driver's error message could contain the row
        ours = type(error) is ValueError or isinstance(error, InconsistentRowsError)
        text = str(error).partition("\n")[0][:300] if ours else type(error).__name__
        say(f"{called} is left out: {text}")


def unportable(model: type[models.Model], row: Sequence[Any], line: str) -> str:
    """Return why PostgreSQL or SQLite would reject the row, or "" if both accept it.

    SQLite accepts more than PostgreSQL. `line` is the row as JSON.
    """
    suspect = _SUSPECT.search(line)
    for column, value in zip(model._meta.concrete_fields, row, strict=True):  # noqa: SLF001 (public)
        if value is None:
            reason = "" if column.null else "nothing is there"
        elif isinstance(column, models.JSONField):
            reason = "it is JSON that can't be stored" if suspect and any(unstorable(value)) else ""
        else:
            reason = _reason_to_refuse(column, value)
            if not reason and suspect and any(unstorable(value)):
                reason = "it contains a NUL or half a character"
        if reason:
            table = model._meta.db_table  # noqa: SLF001 (public)
            return f"{column.name} of row {row[0]!s:.40} of {table}: {reason}"
    return ""


def _reason_to_refuse(column: Any, value: Any) -> str:
    """Return why the column does not accept the value, or "" if it does."""
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
    """Return the smallest and largest numbers that the column accepts, or None."""
    while isinstance(column, models.ForeignKey):
        column = column.target_field
    return RANGES.get(column.get_internal_type())
