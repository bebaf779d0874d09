"""`manage.py flush` empties every table in tests. It fails anywhere else."""

from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.test.utils import _TestState


class Command(flush.Command):
    """Overrides Django's `flush` command."""

    def handle(self, **options: object) -> None:
        """Flush without the signals of `migrate`. The test database keeps its guards.

        The database backends of the tests (tests/sqlite3, tests/postgres) empty guarded tables.
        Raises CommandError outside of tests.
        """
        # Only Django's test runner sets this attribute.
        if not hasattr(_TestState, "saved_data"):
            raise CommandError("The ledger is append-only: make a new database instead.")
        super().handle(**options | {"inhibit_post_migrate": True})
