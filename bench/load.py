"""Time many concurrent leagues over HTTP, and a hand among few or many leagues.

    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/load.py [--seconds 60]

Creates a database on that server, drops it afterwards, and prints

* the cost per hand: processor and wall time of `record_hand`, one after another, with the hands
  spread over 10, 100 and 1,000 leagues;
* rates, times, errors, the audit and the memory of each process in the first and last third of a
  run of 200 tables. The tables play concurrently against two web processes, from a second process
  (table_play.py). Every few seconds each table polls its night as a phone or as a program, reads a
  feed, or records a hand. With REDIS_URL, a Celery worker and scheduler do the background work, and
  every league has a webhook that gets each hand. Otherwise this process counts the hands.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psutil

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.hand_requests import leagues as leagues_with_a_night  # noqa: E402
from bench.hand_requests import record as a_record  # noqa: E402
from bench.hand_requests import token  # noqa: E402
from bench.service import Database, free_port, own_database, server  # noqa: E402

SWEEP = 10  # seconds, same as in config/settings.py
SPREAD = (10, 100, 1_000)
MEASURED = {"serve": "web", "worker": "worker", "beat": "clock"}
EVERY = 5.0  # seconds between memory measurements

Job = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/load.py", description="Many leagues")
    parser.add_argument("--leagues", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pace", type=float, default=5.0, help="seconds between two requests")
    parser.add_argument("--hands", type=int, default=500, help="for the cost of one; 0: not asked")
    options = parser.parse_args()
    os.environ["WEBHOOK_NETWORKS"] = "127.0.0.0/8"
    os.environ["DEMO"] = "off"  # the hands of demo leagues would be counted
    with own_database() as database:
        nights = _costs(options.hands)
        nights += _more(options.leagues - len(nights), len(nights))
        _at_once(database, nights[: options.leagues], options)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _costs(hands: int) -> list[Any]:
    from league.recording.record import record_hand  # noqa: PLC0415

    nights: list[Any] = []
    for leagues in SPREAD if hands else ():
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
    """Create `number` more leagues, whose hosts have unused names."""
    from django.db import transaction  # noqa: PLC0415

    from league.models import User  # noqa: PLC0415

    with transaction.atomic():  # use a single commit for all of them
        made = leagues_with_a_night(number)
        for user in User.objects.filter(username__startswith="host"):
            User.objects.filter(pk=user.pk).update(username=f"of {already} {user.username}")
    return made


def _at_once(database: Database, nights: list[Any], options: argparse.Namespace) -> None:
    from league.integrity.audit import audit  # noqa: PLC0415
    from league.models import Hand  # noqa: PLC0415

    receiver = free_port() if os.environ.get("REDIS_URL") else 0
    tables = [_table(night, receiver) for night in nights]
    before = Hand.objects.count()
    with server(database) as port, _celery(started=bool(receiver)):
        _warm(port)
        job = {"port": port, "seconds": options.seconds, "pace": options.pace, "tables": tables}
        job |= {"receiver": receiver, "rest": 2 * SWEEP if receiver else 0}
        sender = subprocess.Popen(
            [sys.executable, "-m", "bench.table_play"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        report, memory = _while_counting(sender, job)
    _print(report, len(tables), options)
    for name, sizes in sorted(memory.items()):
        third = max(len(sizes) // 3, 1)
        first, last = (statistics.median(part) for part in (sizes[:third], sizes[-third:]))
        print(f"  memory of {name}: {first:.0f} MB in the first third, {last:.0f} MB in the last")
    stored, recorded = Hand.objects.count() - before, len(report["times"]["record"])
    findings = audit()
    print(
        f"hands answered {recorded:,}, stored {stored:,}; audit: {findings or 'everything holds'}"
    )
    if receiver:
        once, came = report["webhooks"]
        print(f"webhooks {once:,}, that came {came:,} times")
    if report["errors"] or findings or stored != recorded:
        raise SystemExit("something was lost, doubled or refused")


def _table(night: Any, receiver: int) -> Job:
    """Create a token, a session and, if there is a receiver, a webhook for a table."""
    from django.test import Client  # noqa: PLC0415

    from league.webhooks import management  # noqa: PLC0415

    if receiver:
        url = f"http://127.0.0.1:{receiver}/"
        management.create(night.league, uuid4(), url, by=None)
    client = Client()
    client.force_login(night.league.created_by)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    at = {"night": str(night.pk), "league": str(night.league.pk)}
    return {**at, "token": token(night), "cookie": cookie}


@contextmanager
def _celery(*, started: bool) -> Iterator[None]:
    """Start a worker with low priority and a scheduler, as the systemd units do.

    The block begins when the worker is ready, because the evening does not start while services do.
    """
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    parts = (
        ["nice", "-n", "10", *celery, "worker", "--concurrency", "2"],
        [*celery, "beat", "--schedule", os.devnull],
    )
    processes = [
        subprocess.Popen([*command, "--loglevel", "error"], cwd=ROOT)  # noqa: S603 (our own)
        for command in (parts if started else ())
    ]
    try:
        if started:
            _wait_for_worker()
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def _wait_for_worker() -> None:
    from config.celery import app  # noqa: PLC0415 (Django is set up by now)

    deadline = time.monotonic() + 60
    while not app.control.ping(timeout=1):
        if time.monotonic() > deadline:
            raise SystemExit("the worker doesn't start")


def _warm(port: int) -> None:
    """Send requests until every thread in every process has loaded its modules."""
    for _ in range(100):
        wire = HTTPConnection("127.0.0.1", port, timeout=60)
        wire.request("GET", "/health")
        wire.getresponse().read()
        wire.close()


def _while_counting(sender: Any, job: Job) -> tuple[Any, dict[str, list[float]]]:
    """Run the tables, count their hands if there is no worker, and measure memory."""
    memory: dict[str, list[float]] = {}
    sender.stdin.write(json.dumps(job))
    sender.stdin.close()
    swept = time.monotonic()
    # read in a thread, because the output exceeds a pipe's buffer
    with ThreadPoolExecutor(1) as reading:
        report = reading.submit(sender.stdout.read)
        while not report.done():
            if not job["receiver"] and time.monotonic() - swept > SWEEP:
                swept = time.monotonic()
                _count()
            for name, size in _memory().items():
                memory.setdefault(name, []).append(size)
            wait([report], timeout=EVERY)
    sender.wait()
    return json.loads(report.result()), memory


def _count() -> None:
    from league.stats.count import count_marked, leagues_behind  # noqa: PLC0415

    for league in leagues_behind():
        count_marked(league)


def _memory() -> dict[str, float]:
    """Return the private memory of all processes by kind, in megabytes."""
    megabytes: Counter[str] = Counter()
    for process in psutil.Process().children(recursive=True):
        try:
            words, held = process.cmdline(), process.memory_full_info().uss
        except psutil.Error:
            continue
        for word, name in MEASURED.items():
            if word in words:
                megabytes[name] += held
    return {name: held / 2**20 for name, held in megabytes.items()}


def _print(report: Any, tables: int, options: argparse.Namespace) -> None:
    print(f"{tables} tables for {options.seconds:.0f} s, errors: {report['errors'] or 'none'}")
    for kind, times in sorted(report["times"].items()):
        places = statistics.quantiles(times, n=100)
        rate = len(times) / options.seconds
        third = max(len(times) // 3, 2)
        parts = (times[:third], times[third:-third], times[-third:])
        worst = ", ".join(f"{statistics.quantiles(part, n=100)[98]:.0f}" for part in parts)
        print(
            f"  {kind:8} {rate:7.1f} a second, p50 {places[49]:6.1f} ms, p99 {places[98]:6.1f} ms;"
            f" of each third {worst}"
        )
    print(f"  statuses {dict(sorted(report['statuses'].items()))}")


if __name__ == "__main__":
    main()
