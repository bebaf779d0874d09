"""`manage.py backup` and `restore`: all rows, equal, on either database; and what is refused."""

import gzip
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.backups import tables
from league.audits import audit
from league.devices import remember
from league.models import League, Night, User
from league.stats.counting import count_marked
from ledger import guards
from tests.config.test_serve import ROOT
from tests.league.tables import a_night, a_user, player
from tests.league.test_audits import a_season

Rows = dict[str, list[dict[str, Any]]]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def everything() -> Rows:
    return {model.__name__: list(model._base_manager.order_by("pk").values()) for model in tables()}


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    league = a_season(a_night())
    count_marked(league.pk)
    file = tmp_path / "league.backup"
    assert "rows in" in run("backup", str(file))
    return file


@pytest.mark.django_db
def test_nobody_gets_in_by_what_a_backup_tells_of_a_phone(tmp_path: Path) -> None:
    night = a_night()
    ann = player(night, "ann")
    remember(night.league, a_user(), ann, session_key="opens-the-door", kind="Chrome")
    run("backup", str(tmp_path / "league.backup"))
    told = gzip.decompress((tmp_path / "league.backup").read_bytes()).decode()
    assert "Chrome" in told
    assert "opens-the-door" not in told


@pytest.mark.django_db
def test_what_was_backed_up_is_there_again_and_guarded(backup: Path) -> None:
    before = everything()
    Night.objects.update(name="changed since")
    User.objects.create_user(username="since")
    assert "Everything holds." in run("restore", "--replace", str(backup))
    assert everything() == before
    assert {"Hand", "Transfer", "PlayerTally", "User"} <= {name for name in before if before[name]}
    assert not any(guards.missing(connection, each) for each in guards.REGISTERED)
    User.objects.create_user(username="the next number is free")


@pytest.mark.django_db
def test_a_database_with_leagues_is_not_replaced_unasked(backup: Path) -> None:
    before = everything()
    with pytest.raises(CommandError, match="--replace"):
        run("restore", str(backup))
    assert everything() == before


@pytest.mark.django_db
@pytest.mark.parametrize("harm", ["cut short", "other bytes", "another line", "no backup"])
def test_a_file_that_is_not_whole_changes_nothing(backup: Path, harm: str) -> None:
    whole = backup.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    harmed = {
        "cut short": whole[: len(whole) // 2],
        "other bytes": whole[:100] + bytes([whole[100] ^ 1]) + whole[101:],
        "another line": gzip.compress(b"".join(lines).replace(b"Tuesday", b"Someday")),
        "no backup": b"hello",
    }
    backup.write_bytes(harmed[harm])
    before = everything()
    with pytest.raises(CommandError, match="Nothing was changed"):
        run("restore", "--replace", str(backup))
    assert everything() == before


@pytest.mark.django_db
def test_only_who_keeps_the_service_may_read_it(backup: Path) -> None:
    assert backup.stat().st_mode & 0o077 == 0


@pytest.mark.slow
@pytest.mark.django_db
def test_it_goes_into_a_new_sqlite_database_from_whichever_it_came(
    backup: Path, tmp_path: Path
) -> None:
    variables = os.environ | {
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    for words in (["migrate", "--verbosity", "0"], ["restore", str(backup)], ["audit"]):
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout == "Everything holds.\n"
    assert not audit(League.objects.get())
