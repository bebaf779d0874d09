"""Time from the commit of an event to its arrival at 200 readers of a league.

    python bench/streams.py [--readers 200] [--hands 200]
    DATABASE_URL=postgres://... python bench/streams.py [--readers 200] [--hands 200]

Starts a streaming process (`serve --only-streams`) on a new database, records and counts hands a
few times a second, and prints p50, p99 and maximum over all events and readers

* from the commit of a hand to its transfers,
* from the commit of its statistics to the hand,
* for the floor, in turns: a server that only sends as many bytes to as many readers,

and the memory and processor time of the streaming process. Recording, reading and the floor run on
the same machine at the same time.
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

import psutil

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import hand_requests, stream_peers  # noqa: E402
from bench.service import own_database  # noqa: E402

OF_A_TOKEN = 10
# range of the random pauses between hands, so that hands don't coincide with polls
PAUSE = (0.1, 0.4)
MEGABYTE = 1_000_000
QUERY = "stream?feeds=hands,transfers&cursor=hands:{hands},transfers:{transfers}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/streams.py", description="Streams, timed")
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--hands", type=int, default=200)
    options = parser.parse_args()
    with own_database() as database:
        print(f"{database.kind}, {options.readers} readers, {options.hands} hands")
        _timed(options.readers, options.hands)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _timed(readers: int, hands: int) -> None:
    [night] = hand_requests.leagues(1)
    _record(night, Random(0))
    with _streaming() as (port, process), _floor() as shoot:
        job = [*_streams(night, port, readers), *_floors(shoot.getpeername()[1], readers)]
        reading = Peer("--read")
        with reading:
            reading.tell({"streams": job})
            reading.read_line()  # wait until all streams are open
            began, sizes, worked = {}, [], sum(process.cpu_times()[:2])
            started, chance = time.monotonic(), Random(1)
            for number in range(hands):
                began |= _record(night, chance)
                sizes.append(process.memory_info().rss)
                began[f"floor:{number}"] = time.monotonic()
                shoot.sendall(stream_peers.shot(number))
                time.sleep(chance.uniform(*PAUSE))
            time.sleep(1)
            busy = (sum(process.cpu_times()[:2]) - worked) / (time.monotonic() - started)
            reading.tell("end")
            came = reading.read_line()
    _print(came, began, readers)
    third = len(sizes) // 3
    first, last = statistics.mean(sizes[:third]), statistics.mean(sizes[-third:])
    print(
        f"  memory {first / MEGABYTE:.1f} MB in the first third, {last / MEGABYTE:.1f} in the last;"
        f" {busy:.0%} of a core"
    )


def _record(night: Any, chance: Random) -> dict[str, float]:
    """Record and count a hand. Return the commit times by event name."""
    from league.models import HandFact  # noqa: PLC0415
    from league.recording.record import record_hand  # noqa: PLC0415
    from league.stats.count import count_marked  # noqa: PLC0415
    from ledger.models import Posting  # noqa: PLC0415

    hand = record_hand(night, uuid4(), hand_requests.record(chance), by=None).hand
    recorded = time.monotonic()
    time.sleep(chance.uniform(*PAUSE))
    count_marked(night.league.pk)
    counted = time.monotonic()
    posting = Posting.objects.get(book=night.league.book_id, key=f"hand:{hand.pk}")
    fact = HandFact.objects.get(hand=hand)
    return {f"transfers:{posting.pk}": recorded, f"hands:{fact.pk}": counted}


def _streams(night: Any, port: int, readers: int) -> Iterator[dict[str, Any]]:
    from league.models import HandFact, Scope  # noqa: PLC0415
    from league.people.api_keys import make_token  # noqa: PLC0415
    from ledger.models import Posting  # noqa: PLC0415

    league = night.league
    hands = HandFact.objects.filter(league=league).latest("pk").pk
    transfers = Posting.objects.filter(book=league.book_id).latest("pk").pk
    at = f"/api/v1/leagues/{league.pk}/{QUERY.format(hands=hands, transfers=transfers)}"
    for number in range(readers):
        if number % OF_A_TOKEN == 0:
            token = make_token(league, league.created_by, f"bench {number}", Scope.READ)[1]
        head = f"GET {at} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
        yield {"port": port, "request": head, "first": "retry:"}


def _floors(port: int, readers: int) -> Iterator[dict[str, Any]]:
    for _ in range(readers):
        yield {"port": port, "request": "GET\r\n\r\n", "first": "retry:"}


@contextmanager
def _streaming() -> Iterator[tuple[int, psutil.Process]]:
    """Run a streaming process inside the block. Yields its port and process."""
    command = [sys.executable, "manage.py", "serve", "--only-streams", "--port", "0"]
    with subprocess.Popen(  # noqa: S603 (our own)
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            yield int(line.rpartition(":")[2]), psutil.Process(process.pid)
        finally:
            process.terminate()


@contextmanager
def _floor() -> Iterator[socket.socket]:
    """Run the floor inside the block. Yields a socket whose data is sent to all readers."""
    with Peer("--floor") as process:
        try:
            with socket.create_connection(("127.0.0.1", process.read_line())) as wire:
                wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                yield wire
        finally:
            process.terminate()


class Peer(subprocess.Popen[str]):
    """A process running bench/stream_peers.py."""

    def __init__(self, which: str) -> None:
        words = [sys.executable, str(ROOT / "bench/stream_peers.py"), which]
        super().__init__(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, what: Any) -> None:
        if self.stdin:
            self.stdin.write(json.dumps(what) + "\n")
            self.stdin.flush()

    def read_line(self) -> Any:
        return json.loads(self.stdout.readline()) if self.stdout else None


def _print(came: list[dict[str, float]], began: dict[str, float], readers: int) -> None:
    names = {"transfers": "commit to transfers", "hands": "counted to hand", "floor": "the floor"}
    for name, what in names.items():
        taken = [
            1_000 * (at - began[event])
            for each in came
            for event, at in each.items()
            if event.startswith(f"{name}:")
        ]
        wanted = sum(event.startswith(f"{name}:") for event in began) * readers
        if len(taken) != wanted:
            raise SystemExit(f"{len(taken)} of {wanted} events came: {what}")
        places = statistics.quantiles(taken, n=100)
        print(
            f"  {what:20} p50 {places[49]:6.1f} ms, p99 {places[98]:6.1f} ms,"
            f" at most {max(taken):6.1f} ms"
        )


if __name__ == "__main__":
    main()
