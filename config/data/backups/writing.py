"""Write all rows into a file, as they stand at one moment."""

import gzip
import json
from collections.abc import Iterator
from datetime import date, time
from hashlib import sha256
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any
from uuid import UUID

from config.data.backups.file_format import (
    AT_ONCE,
    FORMAT,
    SHARED,
    Outcome,
    Progress,
    sparing,
    unportable,
)
from config.data.backups.tables import (
    TODAY,
    Model,
    Schema,
    columns_of,
    migrations,
    table_name,
    tables,
)
from league.integrity.triggers import foreign_keys, rows_of, way_to_league
from ledger.sql import snapshot

# Keys to sessions that go on: empty here, so that whoever reads a backup can't use them.
EMPTIED = {("league_device", "session_key"), ("league_pushsubscription", "session_key")}
IN_MEMORY = 16 * 1024 * 1024  # bytes of a league's rows, more go to a file of their own


def back_up(file: Path, progress: Progress, schema: Schema = TODAY) -> Outcome:
    """Write all rows as they are at one moment."""
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
    known = tables(schema)
    yield json.dumps({"format": FORMAT, "version": schema.version, "migrations": migrations()})
    with snapshot():
        whole = sum(model._base_manager.count() for model in known)  # noqa: SLF001
        yield json.dumps({"section": SHARED})
        # first what names no others, so that whatever is named stands before it
        for model in sorted(known, key=lambda model: any(foreign_keys(model))):
            yield from _shared(model, outcome)
        leagues = schema.registry.get_model("league", "League")._base_manager  # noqa: SLF001
        for league in leagues.order_by("pk").values_list("pk", flat=True):
            progress(outcome.rows, whole)
            yield from _section(league, known, outcome)
        outcome.skipped += _lost(known)
        progress(whole, whole)


def _section(league: UUID, known: list[Model], outcome: Outcome) -> Iterator[str]:
    """Yield the rows of a league: all of them, or none where one can't be kept."""
    with SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8") as waiting:
        whole = False
        with sparing(f"league {league}", outcome.skipped.append):
            waiting.write(json.dumps({"section": str(league)}) + "\n")
            for model in known:
                if way_to_league(model):
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
    """Yield the rows of a table that belong to no league, without those that can't be kept."""
    yield _heading(model)
    rows = rows_of(model, None).order_by("pk")
    keys = list(rows.values_list("pk", flat=True))
    for at in range(0, len(keys), AT_ONCE):
        some, lines = keys[at : at + AT_ONCE], list[str]()
        with sparing("", lambda _: None):
            lines += [_line(model, row) for row in _values(model, rows.filter(pk__in=some))]
        if lines:
            yield from lines
            continue
        for key in some:  # one of them can't be kept
            line = ""
            with sparing(f"row {key} of {table_name(model)}", outcome.skipped.append):
                [row] = _values(model, rows.filter(pk=key))
                line = _line(model, row)
            if line:
                yield line


def _values(model: Model, rows: Any) -> Iterator[tuple[Any, ...]]:
    found: Iterator[tuple[Any, ...]] = rows.values_list(*columns_of(model)).iterator(AT_ONCE)
    return found


def _heading(model: Model) -> str:
    return json.dumps({"table": table_name(model), "columns": columns_of(model)})


def _line(model: Model, row: tuple[Any, ...]) -> str:
    """Return the row as a line. Raises ValueError where the other database would refuse it."""
    values = [
        "" if (table_name(model), name) in EMPTIED else each
        for name, each in zip(columns_of(model), row, strict=True)
    ]
    line = json.dumps(values, default=_plain, allow_nan=False)
    if wrong := unportable(model, values, line):
        raise ValueError(wrong)
    return line


def _lost(known: list[Model]) -> Iterator[str]:
    """Yield the tables with rows that lead to no league though they should."""
    for model in known:
        if way := way_to_league(model):
            rows = model._base_manager  # noqa: SLF001 (public)
            found = rows.filter(**{f"{way}__isnull": False}).count()
            if lost := rows.count() - found - rows_of(model, None).count():
                yield f"{lost} rows of {table_name(model)} are left out: they belong to no league"


def _plain(value: object) -> str:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a backup")
