"""Times feeds read from a replica, and the replica's delay.

DATABASE_URL=postgres://... REPLICA_URL=postgres://... python bench/replica.py [--hands 3000]

Both servers run on this machine, and the second replicates the first. Every database on the source
is also on the replica, so both URLs have the same database name. Creates a database and drops it
afterwards. Prints how long it takes after a hand's commit until the replica has it, both when idle
and while two processes record. For the feeds of a league with a season of hands, it prints the
milliseconds per response, and the processor time of the source and the replica, with and without
REPLICA_URL.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psutil
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import hand_requests, writers  # noqa: E402
from bench.service import Database, own_database, server  # noqa: E402

PLAYERS = 8


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/replica.py", description="A replica")
    parser.add_argument("--hands", type=int, default=3_000, help="that the season has")
    parser.add_argument("--seen", type=int, default=200, help="hands of which the lag is taken")
    parser.add_argument("--asked", type=int, default=200, help="answers of each feed")
    options = parser.parse_args()
    replicating = os.environ.pop("REPLICA_URL")
    with own_database() as database:
        nights = hand_requests.leagues(5)
        replica = make_conninfo(replicating, dbname=conninfo_to_dict(database.place)["dbname"])
        with _connected(replica) as replica_hand:
            _lag(nights[0], replica_hand, options.seen, "alone")
            with _recording(nights[1:]):
                _lag(nights[0], replica_hand, options.seen, "while two record")
        league = _season(options.hands)
        time.sleep(2)
        _feeds(league, database, replica, options.asked)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


@contextmanager
def _connected(database: str) -> Iterator[Any]:
    """Wait until the replica has the new database."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute("SELECT 1 FROM league_hand")
                yield connection
                return
        except psycopg.Error:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def _lag(night: Any, there: Any, hands: int, what: str) -> None:
    from league.recording.record import record_hand  # noqa: PLC0415

    chance, waited = Random(1), []
    for _ in range(hands):
        hand = record_hand(night, uuid4(), hand_requests.record(chance), by=None).hand.pk
        started = time.perf_counter()
        while not there.execute("SELECT 1 FROM league_hand WHERE id = %s", [hand]).fetchone():
            pass
        waited.append(1_000 * (time.perf_counter() - started))
    places = statistics.quantiles(waited, n=100)
    print(
        f"behind, {what:18} p50 {places[49]:6.1f} ms, p99 {places[98]:6.1f} ms,"
        f" at most {max(waited):6.1f} ms"
    )


@contextmanager
def _recording(nights: list[Any]) -> Iterator[None]:
    """Run two processes inside the block that record as fast as they can."""
    command = [sys.executable, str(ROOT / "bench/writers.py"), "--write"]
    begun: list[Any] = [
        subprocess.Popen(  # noqa: S603 (our own)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for _ in range(2)
    ]
    for place, writer in enumerate(begun):
        own = [str(night.pk) for night in nights[place::2]]
        writers.tell(writer, {"nights": own, "hands": 10**6, "seed": place})
    for writer in begun:
        writer.stdout.readline()
        writers.tell(writer, "now")
    try:
        yield
    finally:
        for writer in begun:
            writer.kill()
            writer.wait()


def _season(hands: int) -> Any:
    from league.demo.full_season import (  # noqa: PLC0415
        demo_league,
        demo_user,
        play_season,
    )
    from league.stats.count import rebuild  # noqa: PLC0415

    user, _ = demo_user()
    league = demo_league(user, players=PLAYERS)
    for _ in play_season(league, hands, by=user):
        pass
    rebuild(league.pk)
    return league


def _feeds(league: Any, source: Database, replica: str, count: int) -> None:
    from league.models import HandFact  # noqa: PLC0415
    from league.people.api_keys import make_link  # noqa: PLC0415

    key = make_link(league, "bench", by=None)[1]
    ids = list(HandFact.objects.filter(league=league).values_list("pk", flat=True))
    chance, at = Random(3), f"/api/v1/leagues/{league.pk}/feeds"
    chosen = [chance.choice(ids) for _ in range(count)]
    kinds = {
        "a page of hands": [f"{at}/hands?cursor={each}&key={key}" for each in chosen],
        "a page of results": [f"{at}/results?cursor={each}&key={key}" for each in chosen],
        "standings": [f"{at}/standings?key={key}"] * count,
        "all results, NDJSON": [f"{at}/results.ndjson?key={key}"] * (count // 20),
    }
    servers = {"source": _postmaster(source.place), "replica": _postmaster(replica)}
    for variable in ("", _address(replica)):
        os.environ["REPLICA_URL"] = variable
        with server(source) as port:
            for kind, addresses in kinds.items():
                report = "with" if variable else "without"
                print(f"{kind:20} {report:7} {_timed(port, addresses, servers)}")
    os.environ["REPLICA_URL"] = ""


def _timed(port: int, addresses: list[str], servers: dict[str, Any]) -> str:
    wire = HTTPConnection("127.0.0.1", port, timeout=60)
    _ask(wire, addresses[:20])
    before = {name: _worked(process) for name, process in servers.items()}
    took = _ask(wire, addresses)
    cost = [
        f"{name} {1_000 * (_worked(process) - before[name]) / len(took):6.2f} ms of processor"
        for name, process in servers.items()
    ]
    return f"median {statistics.median(took):6.1f} ms; {', '.join(cost)}"


def _ask(wire: HTTPConnection, addresses: list[str]) -> list[float]:
    """Send requests one after another. Return the response times in milliseconds."""
    took = []
    for address in addresses:
        started = time.perf_counter()
        wire.request("GET", address, headers={"Host": "localhost"})
        answer = wire.getresponse()
        answer.read()
        took.append(1_000 * (time.perf_counter() - started))
        if answer.status != HTTPStatus.OK:
            raise SystemExit(f"{address} was answered {answer.status}")
    return took


def _address(database: str) -> str:
    report = psycopg.conninfo.conninfo_to_dict(database)
    return f"postgres://{report['user']}@{report['host']}:{report['port']}/{report['dbname']}"


def _postmaster(database: str) -> Any:
    with psycopg.connect(database) as connection:
        return psutil.Process(connection.info.backend_pid).parent()


def _worked(postmaster: Any) -> float:
    """Return the processor time of a server's current and former processes."""
    times = [postmaster.cpu_times(), *(child.cpu_times() for child in postmaster.children())]
    ended = times[0].children_user + times[0].children_system
    return float(ended + sum(spent.user + spent.system for spent in times))


if __name__ == "__main__":
    main()
