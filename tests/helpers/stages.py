"""Which tests run in which stage, by the marks `database` and `scheduled` (docs/decisions/0065)."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

TESTS = Path(__file__).parents[1]
# Tests of code that writes, locks or contains SQL also run on PostgreSQL and Redis. Tests of pages
# and API views would repeat the same results there.
ON_BOTH_DATABASES = (
    "ledger",
    "league",
    "api/feeds",
    "api/hands",
    "api/nights",
    "config/data",
    "config/observability",
    "security/integrity",
)
ON_SQLITE_ONLY = ("league/charts", "league/pages", "league/proofs", "league/recap")
COMMIT = {"transactional_db", "running_worker"}


def is_of_database(item: pytest.Item) -> bool:
    """Return whether a test runs on both databases: by its folder, or because it commits.

    A test commits if it has two connections: for locks, races and workers. `live_server` commits
    for a client that only reads.
    """
    folder = item.path.relative_to(TESTS).parent.as_posix() + "/"
    on_both = folder.startswith(tuple(f"{name}/" for name in ON_BOTH_DATABASES))
    if on_both and not folder.startswith(tuple(f"{name}/" for name in ON_SQLITE_ONLY)):
        return True
    fixtures = set(getattr(item, "fixturenames", ()))
    commits = any(mark.kwargs.get("transaction") for mark in item.iter_markers("django_db"))
    return (commits or bool(COMMIT & fixtures)) and "live_server" not in fixtures


def sample(cases: Iterable[Any], number: int, name: Callable[[Any], str] = str) -> list[Any]:
    """Return the cases as parameters: `number` of them for every run, the others `scheduled`.

    A hash of the name chooses, so a new case does not change the choice among the others.
    """
    cases = list(cases)
    chosen = sorted(cases, key=lambda case: crc32(name(case).encode()))[:number]
    return [
        case if case in chosen else pytest.param(case, marks=pytest.mark.scheduled)
        for case in cases
    ]
