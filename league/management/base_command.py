"""What all our commands share: a database that can't be used is told in a sentence."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder


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
    if connection.connection is None or not connection.is_usable():
        said = " ".join(str(error).split())
        return f"The database does not answer ({said}): see that it is there, then `{MIGRATE}`."
    if reason := made_before_release(connection):
        return reason
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        place = _called(connection)
        return f"The database {place} is not migrated: type `{MIGRATE}`, then this again."
    return ""


def made_before_release(database: BaseDatabaseWrapper) -> str:
    """Return what to do with a database whose migrations are gone, or nothing where none are."""
    if BEFORE_RELEASE not in MigrationRecorder(database).applied_migrations():
        return ""
    return f"The database {_called(database)} {MADE_BEFORE_RELEASE}"


def _called(database: BaseDatabaseWrapper) -> str:
    """Return where the database is, without its user and password."""
    told = database.settings_dict
    place = f" on {told['HOST']}" if told["HOST"] else ""
    return f"{told['NAME']}{place}"


# As PostgreSQL says that a role has not the right to do it.
FORBIDDEN = "42501"
FOR_THE_OWNER = (
    "The role in DATABASE_URL may read and write rows, and no more: do this as the role that owns"
    ' the tables (docs/running.md, "Looking after it").'
)
MIGRATE = "python manage.py migrate"
# The second migration that there ever was; since the release each app begins with all its tables.
BEFORE_RELEASE = ("league", "0002_league")
MADE_BEFORE_RELEASE = (
    "was made before the first release, by migrations that are gone: export its seasons with the"
    " version that made it (`python manage.py season export`), and import them into a new database."
)
