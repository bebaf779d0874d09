"""`manage.py export --duckdb league.duckdb`: export a league as a DuckDB file for SQL queries."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from api.feeds.files import duckdb_file
from league.management.base_command import ServiceCommand
from league.models import League


class Command(ServiceCommand):
    help = "Write a league to a DuckDB file with a table for each feed, views and comments."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--duckdb", type=Path, required=True, metavar="FILE")
        parser.add_argument("--league", type=UUID, help="the id of the league; needed if several")

    def handle(self, **options: Any) -> None:
        if not duckdb_file.is_there():
            raise CommandError(duckdb_file.MISSING)
        path: Path = options["duckdb"]
        if path.exists():
            raise CommandError(f"{path} already exists.", returncode=2)
        wanted: UUID | None = options["league"]
        leagues = League.objects.order_by("name", "pk")
        candidates = list((leagues.filter(pk=wanted) if wanted else leagues)[:2])
        if len(candidates) != 1:
            names = ", ".join(f"{each.pk} ({each.name})" for each in leagues[:20])
            which = f"Choose a league with --league: {names or 'there are none'}"
            text = f"There is no league {wanted}." if wanted else which
            raise CommandError(text, returncode=2)
        [league] = candidates
        part = path.with_name(f"{path.name}.part")
        part.touch()  # raises OSError for a bad path, where DuckDB would raise its own error
        part.unlink()
        try:
            rows = duckdb_file.write(part, league)
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)
        counts = ", ".join(f"{number:,} {name}" for name, number in rows.items())
        self.stdout.write(f"{league.name}: {counts}.")
