"""Races between two writers whose statements run in every order with one switch."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")


@pytest.mark.slow
@pytest.mark.database
@pytest.mark.skipif(not ON_POSTGRESQL, reason="SQLite lets one write at a time")
def test_first_of_two_answers_gets_the_last_seat_in_every_order() -> None:
    words = [sys.executable, "-m", "tests.simulation", "--races", "--only", "last seat"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    confirmed = re.search(r"two answers for the last seat: (\d+) orders", done.stdout)
    assert confirmed
    assert int(confirmed[1]) > 20
