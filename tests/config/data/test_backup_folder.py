"""Automatic backups: one a day, with a maximum number of files."""

import fcntl
import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from pytest_django import Settings

from config.data.backups.file_format import TODAY
from config.data.backups.writing import back_up_before, back_up_daily, daily
from config.tasks import back_up

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.BACKUPS_KEPT = 3
    return tmp_path / "backups"


def names(folder: Path) -> list[str]:
    return [file.name for file in daily(folder)]


def test_daily_backup_is_taken_once_and_only_the_newest_are_kept(folder: Path) -> None:
    for day in range(4):
        for hour in (0, 6):
            with time_machine.travel(NOON + timedelta(days=day, hours=hour), tick=False):
                back_up()
    assert names(folder) == [f"daily-2026-03-0{day}.backup" for day in (2, 3, 4)]
    assert gzip.decompress((folder / "daily-2026-03-04.backup").read_bytes())


def test_daily_backup_does_not_delete_other_backups(folder: Path) -> None:
    folder.mkdir()
    ours = {"before-0.1.0-2026-01-01T00-00-00.backup", "league.backup"}
    for name in ours:
        (folder / name).write_text("")
    for day in range(5):
        with time_machine.travel(NOON + timedelta(days=day), tick=False):
            back_up()
    assert ours < {file.name for file in folder.glob("*.backup")}


def test_backups_before_migrations_are_limited_per_version(folder: Path) -> None:
    """A start that failed and was retried every two seconds used to fill the disk."""
    folder.mkdir()
    other = {"before-the-party.backup", "league.backup", "daily-2026-01-01.backup"}
    for name in other:
        (folder / name).write_text("")
    for number in range(7):
        with time_machine.travel(NOON + timedelta(days=number), tick=False):
            back_up_before(folder, f"0.{number}.0", TODAY)
    for seconds in range(4):
        with time_machine.travel(NOON + timedelta(days=9, seconds=seconds), tick=False):
            back_up_before(folder, "0.6.0", TODAY)
    backups = {file.name for file in folder.glob("*.backup")} - other
    assert other < {file.name for file in folder.glob("*.backup")}
    assert sorted(backups) == [
        *(f"before-0.{number}.0-2026-03-0{number + 1}T12-00-00.backup" for number in (2, 3, 4, 5)),
        *(f"before-0.6.0-2026-03-10T12-00-0{second}.backup" for second in (1, 2, 3)),
    ]


def test_only_one_process_takes_a_daily_backup(folder: Path) -> None:
    folder.mkdir()
    with (folder / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert back_up_daily(folder, 3) is None
    assert back_up_daily(folder, 3)


def test_disabled_backups_are_not_taken(settings: Settings, folder: Path) -> None:
    settings.BACKUPS_KEPT = 0
    back_up()
    assert not folder.exists()


def test_unwritable_backup_folder_is_logged(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.write_text("no folder")
    back_up()
    assert f"No backup could be written to {folder}." in caplog.text
