"""`flush` empties every table in tests, and is refused anywhere else."""

from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connections, transaction
from django.test.utils import _TestState

from ledger import guards


class Command(flush.Command):
    """Replaces Django's command of this name."""

    def handle(self, **options: object) -> None:
        """Drop the guards, flush and install them again. CommandError outside of a test run."""
        # only Django's test runner sets this
        if not hasattr(_TestState, "saved_data"):
            raise CommandError("The ledger is append-only: make a new database instead.")
        connection = connections[str(options["database"])]
        with transaction.atomic(connection.alias):
            for app_guards in guards.REGISTERED:
                guards.remove(connection, app_guards)
            super().handle(**options)
            for app_guards in guards.REGISTERED:
                guards.install(connection, app_guards)
