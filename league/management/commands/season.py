"""`manage.py season` exports a season to a file, or imports it into an empty league."""

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from league.archive.export_season import export_season
from league.archive.file_format import LONGEST_LINE
from league.archive.import_season import import_season
from league.common.errors import RefusedError
from league.management.base_command import ServiceCommand
from league.models import League, Season


class Command(ServiceCommand):
    help = "Export a season to a file, or import such a file into an empty league."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["export", "import"])
        parser.add_argument(
            "id",
            type=UUID,
            help="the id of the season to export, or of the empty league to import into",
        )
        parser.add_argument("file", type=Path)

    def handle(self, *, what: str, id: UUID, file: Path, **options: Any) -> None:  # noqa: A002
        if what == "export":
            self._export(id, file)
        else:
            self._import(id, file)

    def _export(self, season_id: UUID, file: Path) -> None:
        season = Season.objects.select_related("league__book").filter(pk=season_id).first()
        if season is None:
            raise CommandError(f"There is no season {season_id}.", returncode=2)
        with file.open("w", encoding="utf-8") as out:
            rows = sum(1 for line in export_season(season) if out.write(f"{line}\n"))
        self.stdout.write(f"{season}: {rows} rows in {file}.")

    def _import(self, league_id: UUID, file: Path) -> None:
        league = League.objects.select_related("book").filter(pk=league_id).first()
        if league is None:
            raise CommandError(f"There is no league {league_id}.", returncode=2)
        try:
            with file.open(encoding="utf-8", errors="replace") as stream:
                # read no more than the maximum line length
                lines = iter(partial(stream.readline, LONGEST_LINE + 1), "")
                season = import_season(league, lines, seconds=None)
        except RefusedError as refused:
            raise CommandError("\n".join(each["text"] for each in refused.errors)) from None
        self.stdout.write(f"{season} is in {league}.")
