"""Our commands on a database that can't be used: one sentence, what to type, and exit code 1."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from league.management.commanding import OurCommand
from tests.config.test_serve import ROOT

OURS = ("config", "league", "ledger", "api")
# Django's own, with a bolt before it.
THEIRS = {"flush"}
NOBODY = "00000000-0000-0000-0000-000000000000"
TYPED = {
    "audit": ["audit"],
    "stats": ["stats", "rebuild"],
    "backup": ["backup", "league.backup"],
    "restore": ["restore", "league.backup"],
    "export_person": ["export_person", "ann"],
    "erase": ["erase", "ann", "--yes"],
    "demo": ["demo"],
    "import": ["import", "--league", NOBODY, "hands.jsonl"],
    "season": ["season", "export", NOBODY, "season.jsonl"],
}
SERVES = {"serve"}  # starts all the same, since `--prepare` may follow; says it through /readyz


def ours() -> dict[str, str]:
    return {name: app for name, app in get_commands().items() if app in OURS}


def told(folder: Path, *words: str, **variables: str) -> str:
    """Run the command on the database of these variables; return what it says as it fails."""
    known = {"DATABASE_URL": "", "REDIS_URL": "", "DATA_DIR": str(folder), "SECRET_KEY": "k" * 50}
    known |= {"DJANGO_SETTINGS_MODULE": "config.settings", **variables}
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        cwd=folder,
        env=os.environ | known,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_all_our_commands_say_it_in_the_same_place() -> None:
    for name, app in ours().items():
        assert isinstance(load_command_class(app, name), OurCommand) or name in THEIRS, name
    assert set(ours()) == set(TYPED) | THEIRS | SERVES


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TYPED))
def test_a_database_that_was_never_migrated_is_said_to_be(name: str, tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl").write_text("")
    said = told(tmp_path, *TYPED[name])
    assert said == (
        f"CommandError: The database {tmp_path / 'league.sqlite3'} is not migrated:"
        " type `python manage.py migrate`, then this again."
    )
    assert not list(tmp_path.glob("*.backup*"))


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["a folder", "no database", "no server"])
def test_a_database_that_cannot_be_opened_is_said_to_be(harm: str, tmp_path: Path) -> None:
    variables = {}
    if harm == "a folder":
        (tmp_path / "league.sqlite3").mkdir()
    elif harm == "no database":
        (tmp_path / "league.sqlite3").write_text("hello " * 1000)
    else:
        variables["DATABASE_URL"] = "postgres://ann:secret@127.0.0.1:1/league"
    said = told(tmp_path, "audit", **variables)
    assert said.startswith("CommandError: The database does not answer (")
    assert said.endswith("`python manage.py migrate`.")
    assert "secret" not in said
