"""`manage.py restore FILE`: what a backup holds, into a new database of either kind."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from config.backups import NotEmpty, Unreadable, Unsound, restore
from league.management.commanding import OurCommand
from league.management.progress import draw


class Command(OurCommand):
    help = "Read a backup into a migrated database without leagues, and check all that it holds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="delete what the database holds now"
        )

    def handle(self, *, file: Path, replace: bool, **_options: Any) -> None:
        def progress(done: int, whole: int) -> None:
            draw(self.stdout, done, whole, "rows")

        try:
            rows = restore(file, progress, replace=replace)
        except NotEmpty:
            raise CommandError("There is data in this database: --replace deletes it.") from None
        except (Unreadable, Unsound) as error:
            raise CommandError(f"{error}. Nothing was changed.") from None
        self.stdout.write(f"{rows} rows from {file}. Everything holds.")
