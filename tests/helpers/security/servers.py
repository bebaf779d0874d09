"""The web server with one process and with several, each with an empty installation."""

import contextlib
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.helpers.config.migrated import copy_migrated
from tests.helpers.security.half_sent import ask

ROOT = Path(__file__).parents[3]
SERVERS = {
    "one process": "manage.py serve --only-web --port {}",
    "several processes": "manage.py serve --only-web --processes 2 --threads 4 --port {}",
}
BUSY = "-m tests.helpers.security.busy {}"
STREAMS = "manage.py serve --only-streams --port {}"
ALL_SERVERS = SERVERS | {"busy": BUSY, "streams": STREAMS}
LARGE_FILE = "large.bin"
LARGE_BYTES = 8_000_000  # more than the buffers of both ends of a connection
Start = Callable[..., int]


@contextlib.contextmanager
def a_server(server: str, seconds: str, data: Path) -> Iterator[int]:
    port = free_port()
    copy_migrated(data / "league.sqlite3")
    environment = {"DATA_DIR": str(data), "DATABASE_URL": "", "REDIS_URL": "", "STATIC_ROOT": ""}
    settings = "tests.helpers.security.large_file"
    environment |= {"DJANGO_SETTINGS_MODULE": settings, "REQUEST_SECONDS": seconds}
    (data / "large").mkdir(exist_ok=True)
    (data / "large" / LARGE_FILE).write_bytes(bytes(LARGE_BYTES))
    process = subprocess.Popen(
        [sys.executable, *shlex.split(ALL_SERVERS[server].format(port))],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process:
        try:
            wait_for(port)
            yield port
        finally:
            # Child processes also end when their parent is killed.
            process.kill()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 120
    while True:
        with contextlib.suppress(OSError):
            if ask(port) == 200:
                return
        assert time.monotonic() < deadline, "it does not answer"
        time.sleep(0.05)
