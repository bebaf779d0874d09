"""The engine of the settings under test."""

from pathlib import Path
from typing import Any

from django.db.backends.sqlite3.creation import DatabaseCreation as TheirCreation

from config.data.sqlite3 import base
from tests.helpers.config.migrated import copy_migrated, locked, store_migrated


class DatabaseCreation(TheirCreation):
    def create_test_db(self, *args: Any, **options: Any) -> str:
        """Migrate a copy of the migrated database; store the first one for later copies.

        Migrations are skipped, but signals of `migrate` still update triggers and permissions.
        """
        if not self._migrates():
            return str(super().create_test_db(*args, **options))
        with locked():
            name = super().create_test_db(*args, **options)
            store_migrated(self.connection)
        return str(name)

    def _create_test_db(self, *args: Any, **options: Any) -> str:
        name = super()._create_test_db(*args, **options)  # type: ignore[misc] # not in its stubs
        if self._migrates():
            copy_migrated(Path(name))
        return str(name)

    def _migrates(self) -> bool:
        return bool(self.connection.settings_dict["TEST"]["MIGRATE"])


class DatabaseWrapper(base.DatabaseWrapper):
    creation_class = DatabaseCreation
