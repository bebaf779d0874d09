"""The base class of the management commands, user lookup, and a progress bar."""

import errno
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor

from league.management.database_version import place_of, refusal, typed
from league.models import Player, User

# Problems with a file or a disk, not with this program.
FILES = {
    getattr(errno, name)
    for name in (
        "EACCES EDQUOT EFBIG EIO EISDIR ENAMETOOLONG ENOENT ENOSPC ENOTDIR EPERM EPIPE EROFS"
    ).split()
}
# As PostgreSQL reports that a role has no right to do it, and that its disk is full.
FORBIDDEN, DISK_FULL = "42501", "53100"
SQLITE_FULL = "database or disk is full"


class ReportsOutages(BaseCommand):
    """Ends with a sentence if the database does not answer or a file can't be read or written."""

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
        """Return the problem of the database, or nothing if it answers."""
        state = getattr(error.__cause__, "sqlstate", "")
        if state == FORBIDDEN:
            return FOR_THE_OWNER
        if state == DISK_FULL or SQLITE_FULL in str(error):
            return f"The disk of the database {place_of(connection)} is full: make room on it."
        if connection.connection is None or not connection.is_usable():
            said = " ".join(str(error).split())
            migrate = f"`{typed()} migrate`"
            return f"The database does not answer ({said}): see that it is there, then {migrate}."
        return ""


class ServiceCommand(ReportsOutages):
    """Refuses a database of a newer version; if one of an older version fails, names `migrate`."""

    def expect_database(self) -> None:
        if reason := refusal(connection):
            raise CommandError(reason)

    def reason(self, error: Error) -> str:
        return super().reason(error) or unmigrated()


def unmigrated() -> str:
    """Return the command to type if migrations wait, or nothing."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return ""
    place = place_of(connection)
    return f"The database {place} is not migrated: type `{typed()} migrate`, then this again."


FOR_THE_OWNER = (
    "The role in DATABASE_URL may read and write rows, and no more: do this as the role that owns"
    " the tables (docs/operate.md)."
)


def person_of(said: str) -> User | Player:
    """Return the person. Raises CommandError if there is none."""
    user = User.objects.filter(username=said).first()
    players = Player.objects.select_related("league__book")
    found = user or players.filter(pk__in=_ids(said)).first()
    if found is None:
        raise CommandError(f"There is no account and no player {said}.", returncode=2)
    return found


def _ids(said: str) -> list[UUID]:
    try:
        return [UUID(said)]
    except ValueError:
        return []


BAR = 40


def show_progress(stream: OutputWrapper, done: int, whole: int, what: str) -> None:
    """Draw the bar over the one before; nothing where the output is not a terminal."""
    if not stream.isatty():
        return
    filled = "#" * (min(BAR, BAR * done // whole) if whole else BAR)
    end = "\n" if done >= whole else ""
    stream.write(f"\r[{filled:<{BAR}}] {done}/{whole} {what}", ending=end)
