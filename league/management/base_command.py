"""The management commands' base class, the user lookup, and the database version.

The version of the service that last migrated a database is stored among the applied migrations,
under a name that does not belong to any app. Every database has that table, and Django ignores the
row.
"""

import errno
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import Error, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league import VERSION
from league.models import Player, User

RELEASE = "dealers-choice"
# The project's own apps. The migrations of other apps depend on the installed packages.
OURS = {"api", "league", "ledger"}
# The second migration in versions before the first release. In later versions, an app's first
# migration creates all of its tables.
BEFORE_RELEASE = ("league", "0002_league")


def record_version(database: BaseDatabaseWrapper) -> None:
    recorder = MigrationRecorder(database)
    if (RELEASE, VERSION) not in recorder.applied_migrations():
        recorder.record_applied(RELEASE, VERSION)


def recorded_version(database: BaseDatabaseWrapper) -> str:
    """Return the last version that has migrated the database, or "" if none is recorded."""
    applied = MigrationRecorder(database).applied_migrations()
    rows = [row for (app, _), row in applied.items() if app == RELEASE]
    return max(rows, key=lambda row: row.applied).name if rows else ""


def refusal(database: BaseDatabaseWrapper) -> str:
    """Return the reason why this version can't use the database, or "" if it can.

    Missing migrations are not a reason.
    """
    applied = MigrationRecorder(database).applied_migrations()
    if BEFORE_RELEASE in applied:
        return (
            f"The database {place_of(database)} was made before the first release, by migrations"
            " that are gone: export its seasons with the version that made it"
            f" (`{typed()} season export`), and import them into a new database."
        )
    if unknown := of_newer_version(applied):
        return (
            f"The database {place_of(database)} is of {newer(recorded_version(database))} than"
            f" this one, {VERSION} (which does not know {unknown}): start that version, or restore"
            f" a backup of {VERSION} into a new database."
        )
    return ""


def of_newer_version(applied: Iterable[tuple[str, str]]) -> str:
    """Return an applied migration that this version does not have, or "".

    Only file names are read, because loading the migrations would take a third of the start time.
    """
    own = {
        (app, migration.name)
        for app in OURS
        if (module := MigrationLoader.migrations_module(app)[0])
        for migration in iter_modules(import_module(module).__path__)
    }
    unknown = sorted(each for each in applied if each[0] in OURS and each not in own)
    return ".".join(unknown[0]) if unknown else ""


def newer(version: str) -> str:
    """Describe the newer version. Unreleased builds may have the same name."""
    return f"{version}, a newer version" if version not in ("", VERSION) else "a newer version"


def place_of(database: BaseDatabaseWrapper) -> str:
    """Return the database's name and host, without its user and password."""
    settings = database.settings_dict
    place = f" on {settings['HOST']}" if settings["HOST"] else ""
    return f"{settings['NAME']}{place}"


def typed() -> str:
    """Return the program name to type before a command."""
    return "dealers-choice" if _is_installed() else "python manage.py"


def started() -> str:
    """Return the command that starts a service at home."""
    return "dealers-choice serve" if _is_installed() else "make run"


def _is_installed() -> bool:
    return Path(sys.argv[0]).stem == "dealers-choice"


# Errors caused by a file or a disk, not by a bug.
FILES = {
    getattr(errno, name)
    for name in (
        "EACCES EDQUOT EFBIG EIO EISDIR ENAMETOOLONG ENOENT ENOSPC ENOTDIR EPERM EPIPE EROFS"
    ).split()
}
# PostgreSQL's error codes for a missing privilege and a full disk.
FORBIDDEN, DISK_FULL = "42501", "53100"
SQLITE_FULL = "database or disk is full"


class ReportsOutages(BaseCommand):
    """Ends with an error message if the database or a file is unavailable."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            self.expect_database()
            return super().execute(*args, **options)
        except Error as error:
            if reason := self.reason(error):
                raise CommandError(reason) from error
            raise
        except OSError as error:
            if error.errno not in FILES:
                raise
            place = error.filename or "The output"
            raise CommandError(f"{place} can't be read or written: {error.strerror}.") from error

    def expect_database(self) -> None:
        """Raise CommandError if the command can't use the database."""

    def reason(self, error: Error) -> str:
        """Return the problem with the database, or "" if the database is available."""
        state = getattr(error.__cause__, "sqlstate", "")
        if state == FORBIDDEN:
            return FOR_THE_OWNER
        if state == DISK_FULL or SQLITE_FULL in str(error):
            return f"The disk of the database {place_of(connection)} is full: free some space."
        if connection.connection is None or not connection.is_usable():
            message = " ".join(str(error).split())
            return (
                f"The database does not answer ({message}): check that it is running, then run"
                f" `{typed()} migrate`."
            )
        return ""


class ServiceCommand(ReportsOutages):
    """Rejects a newer version's database. If an older database fails, recommends `migrate`."""

    def expect_database(self) -> None:
        if reason := refusal(connection):
            raise CommandError(reason)

    def reason(self, error: Error) -> str:
        return super().reason(error) or unmigrated()


def unmigrated() -> str:
    """Return a message with the command to type if migrations are missing, or ""."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return ""
    place = place_of(connection)
    return (
        f"The database {place} is not migrated: run `{typed()} migrate`, then this command again."
    )


FOR_THE_OWNER = (
    "The role in DATABASE_URL can only read and write rows: do this as the role that owns"
    " the tables (docs/operate.md)."
)


def person_of(text: str) -> User | Player:
    """Return the user or player. Raises CommandError if there is no match."""
    user = User.objects.filter(username=text).first()
    players = Player.objects.select_related("league__book")
    try:
        ids = [UUID(text)]
    except ValueError:
        ids = []
    person = user or players.filter(pk__in=ids).first()
    if person is None:
        raise CommandError(f"There is no account or player {text}.", returncode=2)
    return person


BAR = 40


def show_progress(stream: OutputWrapper, done: int, whole: int, what: str) -> None:
    """Draw the progress bar over the previous one. Does nothing unless the output is a terminal."""
    if not stream.isatty():
        return
    filled = "#" * (min(BAR, BAR * done // whole) if whole else BAR)
    end = "\n" if done >= whole else ""
    stream.write(f"\r[{filled:<{BAR}}] {done}/{whole} {what}", ending=end)
