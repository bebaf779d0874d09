"""The command line, started as people start it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
Run = subprocess.CompletedProcess[bytes]


def run(*arguments: str, sent: bytes | str = b"", **environment: str) -> Run:
    """Run `python -m rules` with these arguments, this standard input and these variables."""
    command = [sys.executable, "-X", "utf8", "-W", "error", "-m", "rules", *arguments]
    given = sent if isinstance(sent, bytes) else sent.encode()
    return subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | environment,
        input=given,
        capture_output=True,
        timeout=120,
        check=False,
    )


def settled(lines: Iterable[bytes | str], *arguments: str) -> tuple[list[dict[str, Any]], int]:
    """The answers to lines of input, and the exit code. A traceback fails the test."""
    parts = [line if isinstance(line, bytes) else line.encode() for line in lines]
    done = run("settle", *arguments, sent=b"".join(part + b"\n" for part in parts))
    assert done.stderr == b"", done.stderr.decode()[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode
