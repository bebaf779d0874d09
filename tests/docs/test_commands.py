"""Every command in the documentation is run: here, or by the test that is named for it."""

import json
import os
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.docs.commands import ROOT, Example, examples, plain_commands

# What a test elsewhere runs, because it starts a service, installs packages or wants a server.
RUN_ELSEWHERE = {
    "python manage.py import ": "tests/league/test_imports.py",
    "make run": "tests/config/test_serve.py",
    "make test": ".ci/run",
    "DATABASE_URL=": ".ci/run",
    "docker compose": "tests/docker/test_compose.py",
    "cp docker/example": "tests/docker/test_compose.py",
    "python manage.py serve --only-web": "tests/config/test_serve.py",
    "celery -A config": "tests/docs/test_commands.py",
    "gunicorn config.wsgi": "tests/docs/test_commands.py",
    "python manage.py migrate": "tests/config/test_serve.py",
    "python manage.py audit": "tests/league/test_audits.py",
    "python manage.py stats rebuild": "tests/stats/test_commands.py",
    "python manage.py backup": "tests/config/test_backups.py",
    "python manage.py restore": "tests/config/test_backups.py",
    "python manage.py erase": "tests/league/test_erasing.py",
    "python manage.py export_person": "tests/league/test_erasing.py",
    "python manage.py season": "tests/stats/test_commands.py",
    "python manage.py collectstatic": "tests/config/test_serve.py",
    "curl -s localhost:8000/api/v1/settle": "tests/docs/test_commands.py",
    "curl -s localhost:8000/api/v1/nights": "tests/api/test_docs.py",
    'curl -s "localhost:8000/api/v1/': "tests/api/test_docs.py",
}


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.command[:60])
def test_a_console_example_prints_what_the_page_says(example: Example) -> None:
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
def test_a_command_without_its_output_is_run_somewhere(page: str, command: str) -> None:
    places = [place for start, place in RUN_ELSEWHERE.items() if command.startswith(start)]
    assert places, f"{page}: no test runs {command!r}"
    assert all((ROOT / place).exists() for place in places)


@pytest.mark.django_db(transaction=True)
def test_the_api_page_settles_a_hand_with_curl(live_server: LiveServer) -> None:
    """The words of the command are sent by hand: a fresh machine need not have curl."""
    curl = next(command for _, command in plain_commands() if "api/v1/settle" in command)
    words = shlex.split(curl)
    address = words[2].replace("localhost:8000", live_server.url)
    kind, content_type = words[words.index("-H") + 1].split(": ")
    body = words[words.index("-d") + 1].encode()
    with urlopen(Request(address, body, {kind: content_type})) as answer:  # noqa: S310
        assert json.load(answer)["won"] == {"ann": 20, "bob": 0}


@pytest.mark.slow
@pytest.mark.parametrize(("part", "ready"), [("worker", "ready."), ("beat", "beat: Starting...")])
def test_a_worker_and_a_scheduler_start_as_the_page_says(
    part: str, ready: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "celery", "-A", "config", part, "--loglevel", "info"]
    extra = ["--schedule", str(tmp_path / "beat")] if part == "beat" else ["--pool", "solo"]
    with subprocess.Popen(
        [*command, *extra], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as service:
        assert service.stdout is not None
        said = next((line for line in service.stdout if ready in line), None)
        time.sleep(1)  # while it still sets itself up, an exit raised by a signal can be lost
        service.terminate()
        service.communicate(timeout=20)
    assert said is not None


@pytest.mark.slow
def test_gunicorn_answers_as_the_page_says(tmp_path: Path) -> None:
    command = next(line for _, line in plain_commands() if line.startswith("gunicorn"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = [sys.executable, "-m", *shlex.split(command.replace("0.0.0.0:8000", address))]
    environment = {**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": ""}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    with subprocess.Popen(words, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as service:
        try:
            assert _answer(f"http://{address}/health") == b"ok"
        finally:
            service.terminate()


def _answer(url: str, *, within: float = 20) -> bytes:
    deadline = time.monotonic() + within
    while True:
        try:
            with urlopen(url) as answer:  # noqa: S310
                return bytes(answer.read()).strip()
        except OSError:
            assert time.monotonic() < deadline, "it does not answer"
            time.sleep(0.1)


def test_the_pages_have_console_examples() -> None:
    assert {example.page for example in examples()} >= {"README.md", "CONTRIBUTING.md"}
