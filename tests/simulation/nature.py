"""The time and all randomness, both controlled by one seed.

`time_machine` moves Python's clock. `Clock.with_time` replaces the database's clock, which leases
use, in SQL. Ids, tokens and salts come from the system's random source, which is seeded here, so a
run can be reproduced byte for byte.
"""

import os
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import time_machine

from league.stats import count

BEGINS = datetime(2026, 1, 8, 18, 0, tzinfo=UTC)
_NOW = re.compile(r"STRFTIME\('%%?Y-%%?m-%%?d %%?H:%%?M:%%?f', 'NOW'\)|STATEMENT_TIMESTAMP\(\)")


@dataclass
class Clock:
    """The evening's time, which changes only when it is moved."""

    travel: time_machine.Traveller

    def pass_by(self, span: timedelta) -> None:
        self.travel.shift(span)

    def now(self) -> datetime:
        return datetime.now(UTC)

    def with_time(self, sql: str) -> str:
        """Return the SQL with this time in place of the database's clock."""
        if "NOW" not in sql and "STATEMENT_TIMESTAMP" not in sql:
            return sql
        return _NOW.sub(_literal, sql)


def _literal(match: "re.Match[str]") -> str:
    now = datetime.now(UTC)
    if match[0].startswith("STRFTIME"):
        return f"'{now:%Y-%m-%d %H:%M:%S}.{now.microsecond // 1000:03}'"
    return f"'{now.isoformat()}'::timestamptz"


@contextmanager
def nature(seed: int) -> Iterator[Clock]:
    """Freeze the time at the start of an evening and seed all random sources."""
    chance = random.Random(f"nature {seed}")
    with (
        time_machine.travel(BEGINS, tick=False) as travel,
        patch.object(os, "urandom", chance.randbytes),
        patch.object(random, "_urandom", chance.randbytes),
        # Other modules read random bytes from the system instead of using Python's random
        # generator.
        patch.object(count, "Random", lambda: random.Random(chance.random())),
    ):
        yield Clock(travel)
