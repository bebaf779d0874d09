"""Which version of the service a database was last migrated by, and whether this one can use it.

The version stands among the migrations that were applied, under a name that is no app's: so every
database has a place for it, those of before it too, and Django leaves it alone.
"""

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league import VERSION

RELEASE = "dealers-choice"
# Apps whose migrations are ours to know; others come and go with packages.
OURS = {"api", "league", "ledger"}
# The second migration that there ever was; since the release each app begins with all its tables.
BEFORE_RELEASE = ("league", "0002_league")


def record_version(database: BaseDatabaseWrapper) -> None:
    """Keep that this version has migrated the database."""
    recorder = MigrationRecorder(database)
    if (RELEASE, VERSION) not in recorder.applied_migrations():
        recorder.record_applied(RELEASE, VERSION)


def recorded_version(database: BaseDatabaseWrapper) -> str:
    """Return the last version that has migrated the database, "" where none has said so."""
    applied = MigrationRecorder(database).applied_migrations()
    rows = [row for (app, _), row in applied.items() if app == RELEASE]
    return max(rows, key=lambda row: row.applied).name if rows else ""


def refusal(database: BaseDatabaseWrapper) -> str:
    """Return why this version can't use the database whatever is migrated; "" where it can."""
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
    """Return a migration that was applied and that this version does not have, "" where none was.

    Names of files alone: to read them takes a third of a start.
    """
    known = {
        (app, each.name)
        for app in OURS
        if (module := MigrationLoader.migrations_module(app)[0])
        for each in iter_modules(import_module(module).__path__)
    }
    unknown = sorted(each for each in applied if each[0] in OURS and each not in known)
    return ".".join(unknown[0]) if unknown else ""


def newer(version: str) -> str:
    """Return what to call it; two builds of a version that is not released yet have one name."""
    return f"{version}, a newer version" if version not in ("", VERSION) else "a newer version"


def place_of(database: BaseDatabaseWrapper) -> str:
    """Return where the database is, without its user and password."""
    told = database.settings_dict
    place = f" on {told['HOST']}" if told["HOST"] else ""
    return f"{told['NAME']}{place}"


def typed() -> str:
    """Return what is typed before the name of a command."""
    return "dealers-choice" if _is_installed() else "python manage.py"


def started() -> str:
    """Return what starts the service at home."""
    return "dealers-choice serve" if _is_installed() else "make run"


def _is_installed() -> bool:
    return Path(sys.argv[0]).stem == "dealers-choice"
