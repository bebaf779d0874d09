"""The tests of code that depends on a database run on both databases (0065)."""

import re
from pathlib import Path

import pytest

from tests.helpers.fork_server import ROOT
from tests.helpers.stages import DATABASE, ON_SQLITE_ONLY, ONE_CLIENT, TESTS, WRITES

# Locks, our own SQL, and differences between the databases.
DEPENDS_ON_THE_DATABASE = re.compile(
    r"select_for_update|\.cursor\(\)|connection\.vendor|RawSQL|\.raw\("
)
TESTS_ONE_DATABASE = re.compile(r"connection\.vendor|startswith\(\"postgres")
IS_MARKED = re.compile(r"mark\.database|transaction=True")


FILES = {file.relative_to(TESTS).as_posix(): file for file in TESTS.rglob("test_*.py")}


@pytest.mark.parametrize("place", [*DATABASE, *WRITES, *ON_SQLITE_ONLY, *ONE_CLIENT])
def test_place_that_decides_the_stage_exists(place: str) -> None:
    assert any(name.startswith(place) for name in FILES)


@pytest.mark.parametrize("package", ["api", "rules", *ON_SQLITE_ONLY])
def test_code_tested_only_on_sqlite_depends_on_no_database(package: str) -> None:
    """Views, pages and charts call other packages, whose tests run on both databases."""
    for file in (ROOT / package).rglob("*.py"):
        assert not DEPENDS_ON_THE_DATABASE.search(file.read_text("utf-8")), file


def test_single_database_test_runs_on_both() -> None:
    """Otherwise tests skipped on SQLite would never run."""
    for name, file in FILES.items():
        if name.startswith((*DATABASE, "fuzz/")) or file == Path(__file__):
            continue
        text = file.read_text("utf-8")
        assert IS_MARKED.search(text) or not TESTS_ONE_DATABASE.search(text), file
