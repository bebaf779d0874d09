"""`manage.py backup FILE`: everything as it stands at one moment, while the service runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from config.data.backups.writing import back_up
from league.management.base_command import ServiceCommand
from league.management.progress_bar import show_progress


class Command(ServiceCommand):
    help = "Write all data into one file, as it stands at one moment; the service may run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_options: Any) -> None:
        """Write the file; exit with 1 if anything had to be left out."""
        outcome = back_up(file, lambda done, whole: show_progress(self.stdout, done, whole, "rows"))
        self.stdout.write(f"{outcome.rows} rows in {file}.")
        for each in outcome.skipped:
            self.stdout.write(each)
        if outcome.skipped:
            raise SystemExit(1)
