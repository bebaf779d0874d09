# ruff: noqa: S608 (names of our own columns)
"""How fast and in how much memory a league's results are exported as NDJSON.

    python bench/feeds.py [--rows 500000]

Makes a database of its own, SQLite or on the server of DATABASE_URL, and prints rows a second
beside a bare cursor that fetches the same table, and the most memory the process ever held.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

PLAYERS = 4


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/feeds.py", description="Feeds, timed")
    parser.add_argument("--rows", type=int, default=500_000)
    options = parser.parse_args()
    with _database() as (set_up, name):
        set_up()
        night = _store(options.rows)
        before = _most_memory()
        floor, exported = _bare(), _exported(night)
        print(f"{name}: bare cursor {floor:,.0f} rows a second, NDJSON {exported:,.0f}")
        print(f"{exported / floor:.1%} of the floor; most memory {_most_memory():.0f} MB")
        print(f"of which {before:.0f} MB before the first row was read")


@contextmanager
def _database() -> Iterator[Any]:
    from bench import api  # noqa: PLC0415

    if os.environ.get("DATABASE_URL"):
        with api.own_database() as database:
            yield lambda: api._set_up_django(database), "PostgreSQL"  # noqa: SLF001 (our own)
        return
    with tempfile.TemporaryDirectory() as place:
        os.environ |= {"DATA_DIR": place, "DJANGO_SETTINGS_MODULE": "config.settings"}
        yield _set_up, "SQLite"


def _set_up() -> None:
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


def _store(rows: int) -> Any:
    """One counted hand of four players, and copies of it."""
    from bench import api  # noqa: PLC0415
    from league.models import HandFact  # noqa: PLC0415
    from league.recording.record import record_hand  # noqa: PLC0415
    from league.stats.update.count import count_marked  # noqa: PLC0415

    [night] = api._leagues(1)  # noqa: SLF001 (our own)
    record_hand(night, uuid4(), api._record(api.Random(1)), by=None)  # noqa: SLF001 (our own)
    count_marked(night.league.pk)
    copy(HandFact, rows // PLAYERS)
    return night


def copy(fact: Any, hands: int, after: int = 1) -> None:
    """Store counted copies of the first hand of the only night, with the numbers after this one."""
    from django.db import connection  # noqa: PLC0415

    made = (
        "gen_random_uuid()" if connection.vendor == "postgresql" else "lower(hex(randomblob(16)))"
    )
    hand = "night_id, made_at, voided, origin"
    kept = [each.column for each in fact._meta.concrete_fields]  # noqa: SLF001 (made to be read)
    facts = ", ".join(name for name in kept if name not in {"id", "hand_id", "number"})
    result = "player_id, position, put, won, net, showdown, won_high, won_low, scooped, declared"
    result += ", was_right, moved"
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE g(n) AS (SELECT %s UNION ALL SELECT n + 1 FROM g WHERE n < %s)"
            f" INSERT INTO league_hand (id, number, {hand})"
            f" SELECT {made}, g.n, {hand} FROM league_hand h, g WHERE h.number = 1"
            if connection.vendor == "postgresql"
            else f"INSERT INTO league_hand (id, number, {hand})"
            " WITH RECURSIVE g(n) AS (SELECT %s UNION ALL SELECT n + 1 FROM g WHERE n < %s)"
            f" SELECT {made}, g.n, {hand} FROM league_hand h, g WHERE h.number = 1",
            [after + 1, hands],
        )
        cursor.execute(
            f"INSERT INTO league_handfact (hand_id, number, {facts}) SELECT h.id, h.number,"
            f" {', '.join(f'f.{name.strip()}' for name in facts.split(','))}"
            " FROM league_hand h, league_handfact f WHERE h.number > %s AND f.number = 1",
            [after],
        )
        cursor.execute(
            f"INSERT INTO league_result (fact_id, {result}) SELECT f.id,"
            f" {', '.join(f'r.{name.strip()}' for name in result.split(','))}"
            " FROM league_handfact f, league_result r JOIN league_handfact o ON o.id = r.fact_id"
            " WHERE f.number > %s AND o.number = 1",
            [after],
        )
        cursor.execute("ANALYZE")


def _bare() -> float:
    from django.db import connection  # noqa: PLC0415

    started, rows = time.perf_counter(), 0
    with connection.chunked_cursor() as cursor:
        cursor.execute("SELECT * FROM league_result ORDER BY id")
        while some := cursor.fetchmany(2_000):
            rows += len(some)
    return rows / (time.perf_counter() - started)


def _exported(night: Any) -> float:
    from django.test import Client  # noqa: PLC0415

    from league.people.api_keys import make_link  # noqa: PLC0415

    key = make_link(night.league, "bench", by=None)[1]
    at = f"/api/v1/leagues/{night.league.pk}/feeds/results.ndjson?key={key}"
    started = time.perf_counter()
    answer: Any = Client(headers={"host": "localhost"}).get(at)
    rows = sum(text.count(b"\n") for text in answer.streaming_content)
    seconds = time.perf_counter() - started
    print(f"{rows:,} rows in {seconds:.1f} s")
    return float(rows / seconds)


def _most_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
