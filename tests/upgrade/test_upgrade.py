"""Databases of early versions become one of today: nothing is lost, and everything holds.

`played.sql.gz` is a night of 44 hands as the very first migrations kept it, before there were
closings; `closed.sql.gz` such a night closed under the first seals. Both were made by the versions
of then (`manage.py demo`), and are dumps of SQLite.
"""

import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.config.test_serve import ROOT

pytestmark = pytest.mark.slow
KEPT = (
    "SELECT id, key, digest FROM ledger_posting ORDER BY id",
    "SELECT id, debit_id, credit_id, amount FROM ledger_transfer ORDER BY id",
    "SELECT id, number, record, answer FROM league_revision ORDER BY id",
    "SELECT id, name FROM league_player ORDER BY id",
)
# They went the whole way, and are known after it as if they had been made in one step.
SQUASHED = "SELECT app FROM django_migrations WHERE name LIKE '0001\\_squashed\\_%' ESCAPE '\\'"
TALLIES = (
    "SELECT player_id, game, hands, net, put, won, showdowns FROM league_playertally ORDER BY 1, 2"
)


@dataclass(frozen=True)
class Early:
    """What was kept before the migrations, and the folder of the database after them."""

    before: list[list[tuple[Any, ...]]]
    folder: Path


@pytest.fixture(scope="module", params=["played", "closed"])
def early(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Early:
    folder = tmp_path_factory.mktemp(request.param)
    database = folder / "league.sqlite3"
    with sqlite3.connect(database) as old:
        dump = Path(__file__).parent / f"{request.param}.sql.gz"
        old.executescript(gzip.decompress(dump.read_bytes()).decode())
    old.close()
    before = [rows(database, sql) for sql in KEPT]
    run(folder, "migrate", "--verbosity", "0")
    return Early(before, folder)


@pytest.fixture
def today(early: Early, tmp_path: Path) -> Path:
    """A copy of the folder, to go on with."""
    return Path(shutil.copytree(early.folder, tmp_path / "today"))


def test_an_early_database_is_brought_up_to_date_whole(early: Early, today: Path) -> None:
    database = today / "league.sqlite3"
    assert all(early.before)
    assert len(rows(database, SQUASHED)) == 2
    assert [rows(database, sql) for sql in KEPT] == early.before
    assert run(today, "audit") == "Everything holds.\n"
    run(today, "stats", "rebuild")
    counted = rows(database, TALLIES)
    assert rows(database, "SELECT count(*) FROM league_handfact") == [(44,)]
    run(today, "stats", "rebuild")
    assert rows(database, TALLIES) == counted


def test_hands_of_an_early_database_wait_to_be_counted_after_it(today: Path) -> None:
    """Nobody has to know that the stats are to be rebuilt."""
    marked = "SELECT count(DISTINCT hand_id) FROM league_stalemark"
    assert rows(today / "league.sqlite3", marked) == [(44,)]


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(database)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def run(data: Path, *words: str) -> str:
    variables = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "DATA_DIR": str(data),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
