"""Benchmarks run and fail on wrong answers.

Each one runs as briefly as possible. Every test run starts one of them, and `make test-long` starts
all of them. Benchmarks against a peer that only `make bench` installs run only there.
"""

import os
import subprocess
import sys

import pytest

from bench.__main__ import BENCHES
from tests.helpers.fork_server import ROOT

SHORT = {
    "settle": ["--turns", "1", "--hands", "60", "--lines", "100", "--game", "texas-holdem"],
    "history": ["--turns", "1", "--hands", "24"],
    "import_time": ["--turns", "1"],
    "recording": ["--turns", "1", "--hands", "8", "--leagues", "2", "--batch", "5"],
}
WANTS_A_PEER = {"evaluate", "odds"}
TIMES_A_SERVICE_FOR_LONG = {"start", "feeds", "stats"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        name if name == "import_time" else pytest.param(name, marks=pytest.mark.scheduled)
        for name in sorted(SHORT)
    ],
)
def test_benchmark_runs_and_prints_its_ratios(name: str) -> None:
    done = subprocess.run(
        [sys.executable, f"bench/{name}.py", *SHORT[name]],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert any(character.isdigit() for character in done.stdout.strip().splitlines()[-1])


def test_every_benchmark_in_make_bench_is_listed_or_exempt() -> None:
    assert {bench.name for bench in BENCHES} == (
        SHORT.keys() | WANTS_A_PEER | TIMES_A_SERVICE_FOR_LONG
    )
