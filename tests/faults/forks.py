"""Starts `manage.py serve` in forks of a process that has already loaded the service.

`python -m tests.faults.forks` reads commands from its input, one JSON list per line, and prints the
process id of each. Loading the service takes seconds, but a fork takes milliseconds.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module

from tests.faults.machines import ROOT, Machine


@dataclass
class Forks:
    """The test's interface to the forking process."""

    machine: Machine

    def __post_init__(self) -> None:
        self.started: list[int] = []
        self.said = (self.machine.folder / "said").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.forks"],
            cwd=ROOT,
            env=self.machine.variables | {"OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            text=True,
        )

    def start(self, *words: str) -> int:
        """Start the command. Return its process id."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        self.started.append(int(self.process.stdout.readline()))
        return self.started[-1]

    def end(self) -> None:
        """Kill the forking process and its latest fork."""
        with self.process, self.said:
            self.process.kill()
        for pid in self.started[-1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def main() -> None:
    import django  # noqa: PLC0415 (Django is needed here only)

    django.setup()
    servers = ("config.server.embedded_service", "config.server.web_server")
    for name in ("config.urls", "config.wsgi", *servers):
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # killed forks do not become zombies
    for line in sys.stdin:
        forked = os.fork()
        if not forked:
            _serve(json.loads(line))
        sys.stdout.write(f"{forked}\n")
        sys.stdout.flush()


def _serve(words: list[str]) -> None:
    from django.core.management import call_command  # noqa: PLC0415

    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(2, 1)  # keep the fork's output out of the list of process ids
    call_command(*words)
    os._exit(0)


if __name__ == "__main__":
    main()
