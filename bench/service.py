"""A service for benchmarks with its own database. Its server also has the floors' views.

If DATABASE_URL is set, the server uses PostgreSQL and two web processes. Otherwise, it uses an
SQLite file and the server that `make run` starts, with one process and eight threads.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SETTINGS = {
    "DJANGO_SETTINGS_MODULE": "bench.floor_settings",
    "SECRET_KEY": "of a bench that is thrown away afterwards",
    # requests are counted, but the limits are never reached
    "API_RATE": "1000000/min",
    "PAGE_RATE": "1000000/min",
    "PAGE_RATE_OPEN": "1000000/min",
}


@dataclass(frozen=True, slots=True)
class Database:
    """A database, its kind, and the address that the sender uses to open it."""

    kind: str
    place: str


@contextmanager
def own_database() -> Iterator[Database]:
    """Create a migrated database and set up Django for it. Drop it after the block."""
    os.environ |= SETTINGS
    with (_on_server if os.environ.get("DATABASE_URL") else _in_file)() as database:
        import django  # noqa: PLC0415 (settings are configured here)
        from django.core.management import call_command  # noqa: PLC0415
        from django.db import connections  # noqa: PLC0415

        django.setup()
        call_command("migrate", verbosity=0)
        yield database
        connections.close_all()


@contextmanager
def _on_server() -> Iterator[Database]:
    import psycopg  # noqa: PLC0415 (SQLite does without)

    url = urlsplit(os.environ["DATABASE_URL"])
    own = url._replace(path=f"/dealers_choice_bench_{os.getpid()}")
    with psycopg.connect(url.geturl(), autocommit=True) as source:
        source.execute(f'CREATE DATABASE "{own.path[1:]}"')
        try:
            os.environ["DATABASE_URL"] = own.geturl()
            yield Database("PostgreSQL", own.geturl())
        finally:
            source.execute(f'DROP DATABASE "{own.path[1:]}" WITH (FORCE)')
            os.environ["DATABASE_URL"] = url.geturl()


@contextmanager
def _in_file() -> Iterator[Database]:
    folder = tempfile.mkdtemp(prefix="bench-")
    os.environ["DATA_DIR"] = folder
    try:
        yield Database("SQLite", folder)
    finally:
        shutil.rmtree(folder)


@contextmanager
def server(database: Database) -> Iterator[int]:
    """Run the service with its floors inside the block. Yields the port."""
    port = free_port()
    command = {"PostgreSQL": _processes, "SQLite": _embedded}[database.kind](port)
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _processes(port: int) -> list[str]:
    return [*_embedded(port), "--processes", "2", "--threads", "4"]


def _embedded(port: int) -> list[str]:
    return [sys.executable, "manage.py", "serve", "--only-web", "--port", str(port)]


def free_port() -> int:
    """Return an unused port on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the server did not start")


def send_load(job: dict[str, Any]) -> dict[str, Any]:
    """Run the job in a separate sender process and return its output (bench/sender.py)."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.sender"],
        input=json.dumps(job).encode(),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report
