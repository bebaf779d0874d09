"""The tests of code that depends on a database run on both databases (0065)."""

import re
from pathlib import Path

import pytest

from tests.helpers.fork_server import ROOT
from tests.helpers.stages import ON_BOTH_DATABASES, ON_SQLITE_ONLY, TESTS

# Locks, our own SQL, and differences between the databases.
DEPENDS_ON_THE_DATABASE = re.compile(
    r"select_for_update|\.cursor\(\)|connection\.vendor|RawSQL|\.raw\("
)
TESTS_ONE_DATABASE = re.compile(r"connection\.vendor|startswith\(\"postgres")
IS_MARKED = re.compile(r"mark\.database|transaction=True")


@pytest.mark.parametrize("folder", [*ON_BOTH_DATABASES, *ON_SQLITE_ONLY])
def test_folder_that_decides_the_stage_exists(folder: str) -> None:
    assert list((TESTS / folder).glob("**/test_*.py"))


@pytest.mark.parametrize("package", ["api", "rules", *ON_SQLITE_ONLY])
def test_code_tested_only_on_sqlite_depends_on_no_database(package: str) -> None:
    """Views, pages and charts call other packages, whose tests run on both databases."""
    for file in (ROOT / package).rglob("*.py"):
        assert not DEPENDS_ON_THE_DATABASE.search(file.read_text("utf-8")), file


def test_test_of_one_database_runs_on_both() -> None:
    """Otherwise tests skipped on SQLite would never run."""
    files = set(TESTS.rglob("test_*.py")) - {Path(__file__), *(TESTS / "fuzz").iterdir()}
    for folder in ON_BOTH_DATABASES:
        files -= set((TESTS / folder).rglob("test_*.py"))
    for file in files:
        text = file.read_text("utf-8")
        assert IS_MARKED.search(text) or not TESTS_ONE_DATABASE.search(text), file
