"""The `rules` command line as a process."""

import atexit
import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from tests.helpers.fork_server import ROOT, Done, ForkServer

OPTIONS = ("-X", "utf8", "-W", "error")


def run(*arguments: str, sent: bytes | str = b"") -> Done:
    """Run `python -m rules` with these arguments and this standard input."""
    return _loaded().run(
        "rules", *arguments, sent=sent if isinstance(sent, bytes) else sent.encode()
    )


@functools.cache
def _loaded() -> ForkServer:
    server = ForkServer("rules.__main__", *OPTIONS)
    atexit.register(server.end)
    return server


def started(*arguments: str, sent: str = "", **environment: str) -> Done:
    """Run the same command in a new Python process with these environment variables."""
    return subprocess.run(
        [sys.executable, *OPTIONS, "-m", "rules", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        input=sent.encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )


def settled(lines: Iterable[bytes | str], *arguments: str) -> tuple[list[dict[str, Any]], int]:
    """Return the answers to the input lines, and the exit code. A traceback fails the test."""
    parts = [line if isinstance(line, bytes) else line.encode() for line in lines]
    done = run("settle", *arguments, sent=b"".join(part + b"\n" for part in parts))
    assert done.stderr == b"", done.stderr.decode()[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode
