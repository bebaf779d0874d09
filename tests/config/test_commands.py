"""Commands on an unusable database print one sentence and a command to type, and exit with 1."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import get_commands, load_command_class

from league.management.base_command import ServiceCommand
from tests.helpers.config.commands import TYPED
from tests.helpers.config.management import run_command, sqlite_in
from tests.helpers.config.migrated import copy_migrated
from tests.helpers.fork_server import ROOT

OURS = ("config", "league", "ledger", "api")
# Django's own commands. Our wrapper reports their errors.
THEIRS = {"collectstatic", "flush", "migrate"}
SERVES = {"serve"}  # migrates the SQLite database itself
SAYS_ALL = {"doctor"}  # reports the error together with everything else that is missing
ASK_NO_DATABASE = {"verify"}


def ours() -> dict[str, str]:
    return {name: app for name, app in get_commands().items() if app in OURS}


def error_output(folder: Path, *words: str) -> str:
    """Run the command on the database in this folder. Return its error output."""
    done = run_command(*words, folder=folder, database_url=sqlite_in(folder))
    return sentence(done.returncode, done.stderr.decode())


def sentence(code: int, output: str) -> str:
    assert code == 1
    assert "Traceback" not in output
    [line] = output.strip().splitlines()
    return line


def test_every_command_reports_errors_through_service_command() -> None:
    for name, app in ours().items():
        others = THEIRS | ASK_NO_DATABASE
        assert isinstance(load_command_class(app, name), ServiceCommand) or name in others, name
    assert set(ours()) == set(TYPED) | THEIRS | SERVES | SAYS_ALL | ASK_NO_DATABASE


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TYPED))
def test_database_without_migrations_is_reported(name: str, tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl").write_text("")
    output = error_output(tmp_path, *TYPED[name])
    assert output == (
        f"CommandError: The database {tmp_path / 'league.sqlite3'} is not migrated:"
        " run `python manage.py migrate`, then this command again."
    )
    assert not list(tmp_path.glob("*.backup*"))


@pytest.mark.slow
@pytest.mark.parametrize("words", [["migrate"], ["serve", "--prepare"], ["audit"]])
def test_database_from_before_the_first_release_is_reported(
    words: list[str], tmp_path: Path
) -> None:
    """A migration named like today's first one is applied, but the tables differ."""
    database = tmp_path / "league.sqlite3"
    with sqlite3.connect(database) as old:
        old.execute("CREATE TABLE django_migrations (id INTEGER, app, name, applied)")
        rows = [("league", "0001_initial"), ("league", "0002_league")]
        old.executemany("INSERT INTO django_migrations VALUES (1, ?, ?, '2026-01-01')", rows)
    old.close()
    assert error_output(tmp_path, *words) == (
        f"CommandError: The database {database} was made before the first release, by migrations"
        " that are gone: export its seasons with the version that made it (`python manage.py season"
        " export`), and import them into a new database."
    )


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["a folder", "no database"])
def test_database_that_cannot_be_opened_is_reported(harm: str, tmp_path: Path) -> None:
    if harm == "a folder":
        (tmp_path / "league.sqlite3").mkdir()
    else:
        (tmp_path / "league.sqlite3").write_text("hello " * 1000)
    does_not_answer(error_output(tmp_path, "audit"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        # Writing to /dev/full fails like writing to a full disk.
        (
            ("backup", "league.backup"),
            "The output can't be read or written: No space left on device.",
        ),
        (("backup", "away/a"), "away/a.part can't be read or written: No such file or directory."),
        (("season", "import", "LEAGUE", "away"), "away can't be read or written: No such file"),
        (("season", "export", "SEASON", "."), ". can't be read or written: Is a directory."),
        (("export", "--league", "LEAGUE", "--duckdb", "away/a"), "away/a.part can't be read"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_unusable_file_is_reported_in_a_single_sentence(
    words: tuple[str, ...], message: str, league: Path
) -> None:
    [(season, named)] = rows(league, "SELECT id, league_id FROM league_season")
    ids = {"LEAGUE": str(UUID(named)), "SEASON": str(UUID(season))}
    assert message in error_output(league, *(ids.get(word, word) for word in words))


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a league, where writing a backup fails as it would on a full disk."""
    folder = tmp_path_factory.mktemp("league")
    copy_migrated(folder / "league.sqlite3")
    for words in (("migrate", "--verbosity", "0"), ("demo", "--hands", "1")):
        done = run_command(*words, folder=folder, database_url=sqlite_in(folder))
        assert done.returncode == 0, done.stderr
    (folder / "league.backup.part").symlink_to("/dev/full")
    return folder


def rows(folder: Path, query: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(folder / "league.sqlite3")) as database:
        return database.execute(query).fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["audit", pytest.param("migrate", marks=pytest.mark.scheduled)])
def test_missing_database_server_is_reported(name: str, tmp_path: Path) -> None:
    """Unlike the other tests, this one runs the command in a new process."""
    environment = {"DATABASE_URL": "postgres://ann:secret@127.0.0.1:1/league", "REDIS_URL": ""}
    environment |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "manage.py", name],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    error = sentence(done.returncode, done.stderr)
    does_not_answer(error)
    assert "secret" not in error


def does_not_answer(output: str) -> None:
    assert output.startswith("CommandError: The database does not answer (")
    assert output.endswith("`python manage.py migrate`.")
