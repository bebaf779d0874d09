"""Every process reports all invalid environment variables and exits."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from config.environment.reading import WrongVariablesError, misspelled, read
from config.environment.variables import TABLE

ROOT = Path(__file__).parents[2]
PASSWORD = "joel-told-nobody"
PRODUCTION = {
    "DATABASE_URL": f"postgres://league:{PASSWORD}@127.0.0.1:5432/league",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "SECRET_KEY": "only-for-tests-but-as-long-as-one-that-is-not-only-for-them",
    "ALLOWED_HOSTS": "league.example.org",
    "SITE_URL": "https://league.example.org",
    "BEHIND_HTTPS": "on",
}
WRONG = {
    "DATABASE_URL": f"mysql://league:{PASSWORD}@db/league",
    "REDIS_URL": f"amqp://:{PASSWORD}@queue",
    "API_RATE": "often",
    "DEBUG": "perhaps",
    "TIME_ZONE": "Atlantis/Capital",
}


def wrong_with(**variables: str) -> list[str]:
    """Return the error messages for the invalid variables."""
    with pytest.raises(WrongVariablesError) as wrong:
        read(variables)
    return wrong.value.errors


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("TIMEZONE", "TIME_ZONE"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("REDIS_URLS", "REDIS_URL"),
        ("ALLOWED_HOST", "ALLOWED_HOSTS"),
        ("BEHIND_HTTP", "BEHIND_HTTPS"),
        ("SIGNUP", "SIGN_UP"),
        ("BACKUP_KEPT", "BACKUPS_KEPT"),
        ("EMAIL_URI", "EMAIL_URL"),
        ("SECRETKEY", "SECRET_KEY"),
        ("METRIC_TOKEN", "METRICS_TOKEN"),
        ("OIDC_CLIENTID", "OIDC_CLIENT_ID"),
    ],
)
def test_misspelled_variable_is_reported_with_a_suggestion(name: str, meant: str) -> None:
    assert list(misspelled({name: "x", "PATH": "/bin"})) == [(name, meant)]
    assert list(misspelled({name: "x", meant: "y"})) == []


def test_variables_of_other_programs_are_not_reported() -> None:
    """Desktops, shells, compose files, Kubernetes, pip and PostgreSQL set such variables."""
    others = """
        HOME LOGNAME MAIL TZ LANG DISPLAY XDG_DATA_HOME XDG_DATA_DIRS DEBUGINFOD_URLS
        SSH_AUTH_SOCK PGDATABASE PGHOST POSTGRES_DB POSTGRES_USER SERVICE_PASSWORD
        OWNER_PASSWORD REDIS_PORT REDIS_PASSWORD REDIS_SERVICE_HOST WEB_PORT HOST PORT CHROMIUM
        SITE_NAME PIP_DEFAULT_TIMEOUT PYTHONPATH VIRTUAL_ENV DJANGO_SETTINGS_MODULE
        CELERY_BROKER_URL SMTP_URL HTTPS_PROXY NO_PROXY DATA_HOME LOG_FILE API_KEY API_URL
        DEBIAN_FRONTEND CI
    """.split()
    assert list(misspelled(dict.fromkeys(others, "x"))) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://league@db/league"),
        ("DATABASE_URL", "postgres://league@db:5432"),
        ("DATABASE_URL", "postgres://league@db:many/league"),
        ("DATABASE_URL", "league.sqlite3"),
        ("REPLICA_URL", "sqlite:///league.sqlite3"),
        ("REPLICA_URL", "postgres://league@replica:5432"),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "redis://queue:99999/0"),
        ("REDIS_URL", "redis://[queue"),
        ("EMAIL_URL", "pigeon://someone"),
        ("SITE_URL", "league.example.org"),
        ("BEHIND_HTTPS", "maybe"),
        ("DEBUG", "2"),
        ("API_RATE", "600"),
        ("API_RATE_OPEN", "0/min"),
        ("CORS_ORIGINS", "https://stats.example.org/page"),
        ("CORS_ORIGINS", "*"),
        ("WEBHOOK_NETWORKS", "home"),
        ("TIME_ZONE", "../../etc/passwd"),
        ("LOG_LEVEL", "LOUD"),
        ("SIGN_UP", "maybe"),
        ("OIDC_SERVER_URL", "login.example.org"),
    ],
)
def test_variable_with_an_invalid_value_is_reported_by_name(name: str, value: str) -> None:
    [error] = wrong_with(**{name: value})
    assert error.startswith(f"{name} must ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALLOWED_HOSTS", ""),
        ("DEBUG", "on"),
        ("SITE_URL", "http://league.example.org"),
        ("SECRET_KEY", ""),
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "a" * 80),
    ],
)
def test_variable_that_conflicts_with_https_is_reported_by_name(name: str, value: str) -> None:
    [error] = wrong_with(**PRODUCTION | {name: value})
    assert error.startswith(f"{name} ")
    assert value not in error or value in ("", "on")


OIDC = {
    "OIDC_NAME": "Acme",
    "OIDC_SERVER_URL": "https://login.example.org",
    "OIDC_CLIENT_ID": "dealers-choice",
    "OIDC_CLIENT_SECRET": PASSWORD,
}


@pytest.mark.parametrize("name", OIDC)
def test_incomplete_sign_in_provider_is_reported(name: str) -> None:
    [error] = wrong_with(**OIDC | {name: ""})
    assert error.startswith(f"{name} ")
    assert PASSWORD not in error


def test_sign_in_provider_requires_https_or_a_local_address() -> None:
    [error] = wrong_with(**OIDC | {"OIDC_SERVER_URL": "http://login.example.org"})
    assert error.startswith("OIDC_SERVER_URL ")
    assert read(OIDC)["OIDC_NAME"] == "Acme"
    assert read(OIDC | {"OIDC_SERVER_URL": "http://127.0.0.1:9"})["OIDC_NAME"] == "Acme"


def test_replica_requires_a_postgresql_source() -> None:
    replica = PRODUCTION["DATABASE_URL"].replace("127.0.0.1", "replica")
    [error] = wrong_with(REPLICA_URL=replica)
    assert error.startswith("REPLICA_URL ")
    assert PASSWORD not in error
    assert read(PRODUCTION | {"REPLICA_URL": replica})["REPLICA_URL"] == replica


def test_empty_environment_and_production_environment_are_valid() -> None:
    assert read({})["DATABASE_URL"] == ""
    assert read(PRODUCTION)["BEHIND_HTTPS"] is True


@pytest.mark.parametrize(
    "command",
    [
        "manage.py check",
        "manage.py migrate",
        "-m celery -A config worker",
        "-m celery -A config beat",
        "manage.py serve --only-web --processes 2 --port 0",
    ],
)
def test_every_process_reports_all_invalid_variables_before_exiting(
    command: str, tmp_path: Path
) -> None:
    ended = run(command, tmp_path, **WRONG)
    assert ended.returncode == 3
    for name in WRONG:
        assert f"* {name} must " in ended.stderr
    assert "Traceback" not in ended.stderr
    assert PASSWORD not in ended.stderr


def test_production_settings_pass_the_deployment_check(tmp_path: Path) -> None:
    checked = run("manage.py check --deploy --fail-level WARNING", tmp_path, **PRODUCTION)
    assert checked.returncode == 0, checked.stderr
    assert "no issues" in checked.stdout


def test_documentation_contains_the_table_of_variables() -> None:
    page = (ROOT / "docs/configure.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `[A-Z_]+` \|.*$", page, re.MULTILINE)
    assert shown == [f"| `{each.name}` | {each.shown} | {each.meaning} |" for each in TABLE]


def test_all_variables_read_in_the_settings_are_documented() -> None:
    text = (ROOT / "config/settings.py").read_text(encoding="utf-8")
    assert set(re.findall(r'\benv\["(\w+)"\]', text)) == {each.name for each in TABLE}
    assert text.count("os.environ") == 1


def run(command: str, data: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command in a new process with only these variables."""
    return subprocess.run(
        [sys.executable, *command.split()],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(data), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
