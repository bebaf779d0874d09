"""The database engine for the settings under test."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3.base import DatabaseOperations as TheirOperations
from django.db.backends.sqlite3.creation import DatabaseCreation as TheirCreation

from config.data.sqlite3 import base
from tests.helpers.config.migrated import copy_migrated, locked, store_migrated


class DatabaseCreation(TheirCreation):
    def create_test_db(self, *args: Any, **options: Any) -> str:
        """Migrate a copy of the migrated database; store the first one for later copies.

        Migrations are skipped, but signals of `migrate` still update triggers and permissions.
        """
        if not self._migrates():
            name = super().create_test_db(*args, **options)
        else:
            with locked():
                name = super().create_test_db(*args, **options)
                store_migrated(self.connection)
        self.connection.ensure_connection()
        self.connection.connection.backup(self.connection.ops.initial)
        return str(name)

    def _create_test_db(self, *args: Any, **options: Any) -> str:
        name = super()._create_test_db(*args, **options)  # type: ignore[misc] # not in its stubs
        if self._migrates():
            copy_migrated(Path(name))
        return str(name)

    def _migrates(self) -> bool:
        return bool(self.connection.settings_dict["TEST"]["MIGRATE"])


class DatabaseOperations(TheirOperations):
    """Empties the database by restoring its initial copy, which has the triggers.

    Dropping hundreds of triggers and creating them again takes most of the time of a flush.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.initial = sqlite3.connect(":memory:", check_same_thread=False)

    def execute_sql_flush(self, sql_list: Sequence[str]) -> None:
        if self.connection.in_atomic_block:
            self._flush_in_transaction(sql_list)
            return
        self.connection.ensure_connection()
        self.initial.backup(self.connection.connection)

    def _flush_in_transaction(self, sql_list: Sequence[str]) -> None:
        """Delete all rows. Used in an open transaction, where no copy can be restored."""
        from ledger import guards  # noqa: PLC0415 (needs this backend)

        for each in guards.REGISTERED:
            guards.remove(self.connection, each)
        super().execute_sql_flush(sql_list)
        for each in guards.REGISTERED:
            guards.install(self.connection, each)


class DatabaseWrapper(base.DatabaseWrapper):
    creation_class = DatabaseCreation
    ops_class = DatabaseOperations
