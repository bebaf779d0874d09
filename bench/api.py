"""Times pages of feeds and hands over HTTP with many stored hands, relative to an empty view.

    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/api.py [--stored 200000]

Creates a database on that server and drops it afterwards. The database contains --stored hands.
Prints the response times for pages of three lists over one connection: the feeds of hands and
results, from any position in a league, and the hands of a night.
"""

import argparse
import os
import statistics
import sys
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import hand_requests as requests  # noqa: E402
from bench.service import own_database, send_load, server  # noqa: E402

Report = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/api.py", description="Pages, timed")
    parser.add_argument("--stored", type=int, default=200_000)
    parser.add_argument("--pages", type=int, default=500)
    options = parser.parse_args()
    with own_database() as database:
        from league.recording.record import record_hand  # noqa: PLC0415

        [night] = requests.leagues(1)
        record_hand(night, uuid4(), requests.record(Random(1)), by=None)
        with server(database) as port:
            _store(night, options.stored)
            _feeds(port, night, options)
            _pages(port, night, options)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


# --- reading ------------------------------------------------------------------------------------


# Copies one hand many times, each with its own posting. Works regardless of which columns the
# tables have.
COPIES = """
    INSERT INTO league_night SELECT (jsonb_populate_record(n, jsonb_build_object(
        'id', gen_random_uuid(), 'number', 1000 + g, 'name', 'feed'))).*
    FROM league_night n, generate_series(1, %(nights)s) g WHERE n.id = %(night)s;
    INSERT INTO league_hand SELECT (jsonb_populate_record(h, jsonb_build_object(
        'id', gen_random_uuid(), 'night_id', n.id, 'number', g))).*
    FROM league_hand h, league_night n, generate_series(1, %(hands)s) g
    WHERE h.night_id = %(night)s AND h.number = 1 AND n.name = 'feed';
    INSERT INTO ledger_posting (book_id, key, digest, memo, actor, made_at)
    SELECT %(book)s, 'hand:' || h.id, '', '', '', now()
    FROM league_hand h JOIN league_night n ON n.id = h.night_id WHERE n.name = 'feed';
    INSERT INTO league_revision SELECT (jsonb_populate_record(r, jsonb_build_object(
        'id', h.id, 'hand_id', h.id, 'posting_id', p.id))).*
    FROM league_revision r, league_hand h JOIN league_night n ON n.id = h.night_id
        JOIN ledger_posting p ON p.key = 'hand:' || h.id AND p.book_id = %(book)s
    WHERE n.name = 'feed' AND r.number = 1 AND r.hand_id =
        (SELECT id FROM league_hand WHERE night_id = %(night)s AND number = 1);
    INSERT INTO league_handfact SELECT (jsonb_populate_record(f, jsonb_build_object(
        'id', nextval(pg_get_serial_sequence('league_handfact', 'id')), 'hand_id', h.id,
        'revision_id', h.id, 'night_id', n.id, 'number', h.number))).*
    FROM league_handfact f, league_hand h JOIN league_night n ON n.id = h.night_id
    WHERE n.name = 'feed' AND f.night_id = %(night)s AND f.number = 1;
    INSERT INTO league_result SELECT (jsonb_populate_record(r, jsonb_build_object(
        'id', nextval(pg_get_serial_sequence('league_result', 'id')), 'fact_id', f.id))).*
    FROM league_handfact f JOIN league_night n ON n.id = f.night_id, league_result r
        JOIN league_handfact one ON one.id = r.fact_id
    WHERE n.name = 'feed' AND one.night_id = %(night)s AND one.number = 1;
"""
HANDS_OF_A_NIGHT = 2_000


def _store(night: Any, hands: int) -> None:
    from django.db import connection  # noqa: PLC0415

    from league.stats.count import count_marked  # noqa: PLC0415

    while count_marked(night.league.pk):
        pass
    values = {"night": night.pk, "book": night.league.book_id, "hands": HANDS_OF_A_NIGHT}
    with connection.cursor() as cursor:
        cursor.execute(COPIES, values | {"nights": hands // HANDS_OF_A_NIGHT})
        # Do what autovacuum and the checkpointer would already have done in production.
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")


def _feeds(port: int, night: Any, options: argparse.Namespace) -> None:
    from league.models import HandFact  # noqa: PLC0415

    ids = list(HandFact.objects.filter(league=night.league).values_list("pk", flat=True))
    chance, at = Random(3), f"/api/v1/leagues/{night.league.pk}/feeds"
    for feed in ("hands", "results"):
        asked = [f"{at}/{feed}?cursor={chance.choice(ids)}" for _ in range(options.pages)]
        _timed(port, night, asked, f"a page of the feed {feed}", len(ids))


def _pages(port: int, night: Any, options: argparse.Namespace) -> None:
    from league.models import Hand, Night  # noqa: PLC0415

    stored, chance = list(Night.objects.filter(name="feed")), Random(3)
    nights = [chance.choice(stored) for _ in range(options.pages)]
    asked = [f"/api/v1/nights/{each.pk}/hands" for each in nights]
    _timed(port, night, asked, "a page of a night's hands", Hand.objects.count())


def _timed(port: int, night: Any, asked: list[str], what: str, stored: int) -> None:
    texts = [requests.get(night, address) for address in asked]
    send_load({"kind": "http", "port": port, "requests": [texts[:20]]})
    report = send_load({"kind": "http", "port": port, "requests": [texts]})
    if set(report["statuses"]) != {"200"}:
        raise SystemExit(f"not every page came: {report['statuses']}")
    p50, p99 = _at(report, 50), _at(report, 99)
    print(f"{what:25} p50 {p50:.1f} ms, p99 {p99:.1f} ms, {stored:,} hands stored")


# --- through HTTP -------------------------------------------------------------------------------


def _at(report: Report, percentile: int) -> float:
    return statistics.quantiles(report["milliseconds"], n=100)[percentile - 1]


if __name__ == "__main__":
    main()
