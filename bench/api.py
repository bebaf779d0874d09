"""How fast hands are recorded through HTTP, beside what the database could do at the very best.

    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/api.py [--hands 4000]

Makes a database of its own on that server, drops it afterwards, and prints

* the floor: single rows, INSERT and COMMIT by psycopg, from as many connections;
* record_hand in this process, one hand after another;
* gunicorn with two workers, the load from a second process over connections that are kept alive:
  an answer that asks for nothing (/health), then hands recorded by POST to settled and posted, many
  leagues in turn, one at a time and in batches; the ratios to the floors;
* pages of the feeds of hands and of results, from anywhere in a league, and of the hands of a
  night, one connection, with --stored hands in the database.

All of it on the same machine in one run: what the client and the database take is not taken off.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

# run as a file or as a module, from wherever
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SERVER = os.environ.get("DATABASE_URL") or "postgres://postgres@127.0.0.1/postgres"
NAME = f"dealers_choice_bench_{os.getpid()}"
NAMES = ("ann", "bob", "cat", "dan")
THREADS = 4
WARM = 200

Told = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/api.py", description="The API, timed")
    parser.add_argument("--hands", type=int, default=4_000)
    parser.add_argument("--leagues", type=int, default=32)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--batch", type=int, default=50, help="hands that are sent at a time")
    parser.add_argument("--stored", type=int, default=200_000)
    parser.add_argument("--pages", type=int, default=500)
    options = parser.parse_args()
    with own_database() as database:
        _set_up_django(database)
        nights = _leagues(options.leagues)
        _in_process(nights[0], options.hands // 8)
        floor = _floor(database, options.connections, options.hands)
        with gunicorn() as port:
            empty = _empty(port, options)
            _recorded(port, nights, options, floor, empty)
            _batches(port, nights, options, floor)
            _store(nights[0], options.stored)
            _feeds(port, nights[0], options)
            _pages(port, nights[0], options)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


@contextmanager
def own_database() -> Iterator[str]:
    """A database that is there inside the block alone; its connection string."""
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{NAME}"')
        try:
            yield make_conninfo(SERVER, dbname=NAME)
        finally:
            server.execute(f'DROP DATABASE "{NAME}" WITH (FORCE)')


def _set_up_django(database: str) -> None:
    told = conninfo_to_dict(database)
    person = told["user"] + (f":{told['password']}" if "password" in told else "")
    place = f"{told.get('host', '127.0.0.1')}:{told.get('port', 5432)}"
    os.environ["DATABASE_URL"] = f"postgres://{person}@{place}/{NAME}"
    os.environ |= {"SECRET_KEY": NAME, "DJANGO_SETTINGS_MODULE": "config.settings"}
    os.environ["API_RATE"] = "1000000/min"  # limits are kept, and none is reached
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


# --- what is recorded ---------------------------------------------------------------------------


def _leagues(number: int) -> list[Any]:
    """Leagues with a night each, four players with chips before them."""
    from league.closing.open import open_night  # noqa: PLC0415
    from league.models import User  # noqa: PLC0415
    from league.nights.nights import buy_in  # noqa: PLC0415
    from league.people.leagues import add_player, make_league  # noqa: PLC0415

    nights = []
    for place in range(number):
        host = User.objects.create_user(username=f"host{place}")
        league = make_league(host, f"League {place}")
        players = [add_player(league, name) for name in NAMES]
        nights.append(night := open_night(league, players=players))
        for player in players:
            buy_in(night, player, 1_000_000, buy_in_id=uuid4(), by=host)
    return nights


def _record(chance: Random) -> dict[str, Any]:
    """Four players see a showdown at Texas Hold'em."""
    from rules.cards import TEXTS  # noqa: PLC0415

    deck = chance.sample(TEXTS[:52], 13)
    rows = [
        {"name": name, "paid": 12, "down": deck[2 * seat : 2 * seat + 2]}
        for seat, name in enumerate(NAMES)
    ]
    return {"variant": "texas-holdem", "button": 3, "players": rows, "board": [deck[8:]]}


def _in_process(night: Any, hands: int) -> None:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    from league.recording.record import record_hand  # noqa: PLC0415

    chance = Random(1)
    for _ in range(20):
        record_hand(night, uuid4(), _record(chance), by=None)
    started, worked = time.perf_counter(), time.process_time()
    for _ in range(hands):
        record_hand(night, uuid4(), _record(chance), by=None)
    seconds, worked = time.perf_counter() - started, time.process_time() - worked
    with CaptureQueriesContext(connection) as queries:
        record_hand(night, uuid4(), _record(chance), by=None)
    print(
        f"record_hand in process    {hands / seconds:8,.0f} a second, one after another"
        f" ({1_000 * worked / hands:.1f} ms of Python, {len(queries)} queries)"
    )


def _floor(database: str, connections: int, rows: int) -> float:
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE bench_floor (id uuid PRIMARY KEY, chips bigint)")
    rows //= connections
    told = _load({"kind": "floor", "database": database, "connections": connections, "rows": rows})
    rate: float = rows * connections / told["seconds"]
    print(f"floor, INSERT and COMMIT  {rate:8,.0f} a second, {connections} connections")
    return rate


def _empty(port: int, options: argparse.Namespace) -> float:
    """What the server, Django's middleware and the client can do at most, on these cores."""
    asked = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for requests in (WARM, options.hands):
        sent = [[asked] * (requests // options.connections)] * options.connections
        told = _load({"kind": "http", "port": port, "requests": sent})
    rate: float = len(told["milliseconds"]) / told["seconds"]
    print(f"an empty answer           {rate:8,.0f} a second, {options.connections} connections")
    return rate


def _recorded(
    port: int, nights: list[Any], options: argparse.Namespace, floor: float, empty: float
) -> None:
    chance = Random(2)
    for hands in (WARM, options.hands):
        texts = [_post(nights[turn % len(nights)], _record(chance)) for turn in range(hands)]
        sent = [texts[place :: options.connections] for place in range(options.connections)]
        told = _load({"kind": "http", "port": port, "requests": sent})
        if told["statuses"] != {"201": hands}:
            raise SystemExit(f"not every hand was recorded: {told['statuses']}")
    rate = options.hands / told["seconds"]
    print(
        f"recorded through HTTP     {rate:8,.0f} a second, {len(nights)} leagues, "
        f"p50 {_at(told, 50):.1f} ms, p99 {_at(told, 99):.1f} ms"
    )
    print(
        f"                          {rate / floor:8.1%} of the floor,"
        f" {rate / empty:.0%} of empty answers"
    )


def _batches(port: int, nights: list[Any], options: argparse.Namespace, floor: float) -> None:
    """Hands that are sent many at a time, each batch of one night."""
    chance = Random(4)
    for hands in (WARM, options.hands):
        batches = [
            _post_many(nights[turn % len(nights)], [_record(chance) for _ in range(options.batch)])
            for turn in range(max(options.connections, hands // options.batch))
        ]
        sent = [batches[place :: options.connections] for place in range(options.connections)]
        told = _load({"kind": "http", "port": port, "requests": sent})
        if told["statuses"] != {"201": len(batches)}:
            raise SystemExit(f"not every batch was recorded: {told['statuses']}")
    rate = len(batches) * options.batch / told["seconds"]
    print(
        f"recorded in batches       {rate:8,.0f} a second, {options.batch} hands at a time, "
        f"p50 {_at(told, 50):.0f} ms, p99 {_at(told, 99):.0f} ms a batch"
    )
    print(f"                          {rate / floor:8.1%} of the floor")


# --- what is read -------------------------------------------------------------------------------


# Copies of one hand, each with a posting of its own, whatever columns the tables have.
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

    from league.stats.update.count import count_marked  # noqa: PLC0415

    while count_marked(night.league.pk):
        pass
    values = {"night": night.pk, "book": night.league.book_id, "hands": HANDS_OF_A_NIGHT}
    with connection.cursor() as cursor:
        cursor.execute(COPIES, values | {"nights": hands // HANDS_OF_A_NIGHT})
        # What autovacuum and the checkpointer would have done long before anybody reads.
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")


def _feeds(port: int, night: Any, options: argparse.Namespace) -> None:
    from league.models import HandFact  # noqa: PLC0415

    ids = list(HandFact.objects.filter(league=night.league).values_list("pk", flat=True))
    chance, at = Random(3), f"/api/v1/leagues/{night.league.pk}/feeds"
    for feed in ("hands", "results"):
        asked = [f"{at}/{feed}?since={chance.choice(ids)}" for _ in range(options.pages)]
        _timed(port, night, asked, f"a page of the feed {feed}", len(ids))


def _pages(port: int, night: Any, options: argparse.Namespace) -> None:
    from league.models import Hand, Night  # noqa: PLC0415

    stored, chance = list(Night.objects.filter(name="feed")), Random(3)
    some = [chance.choice(stored) for _ in range(options.pages)]
    asked = [f"/api/v1/nights/{each.pk}/hands" for each in some]
    _timed(port, night, asked, "a page of a night's hands", Hand.objects.count())


def _timed(port: int, night: Any, asked: list[str], what: str, stored: int) -> None:
    texts = [_get(night, address) for address in asked]
    _load({"kind": "http", "port": port, "requests": [texts[:20]]})
    told = _load({"kind": "http", "port": port, "requests": [texts]})
    if set(told["statuses"]) != {"200"}:
        raise SystemExit(f"not every page came: {told['statuses']}")
    print(
        f"{what:25} p50 {_at(told, 50):.1f} ms, p99 {_at(told, 99):.1f} ms, {stored:,} hands stored"
    )


# --- over the wire ------------------------------------------------------------------------------


@contextmanager
def gunicorn() -> Iterator[int]:
    """Two workers that answer inside the block; the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "--workers", "2"]
    command += ["--threads", str(THREADS), "--bind", f"127.0.0.1:{port}", "--keep-alive", "30"]
    process = subprocess.Popen([*command, "--log-level", "error"], cwd=ROOT)  # noqa: S603
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("gunicorn did not start")


_TOKENS: dict[Any, str] = {}


def _token(night: Any) -> str:
    """A token of the host's, as a program would bring it."""
    from league.models import Scope  # noqa: PLC0415
    from league.people.api_keys import make_token  # noqa: PLC0415

    if night.league.pk not in _TOKENS:
        host = night.league.created_by
        _TOKENS[night.league.pk] = make_token(night.league, host, "bench", Scope.RECORD)[1]
    return _TOKENS[night.league.pk]


def _head(night: Any, what: str) -> list[str]:
    return [f"{what} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {_token(night)}"]


def _get(night: Any, address: str) -> str:
    return "\r\n".join([*_head(night, f"GET {address}"), "", ""])


def _post(night: Any, record: dict[str, Any]) -> str:
    return _sent(night, "hands", {"id": str(uuid4()), "record": record})


def _post_many(night: Any, records: list[dict[str, Any]]) -> str:
    hands = [{"id": str(uuid4()), "record": each} for each in records]
    return _sent(night, "hands/batch", {"hands": hands})


def _sent(night: Any, what: str, asked: dict[str, Any]) -> str:
    body = json.dumps(asked)
    head = _head(night, f"POST /api/v1/nights/{night.pk}/{what}")
    head += ["Content-Type: application/json"]
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", body])


def _load(job: dict[str, Any]) -> Told:
    done = subprocess.run(
        [sys.executable, "-m", "bench.sender"],
        input=json.dumps(job).encode(),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        check=True,
    )
    told: Told = json.loads(done.stdout)
    return told


def _at(told: Told, percentile: int) -> float:
    return statistics.quantiles(told["milliseconds"], n=100)[percentile - 1]


if __name__ == "__main__":
    main()
