"""`manage.py stats rebuild` counts every hand again."""

from argparse import ArgumentParser
from time import monotonic
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from league.management.base_command import ServiceCommand, show_progress
from league.models import League
from league.stats.count import rebuild


class Command(ServiceCommand):
    help = "Count all hands of the leagues again, and correct the stats that differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["rebuild"])
        parser.add_argument(
            "--league", type=UUID, help="the id of a league; all leagues by default"
        )

    def handle(self, **options: Any) -> None:
        wanted = options["league"]
        leagues = League.objects.filter(pk=wanted) if wanted else League.objects.order_by("pk")
        if wanted and not leagues.exists():
            raise CommandError(f"There is no league {wanted}.", returncode=2)
        for league in leagues:
            started = monotonic()
            hands = rebuild(league.pk, self._show_progress)
            rate = hands / max(monotonic() - started, 0.001)
            self.stdout.write(f"{league.name}: {hands} hands counted, {rate:,.0f} a second.")

    def _show_progress(self, done: int, whole: int) -> None:
        show_progress(self.stderr, done, whole, "hands")
