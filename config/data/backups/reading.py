"""Restores a backup into an empty database. Invalid leagues and rows are omitted and reported.

A backup from an older version is first upgraded in a temporary database. A child process creates an
SQLite database with that version's tables, inserts the rows, migrates the database and backs it up
again. The rows are audited when the new file is restored.
"""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, models, transaction

from config.data.backups.file_format import (
    AT_ONCE,
    NOT_KEPT,
    SHARED,
    TODAY,
    DatabaseNotEmptyError,
    InconsistentRowsError,
    Model,
    Outcome,
    Progress,
    Schema,
    UnreadableBackupError,
    check,
    is_older,
    sparing,
    table_name,
    tables,
    unportable,
)
from league.games.documents import wrong_document
from league.integrity.audit import audit_league
from league.integrity.row_owners import dangling, rows_of
from league.models import GameDocument, League
from ledger import guards
from ledger.audit import unguarded

Chunk = tuple[Model, list[Any], list[list[Any]]]
Section = tuple[UUID | None, Model, list[Any], list[list[Any]]]


def restore(file: Path, progress: Progress, *, replace: bool = False) -> Outcome:
    """Read a backup into a migrated database that has no leagues.

    `replace` deletes the existing rows first, and fails if any of the existing leagues can't be
    restored. A league is restored completely if its audit finds no errors, and omitted otherwise.
    Raises UnreadableBackupError, DatabaseNotEmptyError, or InconsistentRowsError if nothing can be
    restored.
    """
    # checked first, because the check fails in a database without tables
    _refuse_data(replace=replace)
    was = check(file)
    with brought_up(file) as newer:
        whole = check(newer)
        reading = _Reading(Outcome(0, whole.skipped, whole.leagues), progress, whole.rows)
        with transaction.atomic():
            leagues_before = {str(pk) for pk in League.objects.values_list("pk", flat=True)}
            _make_room(replace=replace)
            for section, chunks in groupby(_well_formed(newer), key=lambda chunk: chunk[0]):
                batches = ((model, fields, rows) for _, model, fields, rows in chunks)
                if section is None:
                    reading.store_shared(batches)
                else:
                    reading.store_league(section, batches)
            with connection.cursor() as cursor:
                for sql in connection.ops.sequence_reset_sql(no_style(), tables()):
                    cursor.execute(sql)
            lost = leagues_before.intersection(reading.outcome.leagues)
            if reading.outcome.leagues and (lost or not League.objects.exists()):
                raise InconsistentRowsError("; ".join(reading.outcome.skipped))
            if findings := unguarded():
                raise InconsistentRowsError("; ".join(each.text for each in findings))
        outcome = reading.outcome
    if newer != file:  # the upgraded file lists only rows omitted by the upgrade
        outcome.skipped[:0] = was.skipped
    return outcome


@dataclass(slots=True)
class _Reading:
    """The progress of a restore."""

    outcome: Outcome
    progress: Progress
    whole: int

    def add(self, rows: int) -> None:
        self.outcome.rows += rows
        self.progress(self.outcome.rows, self.whole)

    def store_shared(self, chunks: Iterable[Chunk]) -> None:
        """Store the rows that do not belong to a league, except invalid ones.

        Rejected rows are retried, because they may reference a later row (a journal entry
        references its head).
        """
        refused: list[Chunk] = []
        for model, fields, rows in chunks:
            if stored := _try(model, fields, rows):
                self.add(stored)
            else:
                refused += ((model, fields, [row]) for row in rows)
        for model, fields, [row] in refused:
            if _try(model, fields, [row]):
                self.add(1)
            else:
                text = f"row {row[0]} of {table_name(model)} is left out because it is invalid"
                self.outcome.skipped.append(text)

    def store_league(self, league: UUID, chunks: Iterable[Chunk]) -> None:
        """Store all rows of a league if they belong to it and pass its audit, otherwise none."""
        counts: dict[Model, int] = {}
        whole, outcome = False, self.outcome
        with sparing(f"league {league}", outcome.skipped.append), transaction.atomic():
            for model, fields, rows in chunks:
                _insert_unchanged(model, fields, rows)
                counts[model] = counts.get(model, 0) + len(rows)
            for model, number in counts.items():
                if rows_of(model, league).count() != number:
                    raise InconsistentRowsError(
                        f"rows of {table_name(model)} belong to another league"
                    )
            findings = list(dangling(league)) or audit_league(League.objects.get(pk=league))
            if findings:
                raise InconsistentRowsError("; ".join(each.text for each in findings[:5]))
            # check constraints now, not at the end of the transaction
            if connection.vendor == "postgresql":
                connection.check_constraints()
            whole = True
        if whole:
            self.add(sum(counts.values()))
        else:
            outcome.leagues.append(str(league))


def _well_formed(file: Path) -> Iterator[Section]:
    """Yield the sections from `read`. Raises UnreadableBackupError for any malformed line."""
    try:
        yield from read(file)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise UnreadableBackupError(f"{file} is not a backup made by this service") from error


def _try(model: Model, fields: list[Any], rows: list[list[Any]]) -> int:
    """Return the number of rows stored: either all of them or 0."""
    stored: list[list[Any]] = []
    with sparing("", lambda _: None), transaction.atomic():
        _insert_unchanged(model, fields, rows)
        connection.check_constraints([table_name(model)])
        stored = rows
    return len(stored)


def read(file: Path, schema: Schema = TODAY) -> Iterator[Section]:
    """Yield batches of rows from a table, each with its league, model and fields."""
    all_models = tables(schema)
    by_name = {table_name(model): model for model in all_models}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        next(lines)
        league: UUID | None = None
        model, fields = all_models[0], list[Any]()
        is_kept = True
        for part in _grouped(json.loads(line) for line in lines):
            match part:
                case list() if is_kept:
                    yield league, model, fields, part
                case {"section": section}:
                    league = UUID(section) if section != SHARED else None
                case {"table": table} if table in NOT_KEPT:  # earlier versions kept more tables
                    is_kept = False
                case {"table": table, "columns": columns}:
                    is_kept, model = True, by_name[table]
                    named = {each.attname: each for each in model._meta.concrete_fields}  # noqa: SLF001
                    fields = [named[name] for name in columns]


def _grouped(part: Iterable[Any]) -> Iterator[Any]:
    """Yield consecutive rows in batches, and other lines unchanged."""
    waiting: list[Any] = []
    for line in part:
        if isinstance(line, list):
            waiting.append(line)
        if waiting and (not isinstance(line, list) or len(waiting) == AT_ONCE):
            yield waiting
            waiting = []
        if not isinstance(line, list):
            yield line


def _insert_unchanged(model: Model, fields: list[Any], rows: list[list[Any]]) -> None:
    """Insert the rows as they are. `bulk_create` would overwrite fields with auto_now_add.

    Raises ValueError or InconsistentRowsError.
    """
    instances = [as_model(model, fields, row) for row in rows]
    for instance, row in zip(instances, rows, strict=True):
        part = [getattr(instance, field.attname) for field in model._meta.concrete_fields]  # noqa: SLF001
        if wrong := unportable(model, part, json.dumps(row)):
            raise ValueError(wrong)
        if isinstance(instance, GameDocument) and (wrong := wrong_document(instance)):
            raise InconsistentRowsError(f"document {instance.pk}: {wrong}")
    insert(model, fields, instances)


def insert(model: Model, fields: list[Any], made: list[models.Model]) -> None:
    most = connection.ops.bulk_batch_size(fields, made)
    for start in range(0, len(made), most):
        batch = made[start : start + most]
        query = model._base_manager.all()  # noqa: SLF001 (public)
        query._insert(batch, fields=fields, raw=True)  # type: ignore[attr-defined]  # noqa: SLF001


def as_model(model: Model, fields: list[Any], row: list[Any]) -> models.Model:
    values = {
        field.attname: value if isinstance(field, models.JSONField) else field.to_python(value)
        for field, value in zip(fields, row, strict=True)
    }
    return model(**values)


def _refuse_data(*, replace: bool) -> bool:
    """Return whether there are rows to delete. Raises DatabaseNotEmptyError without `replace`."""
    models = [apps.get_model("league", name) for name in ("League", "User")]
    has_data = any(model._base_manager.exists() for model in models)  # noqa: SLF001 (public)
    if has_data and not replace:
        raise DatabaseNotEmptyError
    return has_data


def _make_room(*, replace: bool) -> None:
    if not _refuse_data(replace=replace):
        return
    for guard in guards.REGISTERED:
        guards.remove(connection, guard)
    with connection.cursor() as cursor:
        for model in reversed(tables()):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table_name(model))}")  # noqa: S608
        for name in ("league_passwordlink", "usersessions_usersession", "django_session"):
            cursor.execute(f"DELETE FROM {name}")  # noqa: S608 (the name comes from our own list)
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    for guard in guards.REGISTERED:
        guards.install(connection, guard)


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
