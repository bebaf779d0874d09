"""Times how long `manage.py serve --prepare` takes, relative to importing its libraries.

    python bench/start.py [--turns 5]

In turns, it starts a new process that only imports the packages of the service, and the service
itself until it is ready. The database is migrated and static files are collected, as in every start
except the first. Prints medians, minima and maxima of the wall time, and one line of ratios. The
run fails if the service does not respond.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = "django.db.models, rest_framework.views, celery.worker, allauth, numpy, uvicorn, redis"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/start.py", description="The start, timed")
    parser.add_argument("--turns", type=int, default=5)
    turns = parser.parse_args().turns
    libraries, ready = [], []
    with tempfile.TemporaryDirectory() as folder:
        variables = os.environ | {"DATA_DIR": folder, "STATIC_ROOT": f"{folder}/static"}
        first = _ready(variables)
        for _ in range(turns):
            libraries.append(_imported(variables))
            ready.append(_ready(variables))
    print(f"first start of all     {first:.2f} s")
    print(f"libraries alone        {_summary(libraries)}")
    print(f"ready                  {_summary(ready)}")
    ratios = [a / b for a, b in zip(ready, libraries, strict=True)]
    print(
        f"ready in {statistics.median(ratios):.2f} times what importing the libraries takes"
        f" ({min(ratios):.2f} to {max(ratios):.2f})"
    )


def _imported(variables: dict[str, str]) -> float:
    started = time.perf_counter()
    code = "from django.conf import settings; settings.configure(); import " + LIBRARIES
    subprocess.run([sys.executable, "-c", code], env=variables, check=True)  # noqa: S603 (our own)
    return time.perf_counter() - started


def _ready(variables: dict[str, str]) -> float:
    """Start the service, and stop it after the first response."""
    command = [sys.executable, "manage.py", "serve", "--prepare", "--port", "0"]
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 (our own)
        command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            line = (process.stdout or sys.stdin).readline()
            seconds = time.perf_counter() - started
            with urllib.request.urlopen(f"{line.split()[-1]}/health", timeout=10) as answer:  # noqa: S310
                if answer.status != 200:
                    raise SystemExit(f"it answers {answer.status}")
        finally:
            process.send_signal(signal.SIGTERM)
    return seconds


def _summary(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f})"


if __name__ == "__main__":
    main()
