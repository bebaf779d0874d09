"""All rows in one file, and back again, on either kind of database.

A gzip of JSON lines: a head (format, migrations), then for each table its name with its columns
and its rows, then a foot with the number of rows and the SHA-256 of all lines before it. Sessions
and their keys are left out: people sign in again.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.core.management.color import no_style
from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from league.audits import audit
from ledger import guards

FORMAT = "dealers-choice backup 1"
# What migrations make anew, and what is of no use elsewhere.
LEFT_OUT = {"contenttypes", "auth", "sessions", "axes"}
# Keys to sessions that go on: empty here, so that whoever reads a backup can't use them.
EMPTIED = {("league_device", "session_key")}
# Snapshots: whoever writes meanwhile neither waits nor is seen.
SNAPSHOT = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",
}
# A reversal is checked against what it reverses, so these stand in this order.
FIRST = ("ledger_book", "ledger_account", "ledger_posting", "ledger_transfer")
AT_ONCE = 500

Model = type[models.Model]
Progress = Callable[[int, int], object]


class Unreadable(Exception):
    """The file is no whole backup, or one of another version; nothing was changed."""


class NotEmpty(Exception):
    """There are leagues in the database already."""


class Unsound(Exception):
    """What was read does not hold; nothing was kept of it."""


def tables() -> list[Model]:
    """Return the models whose rows are kept, in the order in which they are."""
    found = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not _left_out(model)  # noqa: SLF001 (public)
    ]
    return sorted(found, key=lambda model: (_table(model) not in FIRST, _place(model)))


def back_up(file: Path, progress: Progress) -> int:
    """Write all rows as they stand at one moment; return how many."""
    part = file.with_name(f"{file.name}.part")
    part.touch(mode=0o600)
    try:
        written = _write(part, progress)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return written


def restore(file: Path, progress: Progress, *, replace: bool = False) -> int:
    """Read a backup into a database that is migrated and has no leagues; return the rows.

    With `replace` what is there goes. All or nothing, and only what the audit finds right.
    """
    _refuse_data(replace=replace)  # before anything else: a database without tables says so here
    whole = check(file)
    try:
        with transaction.atomic():
            _make_room(replace=replace)
            _fill(file, lambda done: progress(done, whole))
            if found := audit():
                raise Unsound("; ".join(each.text for each in found[:5]))
    except (DataError, IntegrityError) as error:
        said = str(error).partition("\n")[0]
        raise Unsound(f"this database refuses what {file} holds ({said})") from error
    return whole


def check(file: Path) -> int:
    """Read the file to its end without keeping anything; return its rows. Raises Unreadable."""
    digest, rows, last = sha256(), 0, ""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            _same_version(json.loads(head := next(lines, "null")))
            last = head
            for line in lines:
                digest.update(last.encode())
                rows, last = rows + last.startswith("["), line
            foot = json.loads(last)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise Unreadable(f"{file} can't be read to its end: {error}") from error
    if foot != {"rows": rows, "sha256": digest.hexdigest()}:
        raise Unreadable(f"{file} is not as it was written")
    return rows


# --- writing ------------------------------------------------------------------------------------


def _write(part: Path, progress: Progress) -> int:
    written, digest = 0, sha256()
    with gzip.open(part, "wt", encoding="utf-8", compresslevel=6) as out:
        for line in _lines(progress):
            digest.update(f"{line}\n".encode())
            out.write(f"{line}\n")
            written += line.startswith("[")
        out.write(json.dumps({"rows": written, "sha256": digest.hexdigest()}) + "\n")
    return written


def _lines(progress: Progress) -> Iterator[str]:
    yield json.dumps({"format": FORMAT, "migrations": _migrations()})
    with _snapshot():
        found = tables()
        whole = sum(model._base_manager.count() for model in found)  # noqa: SLF001
        done = 0
        for model in found:
            fields = model._meta.concrete_fields  # noqa: SLF001 (public)
            yield json.dumps({"table": _table(model), "columns": [each.attname for each in fields]})
            names = [each.attname for each in fields]
            rows = model._base_manager.order_by("pk").values_list(*names)  # noqa: SLF001
            secret = {place for place, name in enumerate(names) if (_table(model), name) in EMPTIED}
            for row in rows.iterator(AT_ONCE):
                told = ["" if place in secret else each for place, each in enumerate(row)]
                yield json.dumps(told, default=_plain)
                done += 1
                if done % AT_ONCE == 0:
                    progress(done, whole)
        progress(whole, whole)


@contextmanager
def _snapshot() -> Iterator[None]:
    with connection.cursor() as cursor:
        if connection.in_atomic_block:
            yield  # a caller has one already
            return
        cursor.execute(SNAPSHOT[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _plain(value: object) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a backup")


def _migrations() -> list[str]:
    rows = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in rows if app not in LEFT_OUT)


# --- reading ------------------------------------------------------------------------------------


def _fill(file: Path, progress: Callable[[int], object]) -> None:
    done = 0
    for model, fields, rows in _read(file):
        _keep(model, fields, rows)
        done += len(rows)
        progress(done)
    _count_on()


def _same_version(head: Any) -> None:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise Unreadable("this is no backup of ours")
    theirs, ours = set(head["migrations"]), set(_migrations())
    if theirs != ours:
        differ = ", ".join(sorted(theirs ^ ours)[:3])
        raise Unreadable(
            f"the backup is of another version ({differ}): restore it with the version that"
            " wrote it, then migrate"
        )


def _read(file: Path) -> Iterator[tuple[Model, list[Any], list[list[Any]]]]:
    """Yield some rows of a table at a time, with its fields."""
    by_name = {_table(model): model for model in tables()}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        next(lines)
        model, fields = tables()[0], []
        for told in _grouped(json.loads(line) for line in lines):
            if isinstance(told, dict) and "table" in told:
                model = by_name[told["table"]]
                named = {each.attname: each for each in model._meta.concrete_fields}  # noqa: SLF001
                fields = [named[name] for name in told["columns"]]
            elif isinstance(told, list):
                yield model, fields, told


def _grouped(told: Iterable[Any]) -> Iterator[Any]:
    """Yield rows that follow each other as lists of some, everything else as it is."""
    waiting: list[Any] = []
    for each in told:
        if isinstance(each, list):
            waiting.append(each)
        if waiting and (not isinstance(each, list) or len(waiting) == AT_ONCE):
            yield waiting
            waiting = []
        if not isinstance(each, list):
            yield each


def _keep(model: Model, fields: list[Any], rows: list[list[Any]]) -> None:
    """Write the rows as they were told: `bulk_create` would call those with auto_now_add new."""
    made = [_made(model, fields, row) for row in rows]
    most = connection.ops.bulk_batch_size(fields, made)
    for start in range(0, len(made), most):
        some = made[start : start + most]
        query = model._base_manager.all()  # noqa: SLF001 (public)
        query._insert(some, fields=fields, raw=True)  # type: ignore[attr-defined]  # noqa: SLF001


def _made(model: Model, fields: list[Any], row: list[Any]) -> models.Model:
    values = {
        field.attname: value if isinstance(field, models.JSONField) else field.to_python(value)
        for field, value in zip(fields, row, strict=True)
    }
    return model(**values)


def _refuse_data(*, replace: bool) -> bool:
    """Tell whether there is anything that has to go first. Raises NotEmpty unless it may."""
    kept = [apps.get_model("league", name) for name in ("League", "User")]
    found = any(model._base_manager.exists() for model in kept)  # noqa: SLF001 (public)
    if found and not replace:
        raise NotEmpty
    return found


def _make_room(*, replace: bool) -> None:
    if not _refuse_data(replace=replace):
        return
    for each in guards.REGISTERED:
        guards.remove(connection, each)
    with connection.cursor() as cursor:
        for model in reversed(tables()):
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(_table(model))}")  # noqa: S608
        cursor.execute("DELETE FROM django_session")
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    for each in guards.REGISTERED:
        guards.install(connection, each)


def _count_on() -> None:
    """Let new rows get numbers after those that were read."""
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), tables()):
            cursor.execute(sql)


def _left_out(model: Model) -> bool:
    meta = model._meta  # noqa: SLF001 (public)
    named = {each.related_model for each in meta.concrete_fields if each.related_model}
    labels = {meta.app_label, *(each._meta.app_label for each in named)}  # noqa: SLF001
    return bool(labels & LEFT_OUT)


def _table(model: Model) -> str:
    return model._meta.db_table  # noqa: SLF001 (public)


def _place(model: Model) -> tuple[int, str]:
    name = _table(model)
    return (FIRST.index(name) if name in FIRST else 0, name)
