"""Work in a child process that can be ended: one question as JSON in, one answer as JSON out."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def ask(
    script: Path, question: object, *, seconds: float, env: Mapping[str, str] | None = None
) -> Any:
    """Return what the script answers on standard output to the question on its standard input.

    It runs without the user's site packages and is killed after `seconds`. Raises
    subprocess.SubprocessError if it fails or is late, and OSError if it can't be started.
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
