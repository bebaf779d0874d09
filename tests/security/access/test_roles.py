"""PostgreSQL roles created by docker/postgres-roles.sql. The service does not own its tables."""

import os
import re
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import errors, sql

from tests.helpers.config.management import run_command

ROOT = Path(__file__).parents[3]
ROLES = ROOT / "docker" / "postgres-roles.sql"
SERVER = os.environ.get("DATABASE_URL", "")
pytestmark = [
    pytest.mark.database,
    pytest.mark.skipif(
        not SERVER.startswith("postgres"), reason="SQLite has no roles: .ci/run has both"
    ),
]

A_NIGHT = """
from uuid import uuid4
from league.stats.count import count_marked
from league.stats.count import rebuild
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from tests.helpers.league.nights import closed
from tests.helpers.league.leagues import a_night, holdem
night = a_night()
hand = record_hand(night, uuid4(), holdem(), by=None).hand
revise_hand(hand, uuid4(), holdem(button=0), by=night.league.created_by)
closed(night, by=night.league.created_by)
count_marked(night.league.pk)
rebuild(night.league.pk)
print("played", night.pk)
"""


@dataclass(frozen=True)
class Installation:
    """A separate database with its two roles and their connection URLs."""

    owner: str
    service: str
    data: Path

    def run(self, *words: str, by: str) -> str:
        """Run one of our commands as one of the roles. Return the output of both streams."""
        done = run_command(*words, database_url=by)
        return (done.stdout + done.stderr).decode()


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Create the installation as compose does: first the roles, then the tables as the owner."""
    name = f"roles_{uuid.uuid4().hex[:12]}"
    owner, service = f"{name}_owner", f"{name}_service"
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            make_roles(name)
            made = Installation(
                url(name, owner), url(name, service), tmp_path_factory.mktemp("data")
            )
            made.run("migrate", "--no-input", by=made.owner)
            yield made
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
            for role in (owner, service):
                server.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


def make_roles(name: str) -> None:
    """Run the script as the image does, with role names for this database only."""
    text = re.sub(r"\bleague_(owner|service)\b", rf"{name}_\1", ROLES.read_text())
    words = ["psql", "--no-psqlrc", "--quiet", "--dbname", url(name)]
    passwords = {"OWNER_PASSWORD": "only-for-tests", "SERVICE_PASSWORD": "only-for-tests"}
    subprocess.run(words, input=text, env=os.environ | passwords, text=True, check=True)


def url(name: str, role: str = "") -> str:
    server = urlsplit(SERVER)
    if not role:
        return server._replace(path=f"/{name}").geturl()
    place = server.netloc.rpartition("@")[2]
    return server._replace(netloc=f"{role}:only-for-tests@{place}", path=f"/{name}").geturl()


def test_service_role_can_play_audit_and_back_up_a_night(
    installation: Installation,
) -> None:
    service = installation.service
    assert "played " in installation.run("shell", "-c", A_NIGHT, by=service)
    assert "Everything holds." in installation.run("audit", by=service)
    file = installation.data / "league.backup"
    assert f"rows in {file}" in installation.run("backup", str(file), by=service)
    assert installation.run("check", "--database", "default", by=service).count("no issues") == 1


FORBIDDEN = (
    "DROP TRIGGER ledger_posting_kept ON ledger_posting",
    "ALTER TABLE ledger_posting DISABLE TRIGGER USER",
    "ALTER TABLE league_closing ADD COLUMN more text",
    "DROP TABLE league_closing",
    "TRUNCATE ledger_posting",
    "TRUNCATE league_league CASCADE",
    "CREATE TABLE mine (a int)",
    "CREATE TEMPORARY TABLE mine (a int)",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE sql AS ''",
    "DROP FUNCTION ledger_refuse() CASCADE",
    "SET session_replication_role = replica",
    "COPY league_user TO PROGRAM 'cat'",
    "CREATE ROLE mine SUPERUSER",
)


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_service_role_cannot_change_its_guards(statement: str, installation: Installation) -> None:
    service = psycopg.connect(installation.service)
    with service, pytest.raises(errors.InsufficientPrivilege):
        service.execute(statement)  # type: ignore[call-overload]


def test_forbidden_statements_succeed_for_the_owner(
    installation: Installation,
) -> None:
    """The statements above fail because of permissions, not because the names don't exist."""
    with psycopg.connect(installation.owner) as owner:
        shown = owner.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal").fetchall()
        assert ("ledger_posting_kept",) in shown
        for statement in FORBIDDEN[:3]:
            owner.execute(statement)  # type: ignore[call-overload]
        owner.rollback()


def test_both_database_roles_have_minimal_privileges(installation: Installation) -> None:
    sees = """
        SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
        FROM pg_roles WHERE rolname = current_user"""
    owns = "SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole"
    for role, expected in ((installation.owner, True), (installation.service, False)):
        with psycopg.connect(role) as connection:
            assert connection.execute(sees).fetchone() == (False,) * 5
            owner = connection.execute(owns).fetchone()
            assert owner
            assert bool(owner[0]) is expected


def test_only_the_owner_can_disable_guards(installation: Installation) -> None:
    file = str(installation.data / "other.backup")
    installation.run("demo", "--hands", "3", by=installation.service)
    installation.run("backup", file, by=installation.service)
    refused = installation.run("restore", file, "--replace", by=installation.service)
    assert "do this as the role that owns the tables" in refused
    assert "Traceback" not in refused
    done = installation.run("restore", file, "--replace", by=installation.owner)
    assert "Everything holds." in done
    assert "Everything holds." in installation.run("audit", by=installation.service)


def test_script_is_idempotent_and_takes_over_existing_objects(
    installation: Installation,
) -> None:
    """In an installation older than the roles, the superuser owns the tables."""
    name = urlsplit(installation.owner).path.removeprefix("/")
    with psycopg.connect(url(name), autocommit=True) as server:
        server.execute("CREATE TABLE made_before (a int)")
        server.execute("CREATE FUNCTION before() RETURNS int LANGUAGE sql AS 'SELECT 1'")
    make_roles(name)
    with psycopg.connect(installation.owner, autocommit=True) as owner:
        owner.execute("ALTER TABLE made_before ADD COLUMN b int")
    with psycopg.connect(installation.service, autocommit=True) as service:
        service.execute("INSERT INTO made_before VALUES (1, 2)")
    with psycopg.connect(installation.owner, autocommit=True) as owner:
        owner.execute("DROP TABLE made_before")
        owner.execute("DROP FUNCTION before()")
