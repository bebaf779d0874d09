"""`manage.py doctor` reports missing parts, each with a command to type, and sets the exit code."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from config.web.static_files import HashedFiles
from league.jobs.last_runs import Process
from league.models import LastRun

pytestmark = pytest.mark.django_db


def doctor() -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("doctor", stdout=out)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture(autouse=True)
def fit(db: None, settings: Settings, tmp_path: Path) -> None:
    """A service with no missing parts."""
    for process in Process:
        LastRun.objects.create(name=f"process-{process}", at=timezone.now())
    static = tmp_path / "static"
    static.mkdir()
    (static / HashedFiles.manifest_name).write_text("{}")
    settings.SECRET_KEY = "only-for-tests-" * 4
    settings.BEHIND_HTTPS, settings.DEBUG = True, False
    settings.ALLOWED_HOSTS = ["league.example.org", "localhost"]
    settings.STATIC_ROOT = str(static)
    settings.DATA_DIR, settings.BACKUP_DIR = tmp_path, tmp_path / "backups"
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"


def test_healthy_service_passes_with_suggested_improvements() -> None:
    code, output = doctor()
    assert code == 0
    assert output.endswith("Fit for production.\n")
    assert "e-mails are written to the standard output" in output
    assert "-> EMAIL_URL=smtp+tls://" in output


@pytest.mark.parametrize(
    ("name", "value", "text", "typed"),
    [
        ("BEHIND_HTTPS", False, "no HTTPS", "BEHIND_HTTPS=on"),
        ("DEBUG", True, "DEBUG shows internal details", "DEBUG=off"),
        ("SECRET_KEY", "guess", "SECRET_KEY can be guessed", "manage.py secret_key)"),
        ("STATIC_ROOT", "/nowhere", "not collected", "manage.py collectstatic --no-input"),
        ("REDIS_URL", "redis://127.0.0.1:1/0", "Redis does not answer", "REDIS_URL"),
    ],
)
def test_missing_part_is_reported_with_a_command_to_fix_it(
    name: str, value: object, text: str, typed: str, settings: Settings
) -> None:
    setattr(settings, name, value)
    code, output = doctor()
    assert code == 1
    lines = output.splitlines()
    [at] = [number for number, line in enumerate(lines) if text in line]
    assert lines[at].startswith("missing")
    assert typed in lines[at + 1]
    assert lines[-1] == "Not fit for production: 1 missing."


@pytest.mark.parametrize("process", Process)
def test_process_that_is_not_running_is_reported_as_missing(process: Process) -> None:
    LastRun.objects.get(name=f"process-{process}").delete()
    code, output = doctor()
    assert code == 1
    assert f"missing  no {process} has reported for 3 minutes" in output


def test_mail_server_that_is_unavailable_is_reported(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    code, output = doctor()
    assert code == 1
    assert "the mail server 127.0.0.1 can't be reached (ConnectionRefusedError)" in output
