"""`manage.py backup FILE`: everything as it stands at one moment, while the service runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from config.backups import back_up
from league.management.commanding import OurCommand
from league.management.progress import draw


class Command(OurCommand):
    help = "Write all data into one file, as it stands at one moment; the service may run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **_options: Any) -> None:
        rows = back_up(file, lambda done, whole: draw(self.stdout, done, whole, "rows"))
        self.stdout.write(f"{rows} rows in {file}.")
