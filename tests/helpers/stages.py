"""Which tests run in which stage, based on the marks `database`, `writes` and `scheduled`.

See docs/decisions/0065.
"""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

TESTS = Path(__file__).parents[1]
# Tests of constraints, triggers, locks, races, raw SQL and aggregates, and tests that commit. Every
# run also runs these on PostgreSQL and Redis.
DATABASE = (
    "config/data/test_backups",
    "config/data/test_connections",
    "ledger",
    "league/closing/test_close",
    "league/closing/test_payments",
    "league/integrity",
    "league/jobs",
    "league/people/test_leagues",
    "league/planned_nights/test_answers",
    "league/privacy/test_erasure",
    "league/recording",
    "league/stats",
    "league/test_audit_log",
    "league/test_migrations",
    "league/test_row_limits",
    "league/test_statements",
    "league/webhooks/test_delivery",
    "league/webhooks/test_events",
    "security/integrity/test_any_order",
    "security/integrity/test_journal",
    "security/integrity/test_lock_order",
    "security/integrity/test_season_file",
    "security/integrity/test_stored_responses",
)
# Tests of code that writes through Django's models run on PostgreSQL only at night. Tests of pages
# and other API views would only repeat the same results.
WRITES = (
    "api/assistants",
    "api/feeds",
    "api/hands",
    "api/nights",
    "config",
    "league",
    "security/integrity",
)
ON_SQLITE_ONLY = ("league/charts", "league/pages", "league/proofs", "league/recap")
# Tests that commit only because a second process reads.
ONE_CLIENT = ("api/assistants", "docs")
COMMIT = {"transactional_db", "running_worker"}


def is_of_database(item: pytest.Item) -> bool:
    """Return whether a test runs on both databases in every run.

    This depends on the file, and on whether the test commits. A test commits if it has two
    connections, for locks, races and workers. `live_server` commits for a client that only reads.
    """
    name = _name(item.path)
    if name.startswith(DATABASE):
        return True
    if name.startswith(ONE_CLIENT):
        return False
    fixtures = set(getattr(item, "fixturenames", ()))
    commits = any(mark.kwargs.get("transaction") for mark in item.iter_markers("django_db"))
    return (commits or bool(COMMIT & fixtures)) and "live_server" not in fixtures


def is_of_writing(item: pytest.Item) -> bool:
    """Return whether a test runs on both databases every night, depending on the file."""
    name = _name(item.path)
    return name.startswith(WRITES) and not name.startswith(ON_SQLITE_ONLY)


@cache
def _name(path: Path) -> str:
    """Return the path of a test's file below `tests`, such as `league/jobs/test_leases.py`."""
    return path.relative_to(TESTS).as_posix()


def sample(cases: Iterable[Any], number: int, name: Callable[[Any], str] = str) -> list[Any]:
    """Return the cases as parameters. `number` of them run every time, the others are `scheduled`.

    A tuple is one case with several parameters. The choice depends on a hash of the name, so a new
    case does not change which others are chosen.
    """
    cases = list(cases)
    places = sorted(range(len(cases)), key=lambda place: crc32(name(cases[place]).encode()))
    chosen = set(places[:number])
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[] if place in chosen else [pytest.mark.scheduled],
        )
        for place, case in enumerate(cases)
    ]
