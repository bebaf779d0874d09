"""Code that depends on a database is tested on both databases (see decision 0065)."""

import re
from pathlib import Path

import pytest

from tests.helpers.fork_server import ROOT
from tests.helpers.stages import DATABASE, ON_SQLITE_ONLY, ONE_CLIENT, TESTS, WRITES

# Locks, raw SQL, and code that works differently on each database.
DEPENDS_ON_THE_DATABASE = re.compile(
    r"select_for_update|\.cursor\(\)|connection\.vendor|RawSQL|\.raw\("
)
TESTS_ONE_DATABASE = re.compile(r"connection\.vendor|startswith\(\"postgres")
IS_MARKED = re.compile(r"mark\.database|transaction=True")


FILES = {file.relative_to(TESTS).as_posix(): file for file in TESTS.rglob("test_*.py")}


@pytest.mark.parametrize("place", [*DATABASE, *WRITES, *ON_SQLITE_ONLY, *ONE_CLIENT])
def test_configured_test_folder_exists(place: str) -> None:
    assert any(name.startswith(place) for name in FILES)


@pytest.mark.parametrize("package", ["api", "rules", *ON_SQLITE_ONLY])
def test_code_tested_only_on_sqlite_does_not_depend_on_a_database(package: str) -> None:
    """Views, pages and charts only call other packages, whose tests run on both databases."""
    for file in (ROOT / package).rglob("*.py"):
        assert not DEPENDS_ON_THE_DATABASE.search(file.read_text("utf-8")), file


def test_tests_that_check_the_vendor_run_on_both_databases() -> None:
    """Otherwise a test that is skipped on SQLite would never run."""
    for name, file in FILES.items():
        if name.startswith((*DATABASE, "fuzz/")) or file == Path(__file__):
            continue
        text = file.read_text("utf-8")
        assert IS_MARKED.search(text) or not TESTS_ONE_DATABASE.search(text), file
