"""gunicorn and waitress, each as a process of its own with an empty installation."""

import contextlib
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.helpers.security.half_sent import ask

ROOT = Path(__file__).parents[3]
GUNICORN = "-m gunicorn config.wsgi --workers 1 --threads 4 --no-control-socket --bind 127.0.0.1:{}"
WAITRESS = "manage.py serve --only-web --port {}"
STREAMS = "manage.py serve --only-streams --port {}"
SERVERS = {"gunicorn": GUNICORN, "waitress": WAITRESS}
BUSY = {
    "busy gunicorn": GUNICORN.replace("config.wsgi", "tests.helpers.security.busy"),
    "busy waitress": "-m tests.helpers.security.busy {}",
}
ALL_SERVERS = SERVERS | BUSY | {"streams": STREAMS}
Start = Callable[..., int]


@contextlib.contextmanager
def a_server(server: str, seconds: str, data: Path) -> Iterator[int]:
    port = free_port()
    told = {"DATA_DIR": str(data), "DATABASE_URL": "", "REDIS_URL": "", "STATIC_ROOT": ""}
    told |= {"DJANGO_SETTINGS_MODULE": "config.settings", "REQUEST_SECONDS": seconds}
    process = subprocess.Popen(
        [sys.executable, *shlex.split(ALL_SERVERS[server].format(port))],
        cwd=ROOT,
        env=os.environ | told,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process:
        try:
            wait_for(port)
            yield port
        finally:
            process.send_signal(signal.SIGQUIT if server == "gunicorn" else signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        with contextlib.suppress(OSError):
            if ask(port) == 200:
                return
        assert time.monotonic() < deadline, "it does not answer"
        time.sleep(0.05)
