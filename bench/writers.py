"""Times several writers recording hands into one league, a few leagues or many.

    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/writers.py [--writers 4]

Creates a database on that server and drops it afterwards. Each writer is a process that records one
hand after another with `record_hand`, into its leagues in turn. With one league, all writers wait
for its lock. With one league per writer, no writer waits. Prints hands per second, the ratio to one
league, the median and p99 time per hand, and the average number of writers waiting for a lock, read
from PostgreSQL every 20 ms. Each number of leagues is tried several times in turn, and the best
result is printed, because the machine may be busy. With

    PGOPTIONS="-c commit_delay=50000 -c commit_siblings=0"

a commit takes 50 ms longer, as on a slow or remote disk. Waiting then matters more than the number
of cores.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

WARM = 10  # warm-up hands per writer
EVERY = 0.02  # seconds between queries for waiting writers


class Turn(NamedTuple):
    """Hands per second, milliseconds per hand, and the average number of waiting writers."""

    rate: float
    took: list[float]
    waited: float


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/writers.py", description="Many writers")
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--leagues", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--hands", type=int, default=200, help="of each writer")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        write(json.loads(sys.stdin.readline()))
        return
    from bench import hand_requests  # noqa: PLC0415
    from bench.service import own_database  # noqa: PLC0415

    with own_database():
        nights = [str(each.pk) for each in hand_requests.leagues(max(options.leagues))]
        tried: dict[int, list[Turn]] = {}
        for _ in range(options.turns):
            alone = tried.setdefault(0, [])
            alone.append(_together(1, nights[:1], options.hands))
            for leagues in options.leagues:
                report = _together(options.writers, nights[:leagues], options.hands)
                tried.setdefault(leagues, []).append(report)
        _print(tried, options.writers)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _together(writers: int, nights: list[str], hands: int) -> Turn:
    """Start `writers` processes that record concurrently."""
    command = [sys.executable, __file__, "--write"]
    begun: list[Any] = [
        subprocess.Popen(  # noqa: S603 (our own)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for _ in range(writers)
    ]
    for place, writer in enumerate(begun):
        own = nights[place % len(nights) :: writers] if len(nights) > 1 else nights
        tell(writer, {"nights": own, "hands": hands, "seed": place})
    for writer in begun:
        writer.stdout.readline()  # wait until the writer is warmed up
    started = time.perf_counter()
    for writer in begun:
        tell(writer, "now")
    waiting = []
    while all(writer.poll() is None for writer in begun):  # measure until the first writer finishes
        waiting.append(_waiting())
        time.sleep(EVERY)
    report = [json.loads(writer.communicate()[0]) for writer in begun]
    seconds = time.perf_counter() - started
    took = [seconds for durations in report for seconds in durations]
    return Turn(writers * hands / seconds, took, statistics.fmean(waiting))


def _waiting() -> int:
    """Return the number of writers waiting for a lock."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


def tell(process: Any, what: Any) -> None:
    """Send a line to a writer."""
    process.stdin.write(json.dumps(what) + "\n")
    process.stdin.flush()


def _print(tried: dict[int, list[Turn]], writers: int) -> None:
    base = max(turn.rate for turn in tried[min(leagues for leagues in tried if leagues)])
    for leagues, turns in tried.items():
        best = max(turns)
        places = statistics.quantiles(best.took, n=100)
        who = f"{writers if leagues else 1} writers, {leagues or 1} leagues"
        print(
            f"{who:24} {best.rate:7.1f} hands a second, {best.rate / base:5.2f} times,"
            f" p50 {places[49]:6.1f} ms, p99 {places[98]:6.1f} ms, {best.waited:4.2f} wait"
            f" (all: {', '.join(f'{turn.rate:.0f}' for turn in turns)})"
        )


def write(job: dict[str, Any]) -> None:
    """Record the hands on command. Return each hand's time in milliseconds."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django  # noqa: PLC0415

    django.setup()
    from bench import hand_requests  # noqa: PLC0415
    from league.models import Night  # noqa: PLC0415
    from league.recording.record import record_hand  # noqa: PLC0415

    rows = Night.objects.select_related("season__league__book")
    nights = [rows.get(pk=key) for key in job["nights"]]
    chance = Random(job["seed"])

    def one(turn: int) -> float:
        record, started = hand_requests.record(chance), time.perf_counter()
        record_hand(nights[turn % len(nights)], uuid4(), record, by=None)
        return 1_000 * (time.perf_counter() - started)

    for turn in range(WARM):
        one(turn)
    print("ready", flush=True)
    sys.stdin.readline()
    json.dump([one(turn) for turn in range(job["hands"])], sys.stdout)


if __name__ == "__main__":
    main()
