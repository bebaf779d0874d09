"""`manage.py flush` empties every table in tests. It fails anywhere else."""

from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connections, transaction
from django.test.utils import _TestState

from ledger import guards


class Command(flush.Command):
    """Overrides Django's `flush` command."""

    def handle(self, **options: object) -> None:
        """Drop the guards, flush and install the guards again, without the signals of `migrate`.

        Raises CommandError outside of tests.
        """
        # Only Django's test runner sets this attribute.
        if not hasattr(_TestState, "saved_data"):
            raise CommandError("The ledger is append-only: make a new database instead.")
        connection = connections[str(options["database"])]
        with transaction.atomic(connection.alias):
            for app_guards in guards.REGISTERED:
                guards.remove(connection, app_guards)
            super().handle(**options | {"inhibit_post_migrate": True})
            for app_guards in guards.REGISTERED:
                guards.install(connection, app_guards)
