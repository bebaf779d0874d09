"""The simulator is reproducible."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]


def started(*options: str, hash_seed: str = "0") -> "subprocess.Popen[str]":
    """Run evenings in a separate process with its own settings."""
    without_server = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.simulation", *options],
        cwd=ROOT,
        env={**without_server, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
        text=True,
    )


def output_of(process: "subprocess.Popen[str]") -> str:
    return process.communicate(timeout=300)[0]


@pytest.mark.scheduled
def test_same_seed_produces_the_same_evening_in_every_process() -> None:
    """The evening must not depend on the iteration order of sets of strings."""
    both = [
        started("--seed", "9", "--steps", "30", hash_seed=hash_seed) for hash_seed in ("1", "2")
    ]
    first, second = map(output_of, both)
    assert first == second
    assert all(run.returncode == 0 for run in both), first
    assert re.search(r"seed 9: no differences; history [0-9a-f]{16}$", first.strip())


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.name)
def test_mutant_replaces_existing_code(mutant: Mutant) -> None:
    for module, name, instead in mutant.changes:
        assert getattr(module, name) is not instead
