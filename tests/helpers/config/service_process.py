"""`manage.py serve` as a process."""

import contextlib
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

from tests.helpers.config.installations import Variables
from tests.helpers.fork_server import ROOT


@dataclass
class Service:
    process: subprocess.Popen[str]
    url: str

    def get(self, path: str, **headers: str) -> str:
        request = urllib.request.Request(f"{self.url}{path}", headers=headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.read().decode()

    def end(self, by: signal.Signals) -> float:
        """Send the signal. Return how many seconds the process took to end."""
        started = time.monotonic()
        self.process.send_signal(by)
        self.process.wait(timeout=30)
        return time.monotonic() - started


@contextlib.contextmanager
def served(installation: Variables, *options: str) -> Iterator[Service]:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--prepare", "--port", "0", *options],
        cwd=ROOT,
        env=installation,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            assert line.startswith("Ready on http://"), line
            yield Service(process, line.split()[-1])
        finally:
            process.kill()
