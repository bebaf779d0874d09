"""Many leagues at once through HTTP, and what a hand costs where there are few leagues or many.

    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/load.py [--seconds 60]

Makes a database of its own on that server, drops it afterwards, and prints

* cost per hand: Python and wall time of `record_hand`, one after another, with the hands spread
  over 10, 100 and 1,000 leagues;
* 200 tables that play at once against gunicorn with two workers, from a second process: each does
  something every few seconds, most often asks for its night with the ETag that it has, sometimes
  records a hand or reads a feed. Hands are counted meanwhile. Rates, times, errors, and the audit.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Any
from uuid import uuid4

# run as a file or as a module, from wherever
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.hand_requests import leagues as leagues_with_a_night  # noqa: E402
from bench.hand_requests import record as a_record  # noqa: E402
from bench.hand_requests import token  # noqa: E402
from bench.service import Database, own_database, server  # noqa: E402

# Of a table's requests: how many ask for the night, for a feed, record a hand.
MIX = ["poll"] * 7 + ["feed"] * 2 + ["record"]
SWEEP = 10  # seconds, as config/settings.py has it
SPREAD = (10, 100, 1_000)

Job = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/load.py", description="Many leagues")
    parser.add_argument("--leagues", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two requests")
    parser.add_argument("--hands", type=int, default=500, help="for the cost of one")
    parser.add_argument("--play", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        play(json.load(sys.stdin))
        return
    with own_database() as database:
        nights = _costs(options.hands)
        _at_once(database, nights[: options.leagues], options)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _costs(hands: int) -> list[Any]:
    from league.recording.record import record_hand  # noqa: PLC0415

    nights: list[Any] = []
    for leagues in SPREAD:
        nights += _more(leagues - len(nights), len(nights))
        chance = Random(leagues)
        for night in nights[:10]:
            record_hand(night, uuid4(), a_record(chance), by=None)
        started, worked = time.perf_counter(), time.process_time()
        for turn in range(hands):
            record_hand(nights[turn % leagues], uuid4(), a_record(chance), by=None)
        seconds, worked = time.perf_counter() - started, time.process_time() - worked
        print(
            f"a hand among {leagues:5,} leagues  {1_000 * worked / hands:5.2f} ms of Python,"
            f" {1_000 * seconds / hands:5.2f} ms in all"
        )
    return nights


def _more(number: int, already: int) -> list[Any]:
    """Leagues whose hosts are called otherwise than those that are there."""
    from django.db import transaction  # noqa: PLC0415

    from league.models import User  # noqa: PLC0415

    with transaction.atomic():  # one commit for all
        made = leagues_with_a_night(number)
        for user in User.objects.filter(username__startswith="host"):
            User.objects.filter(pk=user.pk).update(username=f"of {already} {user.username}")
    return made


def _at_once(database: Database, nights: list[Any], options: argparse.Namespace) -> None:
    from league.integrity.audit import audit  # noqa: PLC0415
    from league.models import Hand  # noqa: PLC0415

    tables = [
        {"night": str(each.pk), "league": str(each.league.pk), "token": token(each)}
        for each in nights
    ]
    before = Hand.objects.count()
    with server(database) as port:
        _warm(port)
        job = {"port": port, "seconds": options.seconds, "pace": options.pace, "tables": tables}
        command = [sys.executable, __file__, "--play"]
        sender = subprocess.Popen(  # noqa: S603 (our own)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        told = _while_counting(sender, job)
    _print(told, len(tables), options)
    stored, recorded = Hand.objects.count() - before, len(told["times"]["record"])
    found = audit()
    print(f"hands answered {recorded:,}, stored {stored:,}; audit: {found or 'everything holds'}")
    if told["errors"] or found or stored != recorded:
        raise SystemExit("something was lost, doubled or refused")


def _warm(port: int) -> None:
    """Let every thread of every process have loaded what it needs."""
    for _ in range(100):
        wire = HTTPConnection("127.0.0.1", port, timeout=60)
        wire.request("GET", "/health")
        wire.getresponse().read()
        wire.close()


def _while_counting(sender: Any, job: Job) -> Any:
    """Let the tables play, and count their hands as a worker would."""
    from league.stats.update.count import count_marked, leagues_behind  # noqa: PLC0415

    sender.stdin.write(json.dumps(job))
    sender.stdin.close()
    with ThreadPoolExecutor(1) as reading:  # what it tells is more than a pipe holds
        told = reading.submit(sender.stdout.read)
        while not told.done():
            for league in leagues_behind():
                count_marked(league)
            wait([told], timeout=SWEEP)
    sender.wait()
    return json.loads(told.result())


def _print(told: Any, tables: int, options: argparse.Namespace) -> None:
    print(f"{tables} tables for {options.seconds:.0f} s, errors: {told['errors'] or 'none'}")
    for kind, times in sorted(told["times"].items()):
        places = statistics.quantiles(times, n=100)
        rate = len(times) / options.seconds
        print(
            f"  {kind:8} {rate:7.1f} a second, p50 {places[49]:6.1f} ms, p99 {places[98]:6.1f} ms"
        )
    print(f"  statuses {dict(sorted(told['statuses'].items()))}")


# --- the second process -------------------------------------------------------------------------


class Table(Thread):
    """Plays until its time is over, over one connection that is kept."""

    def __init__(self, job: Job, place: int, told: Job, lock: Lock) -> None:
        super().__init__()
        self.job, self.told, self.lock = job, told, lock
        self.of = job["tables"][place]
        self.chance = Random(place)
        self.tag, self.since = "", 0
        self.wire = HTTPConnection("127.0.0.1", job["port"], timeout=60)

    def run(self) -> None:
        time.sleep(self.chance.random() * self.job["pace"])
        ends = time.monotonic() + self.job["seconds"]
        while time.monotonic() < ends:
            kind = self.chance.choice(MIX)
            started = time.perf_counter()
            try:
                status = getattr(self, kind)()
            except (OSError, HTTPException) as error:
                status = type(error).__name__
            taken = time.perf_counter() - started
            with self.lock:
                self.told["times"].setdefault(kind, []).append(1_000 * taken)
                self.told["statuses"][str(status)] += 1
                if status not in {200, 201, 304}:
                    self.told["errors"].append(f"{kind}: {status}")
            time.sleep(max(0.0, self.chance.uniform(0.5, 1.5) * self.job["pace"] - taken))

    def poll(self) -> int:
        headers = {"If-None-Match": self.tag} if self.tag else {}
        answer, _ = self.ask("GET", f"/api/v1/nights/{self.of['night']}", **headers)
        self.tag = answer.headers.get("ETag", "")
        return answer.status

    def feed(self) -> int:
        at = f"/api/v1/leagues/{self.of['league']}/feeds/hands?since={self.since}"
        return self.ask("GET", at)[0].status

    def record(self) -> int:
        body = json.dumps({"id": str(uuid4()), "record": a_record(self.chance)})
        return self.ask("POST", f"/api/v1/nights/{self.of['night']}/hands", body)[0].status

    def ask(self, method: str, at: str, body: str | None = None, **headers: str) -> Any:
        headers |= {"Authorization": f"Bearer {self.of['token']}"}
        headers |= {"Content-Type": "application/json"} if body else {}
        self.wire.request(method, at, body, headers)
        answer = self.wire.getresponse()
        return answer, answer.read()


def play(job: Job) -> None:
    told: Job = {"times": {}, "statuses": Counter(), "errors": []}
    lock = Lock()
    tables = [Table(job, place, told, lock) for place in range(len(job["tables"]))]
    for each in tables:
        each.start()
    for each in tables:
        each.join()
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
