"""What all our commands share: a database that can't be used is told in a sentence."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from league.management.database_version import place_of, refusal, typed


class ServiceCommand(BaseCommand):
    """Says what is wrong with the database, and what to type; other mistakes keep their traces."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Error as error:
            if reason := _reason(error):
                raise CommandError(reason) from error
            raise


def _reason(error: Error) -> str:
    """Return what the database lacks or forbids, or nothing where it is migrated and answers."""
    if getattr(error.__cause__, "sqlstate", "") == FORBIDDEN:
        return FOR_THE_OWNER
    migrate = f"`{typed()} migrate`"
    if connection.connection is None or not connection.is_usable():
        said = " ".join(str(error).split())
        return f"The database does not answer ({said}): see that it is there, then {migrate}."
    return refusal(connection) or unmigrated()


def unmigrated() -> str:
    """Return what to type where migrations wait, or nothing where none do."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return ""
    place = place_of(connection)
    return f"The database {place} is not migrated: type `{typed()} migrate`, then this again."


# As PostgreSQL says that a role has not the right to do it.
FORBIDDEN = "42501"
FOR_THE_OWNER = (
    "The role in DATABASE_URL may read and write rows, and no more: do this as the role that owns"
    ' the tables (docs/running.md, "Looking after it").'
)
