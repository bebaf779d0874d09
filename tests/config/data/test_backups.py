"""`manage.py backup` and `restore` keep all rows on either database and reject invalid files."""

import gzip
import json
import shutil
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import CommandError, call_command
from django.db import connection

from config.data.backups.file_format import tables
from league.imports.contents import ImportOptions
from league.imports.jobs import start_import
from league.integrity.audit import audit
from league.models import ImportJob, League, Night, PasswordLink, User
from league.pages.account.allauth_adapters import SecondFactor
from league.people.devices import remember
from league.sign_in import password_links
from league.stats.count import count_marked, rebuild
from ledger import guards
from tests.helpers.config.management import run_command, sqlite_in
from tests.helpers.config.migrated import copy_migrated
from tests.helpers.config.played_league import a_played_league, go_on
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.seasons import a_season
from tests.helpers.league.stats_rows import rows
from tests.helpers.league.tampering import unguarded

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
def test_backup_contains_no_usable_phone_credentials(tmp_path: Path) -> None:
    night = a_night()
    ann = player(night, "ann")
    remember(night.league, a_user(), ann, session_key="opens-the-door", kind="Chrome")
    run("backup", str(tmp_path / "league.backup"))
    text = gzip.decompress((tmp_path / "league.backup").read_bytes()).decode()
    assert "Chrome" in text
    assert "opens-the-door" not in text


@pytest.mark.django_db
def test_league_with_a_file_that_waits_to_be_imported_is_in_the_backup(tmp_path: Path) -> None:
    """The file's content can't be written as JSON, so the whole league was left out."""
    league = a_season(a_night())
    start_import(league, "hands.phhs", "[1]", ImportOptions(), by=a_user())
    text = run("backup", str(tmp_path / "league.backup"))
    assert "left out" not in text
    assert str(league.pk) in gzip.decompress((tmp_path / "league.backup").read_bytes()).decode()


@pytest.mark.django_db
def test_table_that_is_not_kept_any_more_is_skipped(backup: Path) -> None:
    """Earlier backups have the heading of the table of files that wait to be imported."""
    before = everything()
    lines = gzip.decompress(backup.read_bytes()).splitlines(keepends=True)
    heading = {"table": ImportJob._meta.db_table, "columns": ["id", "name"]}
    lines[-1:-1] = [f"{json.dumps(each)}\n".encode() for each in (heading, [1, "hands.phhs"])]
    foot = json.loads(lines[-1])
    foot |= {"rows": foot["rows"] + 1, "sha256": sha256(b"".join(lines[:-1])).hexdigest()}
    backup.write_bytes(gzip.compress(b"".join([*lines[:-1], json.dumps(foot).encode()])))
    run("restore", "--replace", str(backup))
    assert everything() == before


@pytest.mark.django_db
def test_restore_includes_sign_in_methods_but_not_sessions(tmp_path: Path) -> None:
    """E-mail addresses, codes and linked accounts are restored.

    Sessions and password links are not restored.
    """
    file, ann = tmp_path / "league.backup", a_user("ann")
    a_night()
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    secret = TOTP.activate(ann, "SECRETSECRETSECRETSECRET").instance.pk
    SocialAccount.objects.create(user=ann, provider="oidc", uid="7")
    session = SessionStore()
    session.create()
    details = {"session_key": session.session_key, "user_agent": "Firefox", "ip": "127.0.0.1"}
    UserSession.objects.create(user=ann, **details)
    password_links.make(ann, by=None)
    run("backup", str(file))
    text = gzip.decompress(file.read_bytes()).decode()
    assert "SECRETSECRET" not in text
    assert str(session.session_key) not in text
    assert "passwordlink" not in text
    run("restore", "--replace", str(file))
    assert EmailAddress.objects.get().email == "ann@example.org"
    response = Authenticator.objects.get(pk=secret)
    assert SecondFactor().decrypt(response.data["secret"]) == "SECRETSECRETSECRETSECRET"
    assert SocialAccount.objects.get().uid == "7"
    assert not UserSession.objects.exists()
    assert not PasswordLink.objects.exists()


@pytest.mark.django_db
def test_restore_reinstalls_the_database_guards(backup: Path) -> None:
    before = everything()
    with unguarded():
        Night.objects.update(name="changed since")
    User.objects.create_user(username="since")
    assert "Everything holds." in run("restore", "--replace", str(backup))
    assert everything() == before
    assert {"Hand", "Transfer", "PlayerTally", "User"} <= {name for name in before if before[name]}
    assert not any(guards.missing(connection, each) for each in guards.REGISTERED)
    User.objects.create_user(username="the next number is free")


@pytest.mark.django_db
def test_database_with_leagues_is_not_replaced_without_confirmation(backup: Path) -> None:
    before = everything()
    with pytest.raises(CommandError, match="--replace"):
        run("restore", str(backup))
    assert everything() == before


@pytest.mark.django_db
def test_incomplete_backup_changes_nothing(backup: Path, subtests: pytest.Subtests) -> None:
    whole = backup.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    harmed = {
        "cut short": whole[: len(whole) // 2],
        "other bytes": whole[:100] + bytes([whole[100] ^ 1]) + whole[101:],
        "another line": gzip.compress(b"".join(lines).replace(b"Tuesday", b"Someday")),
        "no backup": b"hello",
    }
    before = everything()
    for harm, content in harmed.items():
        with subtests.test(harm):
            backup.write_bytes(content)
            with pytest.raises(CommandError, match="Nothing was changed"):
                run("restore", "--replace", str(backup))
            assert everything() == before


@pytest.mark.django_db
def test_database_error_during_restore_is_reported_and_changes_nothing(backup: Path) -> None:
    """The file is complete but contains a row twice. Databases also differ in what they accept."""
    *lines, _ = gzip.decompress(backup.read_bytes()).splitlines(keepends=True)
    last = max(place for place, line in enumerate(lines) if line.startswith(b"["))
    lines.insert(last, lines[last])
    counted = sum(line.startswith(b"[") for line in lines)
    foot = {"rows": counted, "sha256": sha256(b"".join(lines)).hexdigest()}
    backup.write_bytes(gzip.compress(b"".join([*lines, json.dumps(foot).encode()])))
    before = everything()
    with pytest.raises(CommandError, match=r"is left out: .* Nothing was changed"):
        run("restore", "--replace", str(backup))
    assert everything() == before


@pytest.mark.django_db
def test_backup_is_readable_only_by_the_service_owner(backup: Path) -> None:
    assert backup.stat().st_mode & 0o077 == 0


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("migrated")
    copy_migrated(folder / "league.sqlite3")
    manage(folder, "migrate", "--verbosity", "0")
    return folder


@pytest.fixture
def new(migrated: Path, tmp_path: Path) -> Path:
    """Return the folder of a new SQLite database."""
    return Path(shutil.copytree(migrated, tmp_path / "new"))


@pytest.mark.slow
@pytest.mark.django_db
def test_league_restored_from_an_sqlite_backup_can_be_continued(new: Path, tmp_path: Path) -> None:
    """The backup is restored into the database of this run, which may be PostgreSQL."""
    file, again = tmp_path / "league.backup", tmp_path / "again.backup"
    manage(new, "shell", "--command", PLAYED)
    manage(new, "backup", str(file))
    assert "Everything holds." in run("restore", str(file))
    run("backup", str(again))
    assert rows_in(again) == rows_in(file)
    filled = {name for name, rows in everything().items() if rows}
    assert {
        "Token",
        "Webhook",
        "HouseGameVersion",
        "LogbookEntry",
        "Erasure",
        "PaymentPlan",
    } <= filled
    league = League.objects.get()
    holds_and_is_counted(league)
    go_on(league)
    holds_and_is_counted(league)


@pytest.mark.slow
@pytest.mark.django_db
def test_league_restored_into_a_new_sqlite_database_can_be_continued(
    new: Path, tmp_path: Path
) -> None:
    file, again = tmp_path / "league.backup", tmp_path / "again.backup"
    a_played_league()
    run("backup", str(file))
    manage(new, "restore", str(file))
    manage(new, "backup", str(again))
    assert rows_in(again) == rows_in(file)
    manage(new, "shell", "--command", GONE_ON)
    assert manage(new, "audit") == "Everything holds.\n"


PLAYED = "from tests.helpers.config.played_league import a_played_league; a_played_league()"
GONE_ON = "from tests.helpers.config.played_league import go_on; go_on(League.objects.get())"


def manage(folder: Path, *words: str) -> str:
    """Run a service command with an SQLite database in this folder."""
    done = run_command(*words, database_url=sqlite_in(folder))
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def rows_in(file: Path) -> dict[str, list[str]]:
    """Return each table's rows, sorted in a way that does not depend on the database."""
    tables: dict[str, list[str]] = {}
    table = ""
    for line in gzip.decompress(file.read_bytes()).decode().splitlines()[1:-1]:
        data = json.loads(line)
        if isinstance(data, dict):
            table = data.get("table", table)
        else:
            tables.setdefault(table, []).append(json.dumps(data, sort_keys=True))
    return {name: sorted(rows) for name, rows in tables.items()}


def holds_and_is_counted(league: League) -> None:
    assert not audit()
    while count_marked(league.pk):
        pass
    counted = rows(league)
    rebuild(league.pk)
    assert rows(league) == counted
