# ruff: noqa: S608 (names of our own columns)
"""Times a page of the feeds relative to an empty view, and an export relative to a bare cursor.

    python bench/feeds.py [--hands 20000] [--turns 7]
    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/feeds.py

Creates a database (a file, or one on that server) and drops it afterwards. First, all results are
written as Parquet, once. Then an empty Django view, an empty API view with a token, and pages of
hands and results are requested in turns, within this process. Finally, all results are exported as
NDJSON, in turns with a cursor that fetches the same table. The run fails if a page differs from an
earlier response or from the export. Prints the ratios of processor time to both empty views, as the
median of the turns with the spread. Hands have four players.
"""

import argparse
import json
import os
import resource
import sys
import time
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import Any
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import hand_requests as requests  # noqa: E402
from bench.in_process import asking, by_turns, streaming  # noqa: E402
from bench.service import own_database  # noqa: E402
from config.server.preload import preload  # noqa: E402

PLAYERS = 4
LARGE = 100  # hands per page


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/feeds.py", description="Feeds, timed")
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    with own_database() as database:
        preload()
        night = _store(options.hands)
        # measured first, because later steps keep a whole export in memory
        print(_parquet(night), flush=True)
        pages = _pages(night, options.turns)
        export = _export(night, options.turns)
        print(f"most memory {_most_memory():.0f} MB; load average {os.getloadavg()[0]:.1f}")
        print(
            f"{database.kind}, times as long as an empty view of Django and an authenticated one of"
            f" DRF: {pages}; {export}"
        )


def _store(hands: int) -> Any:
    """Create a counted hand with four players, and copies of it."""
    from league.models import HandFact  # noqa: PLC0415
    from league.recording.record import record_hand  # noqa: PLC0415
    from league.stats.count import count_marked  # noqa: PLC0415

    [night] = requests.leagues(1)
    record_hand(night, uuid4(), requests.record(Random(1)), by=None)
    count_marked(night.league.pk)
    copy(HandFact, hands)
    return night


def copy(fact: Any, hands: int, after: int = 1) -> None:
    """Store counted copies of the only night's first hand, numbered from `after` + 1."""
    from django.db import connection  # noqa: PLC0415

    made = (
        "gen_random_uuid()" if connection.vendor == "postgresql" else "lower(hex(randomblob(16)))"
    )
    hand = "night_id, made_at, voided, origin"
    columns = [each.column for each in fact._meta.concrete_fields]  # noqa: SLF001 (cached by the module)
    facts = ", ".join(name for name in columns if name not in {"id", "hand_id", "number"})
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


def _pages(night: Any, turns: int) -> str:
    from league.models import HandFact  # noqa: PLC0415

    league = night.league
    ask = asking(requests.token(night))
    ids = HandFact.objects.filter(league=league).order_by("pk").values_list("pk", flat=True)
    at = f"/api/v1/leagues/{league.pk}/feeds/{{}}?cursor={ids[ids.count() // 2]}&page_size={{}}"
    addresses = {
        "an empty view": requests.EMPTY,
        "an empty address, with a token": requests.EMPTY_WITH_TOKEN,
        "a page of one hand": at.format("hands", 1),
        "a page of 100 hands": at.format("hands", LARGE),
        "a page of the results of 100 hands": at.format("results", LARGE),
    }
    bodies = {name: ask(address) for name, address in addresses.items()}
    _agree(ask, league, bodies["a page of the results of 100 hands"])
    works = {
        name: partial(_same, ask, address, bodies[name]) for name, address in addresses.items()
    }
    durations = by_turns(works, turns=turns)
    for name, times in durations.items():
        print(f"{name:36}{times}, {len(bodies[name]):,} bytes")
    [empty, api, *pages] = durations
    names = {"a page of one hand": "one hand", "a page of 100 hands": "100 hands"}
    return ", ".join(
        f"{names.get(page, 'results')} {durations[page].over(durations[empty])}"
        f" and {durations[page].over(durations[api])}"
        for page in pages
    )


def _same(ask: Any, address: str, expected: bytes) -> None:
    if ask(address) != expected:
        sys.exit(f"{address} returned something else than before")


def _agree(ask: Any, league: Any, page: bytes) -> None:
    """Exit if a page differs from the export of the same rows."""
    report = json.loads(page)
    [first, *_] = report["results"]
    lines = ask(f"/api/v1/leagues/{league.pk}/feeds/results.ndjson?cursor={first['cursor'] - 1}")
    rows = [json.loads(line) for line in lines.splitlines()[: len(report["results"])]]
    if len(rows) != PLAYERS * LARGE or rows != report["results"]:
        sys.exit("a page and an export say different things")


def _export(night: Any, turns: int) -> str:
    from league.models import Result  # noqa: PLC0415
    from league.people.api_keys import make_link  # noqa: PLC0415

    key = make_link(night.league, "bench", by=None)[1]
    stream = streaming()
    rows = Result.objects.count()

    def export() -> None:
        at = f"/api/v1/leagues/{night.league.pk}/feeds/results.ndjson?key={key}"
        if sum(text.count(b"\n") for text in stream(at)) != rows:
            sys.exit("an export has other rows than the table")

    durations = by_turns({"cursor": _fetch, "export": export}, turns=turns, times=1)
    for name, times in durations.items():
        print(f"{name:10}{rows:,} rows: {times}")
    return (
        f"an export, compared with a bare cursor, {durations['export'].over(durations['cursor'])}"
    )


def _parquet(night: Any) -> str:
    """Export all results as Parquet, once. Return the time and the additional memory."""
    from pyarrow.parquet import read_metadata  # noqa: PLC0415 (optional dependency)

    from league.models import Result  # noqa: PLC0415
    from league.people.api_keys import make_link  # noqa: PLC0415

    before, started = _most_memory(), time.perf_counter()
    at = f"/api/v1/leagues/{night.league.pk}/feeds/results.parquet"
    key = make_link(night.league, "bench", by=None)[1]
    with TemporaryFile() as file:
        for chunk in streaming()(f"{at}?key={key}"):
            file.write(chunk)
        seconds, size = time.perf_counter() - started, file.tell()
        metadata = read_metadata(file)
    if metadata.num_rows != Result.objects.count():
        sys.exit("a Parquet file has other rows than the table")
    return (
        f"parquet   {metadata.num_rows:,} rows in {metadata.num_row_groups} groups:"
        f" {seconds:.1f} s, {size / 2**20:.1f} MB; most memory {_most_memory():.0f} MB,"
        f" {before:.0f} before"
    )


def _fetch() -> None:
    from django.db import connection  # noqa: PLC0415

    with connection.chunked_cursor() as cursor:
        cursor.execute("SELECT * FROM league_result ORDER BY id")
        while cursor.fetchmany(2_000):
            pass


def _most_memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
