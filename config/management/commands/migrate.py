"""`manage.py migrate`: Django's, which refuses what it would take for a database of today."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from league.management.base_command import made_before_release


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, unless the database has migrations of before the release."""
        if reason := made_before_release(connections[options["database"]]):
            raise CommandError(reason)
        super().handle(*args, **options)
