"""Every command in the documentation is run, here or by the test that is listed for it."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from pytest_django.live_server_helper import LiveServer

from config.environment.reading import weak_secret
from league import VERSION
from tests.helpers.config.commands import ROOT, Example, examples, plain_commands

# Commands tested elsewhere: they start a service, install packages or need a server.
RUN_ELSEWHERE = {
    "python manage.py import ": "tests/league/imports/test_imports.py",
    "make run": "tests/config/test_serve.py",
    "make bench": "tests/test_benches.py",
    "make test": ".ci/run",
    "DATABASE_URL=": ".ci/run",
    "docker compose": "tests/docker/test_compose.py",
    "docker run": "docker/try-stack",
    "make demo": "tests/docker/test_wheel.py",
    "make try-stack": "docker/try-stack",
    "set -a": "tests/docs/test_systemd.py",
    "cp docs/systemd": "tests/docs/test_systemd.py",
    "systemctl ": "tests/docs/test_systemd.py",
    "pipx install": "tests/docker/test_wheel.py",
    "dealers-choice serve": "tests/docker/test_wheel.py",
    "python manage.py doctor": "tests/config/observability/test_doctor.py",
    "python manage.py secret_key": "tests/docs/test_commands.py",
    "python3 -m venv": ".ci/run",
    "python -m pip install --require-hashes": ".ci/run",
    "cp docker/example": "tests/docker/test_compose.py",
    "python manage.py serve --only-web": "tests/config/test_serve.py",
    "python manage.py serve --only-streams": "tests/api/streams/test_stream.py",
    'curl -sN "localhost:8000/api/v1/': "tests/api/streams/test_stream.py",
    "celery -A config": "tests/config/observability/test_logs.py",
    "python manage.py migrate": "tests/config/test_serve.py",
    "python manage.py audit": "tests/league/integrity/test_audit.py",
    "python manage.py verify": "tests/league/proofs/test_verification.py",
    "python manage.py stats rebuild": "tests/league/stats/test_stats_command.py",
    "python manage.py backup": "tests/config/data/test_backups.py",
    "python manage.py restore": "tests/config/data/test_backups.py",
    "python manage.py password_link": "tests/security/sign_in/test_password_links.py",
    "python manage.py export --duckdb": "tests/api/feeds/test_duckdb_file.py",
    "python -m pip install -r requirements/data.txt": ".ci/run",
    "python manage.py mcp": "tests/api/assistants/test_transports.py",
    "DEALERS_CHOICE_TOKEN=": "tests/api/assistants/test_transports.py",
    "curl -s localhost:8000/api/v1/mcp": "tests/api/assistants/test_transports.py",
    "python -m pip install -r requirements/mcp.txt": ".ci/run",
    "python manage.py erase": "tests/league/privacy/test_erasure.py",
    "python manage.py export_person": "tests/league/privacy/test_erasure.py",
    "python manage.py season": "tests/league/stats/test_stats_command.py",
    "python manage.py collectstatic": "tests/config/test_serve.py",
    "curl -s localhost:8000/api/v1/settle": "tests/docs/test_commands.py",
    "curl -s localhost:8000/api/v1/nights": "tests/api/http/test_docs.py",
    'curl -s "localhost:8000/api/v1/': "tests/api/http/test_docs.py",
    "openapi-python-client generate": "tests/clients/test_python.py",
    "npx openapi-typescript": "tests/clients/test_typescript.py",
    "npm ci --prefix docs/dashboard": "tests/clients/test_dashboard.py",
    "LEAGUE_SERVER=": "tests/clients/test_dashboard.py",
    "python -m http.server": "tests/clients/test_dashboard.py",
}


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.command[:60])
def test_console_example_prints_the_documented_output(example: Example) -> None:
    command = example.command.replace(".venv/bin/python", sys.executable)
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == example.output, done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(("page", "command"), list(plain_commands()))
def test_command_without_output_runs_in_a_test(page: str, command: str) -> None:
    places = [place for start, place in RUN_ELSEWHERE.items() if command.startswith(start)]
    assert places, f"{page}: no test runs {command!r}"
    assert all((ROOT / place).exists() for place in places)


@pytest.mark.django_db(transaction=True)
def test_api_page_settles_a_hand_with_curl(live_server: LiveServer) -> None:
    """Only the command's request is sent, because curl may not be installed."""
    curl = next(command for _, command in plain_commands() if "api/v1/settle" in command)
    words = shlex.split(curl)
    address = words[2].replace("localhost:8000", live_server.url)
    kind, content_type = words[words.index("-H") + 1].split(": ")
    body = words[words.index("-d") + 1].encode()
    with urlopen(Request(address, body, {kind: content_type})) as answer:  # noqa: S310
        assert json.load(answer)["won"] == {"ann": 20, "bob": 0}


def test_key_from_the_documented_command_is_accepted() -> None:
    """The command works even if other variables are invalid."""
    words = [sys.executable, "manage.py", "secret_key"]
    wrong = os.environ | {"BEHIND_HTTPS": "on", "DATABASE_URL": "postgres://nowhere/league"}
    done = subprocess.run(words, cwd=ROOT, env=wrong, capture_output=True, text=True, check=True)
    assert list(weak_secret(done.stdout.strip())) == []


def test_command_prints_the_version(tmp_path: Path) -> None:
    words = [sys.executable, str(ROOT / "manage.py"), "--version"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"dealers-choice {VERSION}\n"


def test_documentation_pages_have_console_examples() -> None:
    assert {example.page for example in examples()} >= {"README.md", "CONTRIBUTING.md"}
