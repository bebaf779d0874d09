"""The engine of the settings under test."""

from collections.abc import Sequence
from typing import Any

from django.core.management.color import Style
from django.db.backends.postgresql.creation import DatabaseCreation as TheirCreation
from django.db.backends.postgresql.operations import DatabaseOperations as TheirOperations

from config.data.postgresql import base


class DatabaseOperations(TheirOperations):
    def sql_flush(self, _style: Style, tables: Sequence[str], **_wanted: Any) -> list[str]:
        """Delete the few rows, because TRUNCATE writes a new file for each table and index.

        Triggers and foreign keys are disabled until the commit, which only a superuser may do.
        """
        deleted = [f"DELETE FROM {self.quote_name(table)};" for table in tables]  # noqa: S608
        replica = "SET LOCAL session_replication_role = replica;"
        return ["".join([replica, *deleted])] if tables else []


class DatabaseCreation(TheirCreation):
    def _destroy_test_db(self, test_database_name: str, verbosity: int) -> None:
        """Drop the database while a process ended by a test is still disconnecting."""
        name = self.connection.ops.quote_name(test_database_name)
        with self._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
    creation_class = DatabaseCreation
