"""Later versions read the data of every released version, and earlier versions reject it."""

import gzip
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from packaging.version import Version
from pytest_django import DjangoDbBlocker

from league import VERSION, recap
from league.integrity.audit import audit
from league.models import ChatPost, Delivery, Hand, League, Night, User
from league.webhooks import delivery
from tests.helpers.config.commands import TYPED
from tests.helpers.config.management import run_command, sqlite_in
from tests.helpers.config.migrated import copy_migrated
from tests.helpers.config.release_file import RELEASES
from tests.helpers.fork_server import ROOT

# `before-0.1.0` was created eight migrations before the first release.
FILES = sorted(RELEASES.glob("*.backup"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASED = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", CHANGELOG, re.MULTILINE)
NEWEST = RELEASES / f"{RELEASED[0]}.backup"
# A squashed migration is undone as a whole, and another app's migration is undone faster.
LAST = "0001_initial"


def head_of(file: Path) -> dict[str, Any]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        head: dict[str, Any] = json.loads(next(lines))
    return head


def with_head(file: Path, head: dict[str, Any], new: Path) -> Path:
    """Return the backup with a different header and a valid checksum."""
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    lines[0] = json.dumps(head).encode() + b"\n"
    foot = json.loads(lines[-1]) | {"sha256": sha256(b"".join(lines[:-1])).hexdigest()}
    new.write_bytes(gzip.compress(b"".join([*lines[:-1], json.dumps(foot).encode()])))
    return new


def test_current_version_has_a_changelog_entry_and_a_backup_file() -> None:
    assert {f"{each}.backup" for each in RELEASED} <= {file.name for file in FILES}
    assert head_of(NEWEST)["version"] == RELEASED[0]
    this, newest = Version(VERSION), Version(RELEASED[0])
    if "## [Unreleased]" in CHANGELOG:  # a build containing unreleased changes
        assert this.is_devrelease
        assert this > newest
    else:
        assert this == newest


@pytest.mark.slow
@pytest.mark.scheduled
@pytest.mark.django_db
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_backup_from_every_version_can_be_restored_and_passes_the_audit(file: Path) -> None:
    """The backup is restored into the database of this run."""
    holds(restored(file))


def restored(file: Path) -> str:
    """Restore the backup. Return the output."""
    out = StringIO()
    call_command("restore", str(file), stdout=out)
    return out.getvalue()


def holds(output: str) -> None:
    assert "Everything holds." in output
    assert not audit()
    assert League.objects.count() == 1
    assert Night.objects.count() >= 2
    assert Hand.objects.exists()


@pytest.fixture(scope="class")
def first_release(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Restore the first release's backup for all tests in a class. Return the output."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield restored(RELEASES / "0.1.0.backup")
        transaction.set_rollback(True)


@pytest.mark.slow
@pytest.mark.scheduled  # every run restores a backup from before one migration
@pytest.mark.django_db
class TestFirstRelease:
    def test_backup_from_the_first_version_can_be_restored_and_passes_the_audit(
        self, first_release: str
    ) -> None:
        holds(first_release)

    def test_messages_waiting_in_a_backup_are_still_due(self, first_release: str) -> None:
        """The backup contains six webhook deliveries and two chat posts."""
        rows = [*Delivery.objects.all(), *ChatPost.objects.all()]
        assert [row.state for row in rows] == ["waiting"] * 8
        league = League.objects.get().pk
        assert delivery.SENDER.leagues_due() == recap.SENDER.leagues_due() == [league]


@pytest.mark.django_db
def test_backup_from_a_newer_version_is_refused_with_that_version(tmp_path: Path) -> None:
    head = head_of(NEWEST) | {"version": "9.1.0"}
    head["migrations"] = [*head["migrations"], "league.9999_new"]
    file = with_head(NEWEST, head, tmp_path / "newer.backup")
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(file))
    assert str(refused.value) == (
        f"the backup is of 9.1.0, a newer version than this one, {VERSION} (which does not know"
        " league.9999_new): restore it with that version. Nothing was changed."
    )


@pytest.mark.django_db
@pytest.mark.parametrize("named", [None, "league.0001_initial", [1], [["league"]]])
def test_backup_header_without_migrations_is_refused(named: object, tmp_path: Path) -> None:
    head = head_of(NEWEST) | {"migrations": named}
    file = with_head(NEWEST, head, tmp_path / "odd.backup")
    with pytest.raises(CommandError, match=r"it has no migrations\. Nothing was changed\."):
        call_command("restore", str(file))


@pytest.mark.slow
def test_every_command_refuses_a_database_from_a_newer_version(tmp_path: Path) -> None:
    """Even commands whose queries succeed reject it. `backup` used to omit the newer data."""
    database = tmp_path / "league.sqlite3"
    with sqlite3.connect(database) as newer:
        newer.execute("CREATE TABLE django_migrations (id INTEGER, app, name, applied)")
        rows = [("league", "9999_new"), ("dealers-choice", "9.1.0")]
        newer.executemany("INSERT INTO django_migrations VALUES (1, ?, ?, '2030-01-01')", rows)
    newer.close()
    for words in (["migrate"], ["serve"], *TYPED.values()):
        done = run(tmp_path, *words)
        assert done.returncode == 1, words
        assert done.stderr.decode().strip() == (
            f"CommandError: The database {database} is of 9.1.0, a newer version than this one,"
            f" {VERSION} (which does not know league.9999_new): start that version, or restore a"
            f" backup of {VERSION} into a new database."
        ), words


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a league in a database that lacks the tables of `api`."""
    folder = tmp_path_factory.mktemp("older")
    copy_migrated(folder / "league.sqlite3")
    manage(folder, "migrate", "--verbosity", "0")
    manage(folder, "demo", "--hands", "3")
    manage(folder, "migrate", "api", "zero", "--verbosity", "0", "--no-backup")
    return folder


@pytest.mark.slow
@pytest.mark.django_db
def test_backup_taken_before_a_migration_can_be_restored(older: Path, tmp_path: Path) -> None:
    """The old state is restored into either database."""
    file = backed_up(older, tmp_path)
    assert f"api.{LAST}" not in head_of(file)["migrations"]
    call_command("restore", str(file), stdout=StringIO())
    assert User.objects.get().username == "demo"
    assert not audit()


def backed_up(older: Path, tmp_path: Path) -> Path:
    """Return the backup written when a copy of the database is migrated."""
    folder = Path(shutil.copytree(older, tmp_path / "installed"))
    output = manage(folder, "migrate")
    [file] = (folder / "backups").glob("before-*.backup")
    assert f"Backed up {rows_in(file)} rows before migrating: {file}" in output
    return file


@pytest.mark.slow
def test_failed_backup_prevents_the_migration(older: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(older, tmp_path / "installed"))
    (folder / "backups").write_text("no folder")
    done = run(folder, "migrate")
    assert done.returncode == 1
    errors = done.stderr.decode()
    assert errors.startswith("CommandError: Nothing was migrated, since no backup could be written")
    assert "--no-backup" in errors
    assert f"[ ] {LAST}" in manage(folder, "showmigrations", "api")
    manage(folder, "migrate", "--no-backup")
    assert f"[X] {LAST}" in manage(folder, "showmigrations", "api")


def rows_in(file: Path) -> int:
    lines = gzip.decompress(file.read_bytes()).splitlines()
    rows: int = json.loads(lines[-1])["rows"]
    return rows


def run(folder: Path, *words: str) -> Any:
    return run_command(*words, database_url=sqlite_in(folder))


def manage(folder: Path, *words: str) -> str:
    done = run(folder, *words)
    assert done.returncode == 0, done.stderr.decode()
    return str(done.stdout.decode())
