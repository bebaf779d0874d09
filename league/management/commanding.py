"""What all our commands share: a database that can't be used is told in a sentence."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor


class OurCommand(BaseCommand):
    """Says what is wrong with the database, and what to type; other mistakes keep their traces."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Error as error:
            if reason := _reason(error):
                raise CommandError(reason) from error
            raise


def _reason(error: Error) -> str:
    """Return what the database lacks, or nothing where it is migrated and answers."""
    if connection.connection is None or not connection.is_usable():
        said = " ".join(str(error).split())
        return f"The database does not answer ({said}): see that it is there, then `{MIGRATE}`."
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return f"The database {_called()} is not migrated: type `{MIGRATE}`, then this again."
    return ""


def _called() -> str:
    """Return where the database is, without its user and password."""
    told = connection.settings_dict
    place = f" on {told['HOST']}" if told["HOST"] else ""
    return f"{told['NAME']}{place}"


MIGRATE = "python manage.py migrate"
