"""`manage.py doctor`: what is configured, what is missing, what to type."""

from typing import Any

from config.observability.diagnosis import Level, diagnose
from league.management.base_command import ServiceCommand


class Command(ServiceCommand):
    help = "Say what is configured, what is missing and what to type; 0 if fit for production."

    def expect_database(self) -> None:
        """Expect nothing: a database that can't be used is among the findings."""

    def handle(self, **_options: Any) -> None:
        """Print what was found; exit with 1 where something is missing."""
        found = list(diagnose())
        for each in found:
            self.stdout.write(f"{each.level:8} {each.text}")
            if each.remedy:
                self.stdout.write(f"{'':8} -> {each.remedy}")
        if lacking := sum(each.level == Level.MISSING for each in found):
            self.stdout.write(f"Not fit for production: {lacking} missing.")
            raise SystemExit(1)
        self.stdout.write("Fit for production.")
