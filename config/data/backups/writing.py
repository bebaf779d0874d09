"""Writes all rows from one snapshot to a file: on request, daily, and before migrations."""

import fcntl
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from hashlib import sha256
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any
from uuid import UUID

from django.utils import timezone

from config.data.backups.file_format import (
    AT_ONCE,
    FORMAT,
    SHARED,
    TODAY,
    Model,
    Outcome,
    Progress,
    Schema,
    columns_of,
    migrations,
    sparing,
    table_name,
    tables,
    unportable,
)
from config.data.private_files import make_folder
from league.integrity.row_owners import foreign_keys, path_to_league, rows_of
from ledger.sql import snapshot

DAILY = "daily-*.backup"
# The name of a backup taken before migrations. It contains the version and the time.
BEFORE = re.compile(r"before-(?P<version>.+)-(?P<at>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)\.backup")
VERSIONS_KEPT, OF_A_VERSION_KEPT = 5, 3


def back_up_before(folder: Path, version: str, schema: Schema) -> tuple[Path, Outcome]:
    """Back up before the next version's migrations. Raises OSError.

    For each of the newest five versions, the newest three backups are kept. A failing migration is
    retried whenever the service starts, and its backups must not displace those of other versions.
    Other files are not deleted.
    """
    make_folder(folder)
    file = folder / f"before-{version}-{timezone.now():%Y-%m-%dT%H-%M-%S}.backup"
    outcome = back_up(file, lambda _done, _whole: None, schema)
    named = [(old, BEFORE.fullmatch(old.name)) for old in folder.glob("before-*.backup")]
    taken = sorted(((match["at"], match["version"], old) for old, match in named if match))
    by_version: dict[str, list[Path]] = {}
    for _, taken_of, old in reversed(taken):
        by_version.setdefault(taken_of, []).append(old)
    for place, files in enumerate(by_version.values()):
        for old in files[OF_A_VERSION_KEPT:] if place < VERSIONS_KEPT else files:
            old.unlink()
    return file, outcome


def back_up_daily(folder: Path, keep: int) -> Outcome | None:
    """Back up once a day and keep the newest `keep` backups. Return None if today's exists.

    Raises OSError.
    """
    make_folder(folder)
    file = folder / f"daily-{timezone.now():%Y-%m-%d}.backup"
    with _backup_lock(folder) as alone:
        if not alone or file.exists():
            return None
        outcome = back_up(file, lambda _done, _whole: None)
        for old in daily(folder)[:-keep]:
            old.unlink()
        return outcome


def daily(folder: Path) -> list[Path]:
    """Return the daily backups, oldest first."""
    return sorted(folder.glob(DAILY))


def newest(folder: Path) -> datetime | None:
    """Return when the last backup of either kind was taken, or None without a backup."""
    times = [file.stat().st_mtime for file in folder.glob("*.backup")]
    return datetime.fromtimestamp(max(times), timezone.get_current_timezone()) if times else None


@contextmanager
def _backup_lock(folder: Path) -> Iterator[bool]:
    """Yield whether no other process is backing up. A killed process releases its lock."""
    file = folder / ".lock"
    file.touch(mode=0o600)
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


# Keys of active sessions. They are stripped from backups, so that people who can read the file
# can't use them.
EMPTIED = {("league_device", "session_key"), ("league_pushsubscription", "session_key")}
# maximum size of a league's rows in memory; larger leagues use a temporary file
IN_MEMORY = 16 * 1024 * 1024


def back_up(file: Path, progress: Progress, schema: Schema = TODAY) -> Outcome:
    """Write all rows from one database snapshot to the file."""
    part = file.with_name(f"{file.name}.part")
    part.touch(mode=0o600)
    outcome, digest = Outcome(), sha256()
    try:
        with gzip.open(part, "wt", encoding="utf-8", compresslevel=6) as out:
            for line in _lines(progress, outcome, schema):
                digest.update(f"{line}\n".encode())
                out.write(f"{line}\n")
                outcome.rows += line.startswith("[")
            left_out = {"skipped": outcome.skipped, "leagues": outcome.leagues}
            foot = {"rows": outcome.rows, "sha256": digest.hexdigest(), **left_out}
            out.write(json.dumps(foot) + "\n")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return outcome


def _lines(progress: Progress, outcome: Outcome, schema: Schema) -> Iterator[str]:
    models = tables(schema)
    yield json.dumps({"format": FORMAT, "version": schema.version, "migrations": migrations()})
    with snapshot():
        whole = sum(model._base_manager.count() for model in models)  # noqa: SLF001
        yield json.dumps({"section": SHARED})
        # Models without foreign keys come first, so that referenced rows precede the rows that
        # reference them.
        for model in sorted(models, key=lambda model: any(foreign_keys(model))):
            yield from _shared(model, outcome)
        leagues = schema.registry.get_model("league", "League")._base_manager  # noqa: SLF001
        for league in leagues.order_by("pk").values_list("pk", flat=True):
            progress(outcome.rows, whole)
            yield from _section(league, models, outcome)
        for model in models:  # rows that belong to no league but should
            if way := path_to_league(model):
                rows = model._base_manager  # noqa: SLF001 (public)
                in_league = rows.filter(**{f"{way}__isnull": False}).count()
                if lost := rows.count() - in_league - rows_of(model, None).count():
                    outcome.skipped.append(
                        f"{lost} rows of {table_name(model)} are left out: they belong to no league"
                    )
        progress(whole, whole)


def _section(league: UUID, all_models: list[Model], outcome: Outcome) -> Iterator[str]:
    """Yield all rows of a league, or none if any of them can't be written."""
    with SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8") as waiting:
        whole = False
        with sparing(f"league {league}", outcome.skipped.append):
            waiting.write(json.dumps({"section": str(league)}) + "\n")
            for model in all_models:
                if path_to_league(model):
                    waiting.write(f"{_heading(model)}\n")
                    for row in _values(model, rows_of(model, league).order_by("pk")):
                        waiting.write(f"{_line(model, row)}\n")
            whole = True
        if not whole:
            outcome.leagues.append(str(league))
            return
        waiting.seek(0)
        for line in waiting:
            yield line.rstrip("\n")


def _shared(model: Model, outcome: Outcome) -> Iterator[str]:
    """Yield a table's rows that do not belong to a league, except rows that can't be written."""
    yield _heading(model)
    rows = rows_of(model, None).order_by("pk")
    keys = list(rows.values_list("pk", flat=True))
    for at in range(0, len(keys), AT_ONCE):
        batch, lines = keys[at : at + AT_ONCE], list[str]()
        with sparing("", lambda _: None):
            lines += [_line(model, row) for row in _values(model, rows.filter(pk__in=batch))]
        if lines:
            yield from lines
            continue
        for key in batch:  # one by one, because at least one row is invalid
            line = ""
            with sparing(f"row {key} of {table_name(model)}", outcome.skipped.append):
                [row] = _values(model, rows.filter(pk=key))
                line = _line(model, row)
            if line:
                yield line


def _values(model: Model, rows: Any) -> Iterator[tuple[Any, ...]]:
    values: Iterator[tuple[Any, ...]] = rows.values_list(*columns_of(model)).iterator(AT_ONCE)
    return values


def _heading(model: Model) -> str:
    return json.dumps({"table": table_name(model), "columns": columns_of(model)})


def _line(model: Model, row: tuple[Any, ...]) -> str:
    """Return the row as a JSON line. Raises ValueError if PostgreSQL or SQLite would reject it."""
    values = [
        "" if (table_name(model), name) in EMPTIED else each
        for name, each in zip(columns_of(model), row, strict=True)
    ]
    line = json.dumps(values, default=_plain, allow_nan=False)
    if wrong := unportable(model, values, line):
        raise ValueError(wrong)
    return line


def _plain(value: object) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a backup")
