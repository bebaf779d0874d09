"""`manage.py backup FILE` writes a snapshot of all rows to a file, even while the service runs."""

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from config.data.backups.file_format import Outcome
from config.data.backups.writing import back_up
from league.management.base_command import ServiceCommand, show_progress


class Command(ServiceCommand):
    help = "Write a snapshot of all data into one file. The service may be running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="- writes it to the standard output")

    def handle(self, *, file: Path, **_options: Any) -> None:
        """Write the file. Exits with 1 if any rows were omitted."""
        if str(file) != "-":
            outcome = self._write(file)
        else:
            self.stdout = self.stderr  # messages go to stderr because the file is written to stdout
            with tempfile.TemporaryDirectory() as folder:
                outcome = self._write(whole := Path(folder) / "league.backup")
                with whole.open("rb") as written:
                    shutil.copyfileobj(written, sys.stdout.buffer)
                sys.stdout.buffer.flush()
        self.stdout.write(f"{outcome.rows} rows in {file}.")
        for each in outcome.skipped:
            self.stdout.write(each)
        if outcome.skipped:
            raise SystemExit(1)

    def _write(self, file: Path) -> Outcome:
        return back_up(file, lambda done, whole: show_progress(self.stdout, done, whole, "rows"))
