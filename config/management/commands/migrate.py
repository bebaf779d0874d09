"""Django's `manage.py migrate`, which first backs up a database that has users."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.migrations.executor import MigrationExecutor

from config.data.backups.file_format import applied_schema
from config.data.backups.writing import back_up_before
from league import VERSION
from league.management.base_command import ReportsOutages, record_version, refusal
from league.models import User


class Command(ReportsOutages, migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--no-backup", action="store_true", help="skip the backup before the data is changed"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate after a backup. Raises CommandError if this version can't use the database."""
        database = connections[options["database"]]
        if reason := refusal(database):
            raise CommandError(reason)
        looks = options["plan"] or options["check_unapplied"]
        if not (looks or options["no_backup"]) and options["database"] == DEFAULT_DB_ALIAS:
            self._back_up(options)
        super().handle(*args, **options)
        if not looks:
            record_version(database)

    def _back_up(self, options: dict[str, Any]) -> None:
        """Back up if the database has users and will change. Raises CommandError if that fails."""
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not (waiting or options["app_label"]):
            return
        with connection.cursor() as cursor:
            table = User._meta.db_table  # noqa: SLF001 (public)
            if table not in connection.introspection.table_names(cursor):
                return
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone() is None:
                return
        folder = settings.BACKUP_DIR
        try:
            file, outcome = back_up_before(folder, VERSION, applied_schema())
        except OSError as error:
            raise CommandError(
                f"Nothing was migrated, since no backup could be written to {folder}"
                f" ({error.strerror}): set BACKUP_DIR to another folder, or use --no-backup."
            ) from error
        self.stdout.write(f"Backed up {outcome.rows} rows before migrating: {file}")
        for each in outcome.skipped:
            self.stderr.write(each)
