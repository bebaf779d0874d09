"""`manage.py restore FILE`: what a backup holds, into a new database of either kind."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from config.data.backups.file_format import NotEmpty, Unreadable, Unsound
from config.data.backups.reading import restore
from league.management.base_command import ServiceCommand
from league.management.progress_bar import show_progress


class Command(ServiceCommand):
    help = "Read a backup into a migrated database without leagues, and check all that it holds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="delete what the database holds now"
        )

    def handle(self, *, file: Path, replace: bool, **_options: Any) -> None:
        """Read the file; exit with 1 if anything had to be left out."""

        def progress(done: int, whole: int) -> None:
            show_progress(self.stdout, done, whole, "rows")

        try:
            outcome = restore(file, progress, replace=replace)
        except NotEmpty:
            raise CommandError("There is data in this database: --replace deletes it.") from None
        except (Unreadable, Unsound) as error:
            raise CommandError(f"{error}. Nothing was changed.") from None
        self.stdout.write(f"{outcome.rows} rows from {file}. Everything holds.")
        for each in outcome.skipped:
            self.stdout.write(each)
        if outcome.skipped:
            raise SystemExit(1)
