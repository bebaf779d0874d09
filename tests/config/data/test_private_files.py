"""The service's files are readable only by its user, regardless of the umask."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.data.backups.writing import back_up_daily
from config.data.private_files import make_private_database, stored_secret_key
from config.data.sqlite3.base import DatabaseWrapper


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {
        str(each.relative_to(folder)): f"{each.stat().st_mode & 0o777:o}"
        for each in folder.rglob("*")
    }


def connected(file: Path) -> sqlite3.Connection:
    """Open the database file as the service does, and write to it."""
    settings = {"NAME": file, "OPTIONS": {}, "TIME_ZONE": None}
    wrapper = DatabaseWrapper(settings, alias="private")
    opened: sqlite3.Connection = wrapper.get_new_connection(wrapper.get_connection_params())
    opened.execute("PRAGMA journal_mode = wal")
    opened.execute("CREATE TABLE IF NOT EXISTS hands (id)")
    return opened


def test_database_file_and_its_log_are_private(tmp_path: Path) -> None:
    """The file used to have mode 0644, so all local users could read debts and sessions."""
    opened = connected(tmp_path / "league.sqlite3")
    private = dict.fromkeys(("league.sqlite3", "league.sqlite3-shm", "league.sqlite3-wal"), "600")
    assert modes(tmp_path) == private
    for name in private:
        (tmp_path / name).chmod(0o644)  # as an older version created it
    opened.close()
    connected(tmp_path / "league.sqlite3").close()
    assert set(modes(tmp_path).values()) == {"600"}


def test_opening_another_connection_does_not_drop_the_first_ones_locks(tmp_path: Path) -> None:
    """https://sqlite.org/howtocorrupt.html, 2.2: closing a file drops all of its process's locks.

    Another process would then assume that it was the last one, and remove the log.
    """
    file = tmp_path / "league.sqlite3"
    first = connected(file)
    connected(file).close()
    first.execute("INSERT INTO hands VALUES (1)")
    first.commit()
    other = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM hands').close()"
    )
    log = (tmp_path / "league.sqlite3-wal").stat().st_ino
    second = connected(file)
    subprocess.run([sys.executable, "-c", other, str(file)], check=True)
    assert (tmp_path / "league.sqlite3-wal").stat().st_ino == log
    first.execute("INSERT INTO hands VALUES (2)")
    first.commit()
    assert second.execute("SELECT count(*) FROM hands").fetchone() == (2,)
    first.close()
    second.close()


def test_missing_database_folder_is_not_created(tmp_path: Path) -> None:
    make_private_database(tmp_path / "nowhere" / "league.sqlite3")
    assert not list(tmp_path.iterdir())


@pytest.mark.django_db
def test_folders_keys_and_backups_are_private(tmp_path: Path) -> None:
    stored_secret_key(tmp_path / "data" / "secret-key")
    assert back_up_daily(tmp_path / "data" / "backups", keep=1)
    file_modes = modes(tmp_path)
    assert {name: mode for name, mode in file_modes.items() if (tmp_path / name).is_dir()} == {
        "data": "700",
        "data/backups": "700",
    }
    assert {mode for name, mode in file_modes.items() if (tmp_path / name).is_file()} == {"600"}
    assert len(file_modes) == 5
