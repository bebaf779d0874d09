"""`flush` empties every table: refused where the ledger is meant to last, done in tests."""

from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connections, transaction
from django.test.utils import _TestState

from ledger import guards


class Command(flush.Command):
    """Stands in the place of Django's own command of this name."""

    def handle(self, **options: object) -> None:
        """Lift the guards, flush and set them again. CommandError outside of a test run."""
        # Django's test runner, and nothing else, leaves its traces here.
        if not hasattr(_TestState, "saved_data"):
            raise CommandError("The ledger is append-only: make a new database instead.")
        connection = connections[str(options["database"])]
        with transaction.atomic(connection.alias):
            for each in guards.REGISTERED:
                guards.remove(connection, each)
            super().handle(**options)
            for each in guards.REGISTERED:
                guards.install(connection, each)
