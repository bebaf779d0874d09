"""Times visitors who start the demo at the same time, next to an empty view with CSRF.

    python bench/demos.py [--visitors 200] [--turns 5]

Prepares a demo league per visitor on SQLite, or on PostgreSQL if DATABASE_URL is set. In turns,
each visitor sends one POST from an address of their own, to the demo and to an empty view. Prints
the processor time of the server per request, and when the last visitor got a response. The run
fails if a visitor does not get a league of their own.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import psutil

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.sender import answered, together  # noqa: E402
from bench.service import own_database, server  # noqa: E402

TOKEN = "a" * 32  # CSRF compares the form with the cookie
WARM = 50
PATHS = {"demo": "/demo", "empty view": "/bench/empty"}


class Turn(NamedTuple):
    """Milliseconds: of processor time per request, and until each visitor had the response."""

    processor: float
    waits: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/demos.py", description="Many visitors")
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.send:
        json.dump(_send(json.load(sys.stdin)), sys.stdout)
        return
    turns: dict[str, list[Turn]] = {name: [] for name in PATHS}
    with own_database() as database:
        from league.demo.sandbox import prepare_demo  # noqa: PLC0415 (settings are configured)

        for _ in range(options.visitors + 1):
            prepare_demo()
        with server(database) as port:
            _warm(port)
            for number in range(options.turns):
                for name, path in PATHS.items():
                    turns[name].append(_turn(port, path, options.visitors, number))
    _print(database.kind, turns, options.visitors)


def _warm(port: int) -> None:
    """Start one demo, and send requests until every thread has loaded its modules."""
    for path, address in ((PATHS["demo"], 254), *[(PATHS["empty view"], 253)] * WARM):
        _ask(port, path, f"127.9.9.{address}", [], Counter())


def _turn(port: int, path: str, visitors: int, number: int) -> Turn:
    from league.models import DemoLeague  # noqa: PLC0415

    if path == PATHS["demo"]:
        _forget_visitors()
    addresses = [f"127.{number + 1}.{each // 250}.{each % 250 + 1}" for each in range(visitors)]
    before = _processor_seconds()
    sent = subprocess.run(  # noqa: S603 (our own)
        [sys.executable, __file__, "--send"],
        input=json.dumps({"port": port, "path": path, "addresses": addresses}).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    worked = _processor_seconds() - before
    report = json.loads(sent.stdout)
    expected = "302" if path == PATHS["demo"] else "200"
    if report["statuses"] != {expected: visitors}:
        raise SystemExit(f"visitors got {report['statuses']}")
    if path == PATHS["demo"]:
        started = DemoLeague.objects.filter(started_at__isnull=False).count()
        if started != visitors:
            raise SystemExit(f"{visitors} visitors started {started} demos")
    return Turn(1_000 * worked / visitors, report["milliseconds"])


def _forget_visitors() -> None:
    """Make all leagues ready again."""
    from allauth.usersessions.models import UserSession  # noqa: PLC0415
    from django.contrib.sessions.models import Session  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from league.models import DemoLeague  # noqa: PLC0415

    UserSession.objects.all().delete()
    Session.objects.all().delete()
    DemoLeague.objects.update(started_at=None, ready_at=timezone.now())


def _processor_seconds() -> float:
    """Return the processor time of the server's processes."""
    servers = [each for each in psutil.Process().children(recursive=True) if _serves(each)]
    times = [each.cpu_times() for each in servers]
    return sum(each.user + each.system for each in times)


def _serves(process: psutil.Process) -> bool:
    return "serve" in process.cmdline()


def _send(job: dict[str, Any]) -> dict[str, Any]:
    """Send a request from each address at the same time. Runs in a separate process."""
    times: list[float] = []
    statuses: Counter[str] = Counter()
    together(
        [
            lambda address=address: _ask(job["port"], job["path"], address, times, statuses)
            for address in job["addresses"]
        ]
    )
    return {"milliseconds": times, "statuses": statuses}


def _ask(port: int, path: str, address: str, times: list[float], statuses: Counter[str]) -> None:
    body = f"csrfmiddlewaretoken={TOKEN}"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken={TOKEN}\r\n"
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    started = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), source_address=(address, 0)) as wire:
        wire.sendall((head + body).encode())
        statuses[answered(wire)] += 1
    times.append(1_000 * (time.perf_counter() - started))


def _print(kind: str, turns: dict[str, list[Turn]], visitors: int) -> None:
    for name, each in turns.items():
        last = [max(turn.waits) for turn in each]
        print(
            f"{name:10} {_summary([turn.processor for turn in each])} ms of processor time,"
            f" the last of {visitors} after {_summary(last, 0)} ms,"
            f" half after {statistics.median([statistics.median(t.waits) for t in each]):.0f} ms"
        )
    ratios = [demo.processor / empty.processor for demo, empty in zip(*turns.values(), strict=True)]
    print(
        f"{kind}: a demo takes {_summary(ratios)} times the processor time of an empty view;"
        f" load average {os.getloadavg()[0]:.1f}"
    )


def _summary(figures: list[float], digits: int = 1) -> str:
    middle, least, most = statistics.median(figures), min(figures), max(figures)
    return f"{middle:.{digits}f} ({least:.{digits}f} to {most:.{digits}f})"


if __name__ == "__main__":
    main()
