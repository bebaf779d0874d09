"""`manage.py serve` as a process of its own, the way it runs at home."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest
from psycopg import sql

from tests.conftest import forget

ROOT = Path(__file__).parents[2]
MEANT_TO_START_WITHIN = 5.0
MEANT_TO_END_WITHIN = 5.0


@dataclass
class Service:
    process: subprocess.Popen[str]
    url: str

    def get(self, path: str, **headers: str) -> str:
        request = urllib.request.Request(f"{self.url}{path}", headers=headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.read().decode()

    def end(self, by: signal.Signals) -> float:
        """Send the signal; return the seconds until the process has ended."""
        started = time.monotonic()
        self.process.send_signal(by)
        self.process.wait(timeout=30)
        return time.monotonic() - started


Start = Callable[..., Service]
Variables = dict[str, str]


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Variables]:
    """An installation of its own, of the kind that the environment asks for."""
    name = f"served_{uuid.uuid4().hex}"
    with scratch_database(name) as database_url:
        yield os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.config.served_settings",
            "DATABASE_URL": database_url,
            "DATA_DIR": str(tmp_path),
            "STATIC_ROOT": "",
            "SERVED_QUEUE": name,
        }
    if url := os.environ.get("REDIS_URL"):
        forget(url, name)


@contextlib.contextmanager
def scratch_database(name: str) -> Iterator[str]:
    """A new PostgreSQL database where the environment names one; otherwise the SQLite default."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        yield ""
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def start(installation: Variables) -> Iterator[Start]:
    processes = []

    def started(*options: str, **variables: str) -> Service:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--prepare", "--port", "0", *options],
            cwd=ROOT,
            env=installation | variables,
            stdout=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        assert process.stdout
        line = process.stdout.readline()
        assert line.startswith("Ready on http://"), line
        return Service(process, line.split()[-1])

    yield started
    for process in processes:
        with process:
            process.kill()


def test_ready_means_that_it_answers(start: Start) -> None:
    assert start().get("/health") == "ok"


def test_phones_get_a_picture_of_its_address_and_sign_up_there(start: Start) -> None:
    """Over plain HTTP under its own address, with the origin that a browser sends."""
    service = start("--host", "0.0.0.0", "--only-web", PYTHONIOENCODING="utf-8")  # noqa: S104
    assert service.process.stdout
    said = []
    while not said or "same network" not in said[-1]:
        said.append(service.process.stdout.readline())
    assert sum("\u2588" in line for line in said) > 10
    token = "t" * 32
    fields = {"csrfmiddlewaretoken": token, "username": "", "password1": "", "password2": ""}
    request = urllib.request.Request(  # noqa: S310
        f"{service.url}/sign-up",
        urlencode(fields).encode(),
        {"Origin": service.url, "Cookie": f"csrftoken={token}"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
        assert answer.status == 200


def test_it_is_ready_in_time_when_warm(start: Start) -> None:
    start().end(signal.SIGTERM)
    began = time.monotonic()
    start()
    assert time.monotonic() - began < MEANT_TO_START_WITHIN


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_time_and_in_peace(start: Start, by: signal.Signals) -> None:
    service = start()
    assert service.end(by) < MEANT_TO_END_WITHIN
    assert service.process.returncode == 0


def test_a_slow_request_does_not_keep_it(start: Start) -> None:
    service = start()

    def ask() -> None:
        with contextlib.suppress(OSError):
            service.get("/linger")

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.3)
    assert service.end(signal.SIGTERM) < MEANT_TO_END_WITHIN
    assert service.process.returncode == 0
    asking.join()


def test_a_task_sent_by_a_request_is_done(start: Start) -> None:
    service = start()
    assert service.get("/expire") == "sent"
    deadline = time.monotonic() + 10
    while service.get("/count") != "0":
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_it_starts_again_on_what_it_kept(start: Start) -> None:
    first = start("--only-web")
    first.get("/expire")
    first.end(signal.SIGTERM)
    assert start("--only-web").get("/count") == "1"


@pytest.mark.parametrize(("behind", "scheme"), [("on", "https"), ("off", "http")])
def test_only_a_proxy_that_was_announced_is_believed(
    start: Start, behind: str, scheme: str
) -> None:
    service = start("--only-web", BEHIND_HTTPS=behind)
    assert service.get("/scheme", **{"X-Forwarded-Proto": "https"}) == scheme


def test_static_files_are_collected_where_a_place_is_given(start: Start, tmp_path: Path) -> None:
    start("--only-web", STATIC_ROOT=str(tmp_path / "static"))
    assert (tmp_path / "static" / "staticfiles.json").exists()


def test_a_port_that_is_taken_is_said_so(start: Start, installation: Variables) -> None:
    port = start().url.rsplit(":", 1)[1]
    other = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", port],
        cwd=ROOT,
        env=installation,
        capture_output=True,
        text=True,
        check=False,
    )
    assert other.returncode == 1
    assert f"Cannot serve on 127.0.0.1:{port}" in other.stderr
    assert "Traceback" not in other.stderr


def test_nothing_is_left_beside_the_data(start: Start) -> None:
    before = set(ROOT.iterdir())
    start().end(signal.SIGTERM)
    assert not {path for path in set(ROOT.iterdir()) - before if "beat" in path.name}
