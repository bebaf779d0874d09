"""`manage.py audit` recomputes everything and reports differences."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from league.audit_log import Kind, log_action
from league.integrity.audit import audit
from league.management.base_command import ServiceCommand
from league.models import League


class Command(ServiceCommand):
    help = "Check the books, the seals of closed nights and the replay of every hand."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--league", type=UUID, help="the id of a league; all leagues by default"
        )

    def handle(self, **options: Any) -> None:
        """Print the findings. Exits with status 1 if there are any."""
        wanted = options["league"]
        league = League.objects.select_related("book").filter(pk=wanted).first()
        if wanted and league is None:
            raise CommandError(f"There is no league {wanted}.", returncode=2)
        findings = audit(league)
        for finding in findings:
            self.stdout.write(f"{finding.code}: {finding.text}")
        if findings:
            codes = sorted({finding.code for finding in findings})
            log_action(
                Kind.AUDIT_FAILED, by=None, league=league, findings=len(findings), codes=codes
            )
            raise SystemExit(1)
        self.stdout.write("Everything holds.")
