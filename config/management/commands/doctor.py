"""`manage.py doctor` reports what is configured, what is missing, and how to fix it."""

from typing import Any

from config.observability.diagnosis import Level, diagnose
from league.management.base_command import ServiceCommand


class Command(ServiceCommand):
    help = "Print what is configured, what is missing and how to fix it. Fails if it is not ready."

    def expect_database(self) -> None:
        """Skip the check. An unusable database is reported as a finding."""

    def handle(self, **_options: Any) -> None:
        """Print the findings. Exits with 1 if anything is missing."""
        findings = list(diagnose())
        for finding in findings:
            self.stdout.write(f"{finding.level:8} {finding.text}")
            if finding.remedy:
                self.stdout.write(f"{'':8} -> {finding.remedy}")
        if lacking := sum(finding.level == Level.MISSING for finding in findings):
            self.stdout.write(f"Not fit for production: {lacking} missing.")
            raise SystemExit(1)
        self.stdout.write("Fit for production.")
