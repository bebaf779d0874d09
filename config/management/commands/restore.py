"""`manage.py restore FILE` restores a backup into a new database of either kind."""

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from config.data.backups.file_format import (
    DatabaseNotEmptyError,
    InconsistentRowsError,
    UnreadableBackupError,
)
from config.data.backups.reading import restore
from league.management.base_command import ServiceCommand, show_progress


class Command(ServiceCommand):
    help = "Read a backup into a migrated database without leagues, and check its content."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="- reads it from the standard input")
        parser.add_argument("--replace", action="store_true", help="delete the current data first")

    def handle(self, *, file: Path, replace: bool, **_options: Any) -> None:
        """Restore the file. Exits with 1 if any rows were omitted."""

        def progress(done: int, whole: int) -> None:
            show_progress(self.stdout, done, whole, "rows")

        try:
            with _on_the_disk(file) as whole:
                outcome = restore(whole, progress, replace=replace)
        except DatabaseNotEmptyError:
            raise CommandError("There is data in this database: --replace deletes it.") from None
        except (UnreadableBackupError, InconsistentRowsError) as error:
            raise CommandError(f"{error}. Nothing was changed.") from None
        self.stdout.write(f"{outcome.rows} rows from {file}. Everything holds.")
        for each in outcome.skipped:
            self.stdout.write(each)
        if outcome.skipped:
            raise SystemExit(1)


@contextmanager
def _on_the_disk(file: Path) -> Iterator[Path]:
    """Yield the file's path. Standard input is copied to a file, because it is read twice."""
    if str(file) != "-":
        yield file
        return
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "league.backup"
        with whole.open("xb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield whole
