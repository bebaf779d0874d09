"""Run work in a child process with a timeout, with JSON on its standard input and output."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def call_script(
    script: Path, question: object, *, seconds: float, env: Mapping[str, str] | None = None
) -> Any:
    """Pass `question` to the script as JSON and return its answer.

    The script runs without the user's site packages and is killed after `seconds`. Raises
    subprocess.SubprocessError if the script fails or takes too long, and OSError if it can't be
    started.
    """
    done = subprocess.run(  # noqa: S603 (our own script, with this Python)
        [sys.executable, "-I", str(script)],
        input=json.dumps(question),
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=seconds,
        check=True,
    )
    return json.loads(done.stdout)
