"""Settings from the environment, and their defaults."""

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from config.data.connections import configured
from config.data.private_files import stored_secret_key
from config.server.local_addresses import local_hosts

ROOT = Path(__file__).parents[2]
SHOW = """
import json, sys
from django.conf import settings
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))
"""


def settings_with(data: Path, *names: str, **variables: str) -> dict[str, Any]:
    """Return a new process's settings with only these variables."""
    shown = subprocess.run(
        [sys.executable, "-c", SHOW, *names],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA_DIR": str(data),
            **variables,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    values: dict[str, Any] = json.loads(shown.stdout)
    return values


def test_service_needs_no_external_server_by_default(tmp_path: Path) -> None:
    values = settings_with(tmp_path, "DEBUG", "DATABASES", "CELERY_BROKER_URL", "CACHES")
    assert values["DEBUG"] is False
    assert values["DATABASES"]["default"]["NAME"] == str(tmp_path / "league.sqlite3")
    assert values["CELERY_BROKER_URL"].startswith("memory://")
    assert "locmem" in values["CACHES"]["default"]["BACKEND"]


def test_environment_variables_configure_the_servers(tmp_path: Path) -> None:
    values = settings_with(
        tmp_path,
        "DATABASES",
        "CELERY_BROKER_URL",
        "CACHES",
        DATABASE_URL="postgres://someone:secret@db:5433/league",
        REDIS_URL="redis://queue:6379/2",
    )
    database = values["DATABASES"]["default"]
    assert database["ENGINE"] == "config.data.postgresql"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db", 5433, "league")
    assert database["CONN_HEALTH_CHECKS"] is True
    assert values["CELERY_BROKER_URL"] == "redis://queue:6379/2"
    assert values["CACHES"]["default"]["LOCATION"] == "redis://queue:6379/2"


def test_empty_variable_counts_as_unset(tmp_path: Path) -> None:
    """Compose files pass unset variables on as empty strings."""
    empty = dict.fromkeys(("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS"), "")
    values = settings_with(tmp_path, "DATABASES", "SECRET_KEY", "ALLOWED_HOSTS", **empty)
    assert "sqlite3" in values["DATABASES"]["default"]["ENGINE"]
    assert len(values["SECRET_KEY"]) > 50
    assert "127.0.0.1" in values["ALLOWED_HOSTS"]


def test_cookies_are_secure_behind_https(tmp_path: Path) -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS")
    plain = settings_with(tmp_path, *names)
    secure = settings_with(tmp_path, *names, BEHIND_HTTPS="on", ALLOWED_HOSTS="league.example.org")
    assert list(plain.values()) == [False, False, 0]
    assert all(secure.values())


def test_allowed_hosts_default_to_the_names_of_this_machine() -> None:
    assert {"localhost", "127.0.0.1", "[::1]"} <= set(local_hosts())
    assert "*" not in local_hosts()


def test_secret_key_is_created_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret-key"
    secret = stored_secret_key(path)
    assert stored_secret_key(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_started_together_share_one_secret_key(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    with ThreadPoolExecutor(8) as starters:
        assert len(set(starters.map(stored_secret_key, [path] * 8))) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_database_options_in_the_url_are_kept() -> None:
    database = configured({"ENGINE": "django.db.backends.sqlite3", "OPTIONS": {"timeout": 3}})
    assert database["OPTIONS"]["timeout"] == 3
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
