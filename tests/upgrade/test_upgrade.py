"""Databases of early versions become one of today: nothing is lost, and everything holds.

`played.sql.gz` is a night of 44 hands as the very first migrations kept it, before there were
closings; `closed.sql.gz` such a night closed under the first seals. Both were made by the versions
of then (`manage.py demo`), and are dumps of SQLite.
"""

import gzip
import os
import sqlite3
import subprocess
import sys
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


@pytest.mark.parametrize("version", ["played", "closed"])
def test_an_early_database_is_brought_up_to_date_whole(version: str, tmp_path: Path) -> None:
    database = tmp_path / "league.sqlite3"
    with sqlite3.connect(database) as old:
        dump = Path(__file__).parent / f"{version}.sql.gz"
        old.executescript(gzip.decompress(dump.read_bytes()).decode())
    old.close()
    before = [rows(database, sql) for sql in KEPT]
    assert all(before)
    run(tmp_path, "migrate", "--verbosity", "0")
    assert len(rows(database, SQUASHED)) == 2
    assert [rows(database, sql) for sql in KEPT] == before
    assert run(tmp_path, "audit") == "Everything holds.\n"
    run(tmp_path, "stats", "rebuild")
    counted = rows(database, TALLIES)
    assert rows(database, "SELECT count(*) FROM league_handfact") == [(44,)]
    run(tmp_path, "stats", "rebuild")
    assert rows(database, TALLIES) == counted


def test_hands_of_an_early_database_wait_to_be_counted_after_it(tmp_path: Path) -> None:
    """Nobody has to know that the stats are to be rebuilt."""
    database = tmp_path / "league.sqlite3"
    with sqlite3.connect(database) as old:
        dump = Path(__file__).parent / "closed.sql.gz"
        old.executescript(gzip.decompress(dump.read_bytes()).decode())
    old.close()
    run(tmp_path, "migrate", "--verbosity", "0")
    marked = "SELECT count(DISTINCT hand_id) FROM league_stalemark"
    assert rows(database, marked) == [(44,)]


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
