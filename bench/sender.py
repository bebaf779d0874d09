"""The load for the benchmarks, in a separate process. `python -m bench.sender` reads a JSON job.

{"kind": "http", "port": ..., "requests": [[text, ...], ...]} opens a persistent connection for each
list and sends its requests one after another. {"kind": "floor", "database": ..., "connections":
..., "rows": ...} runs INSERT and COMMIT of single rows. On SQLite ("sqlite-floor"), the database is
opened as in the service, and the writers run one after another. The output is {"seconds": ...,
"milliseconds": [...], "statuses": {...}}. The client is a bare socket, because it shares two cores
with the service.
"""

import json
import socket
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from threading import Barrier, Lock, Thread
from typing import Any
from uuid import uuid4

from config.data.connections import PRAGMAS

Job = dict[str, Any]


def main() -> None:
    job = json.load(sys.stdin)
    works = {"http": _http, "floor": _floor, "sqlite-floor": _sqlite_floor}[job["kind"]](job)
    times: list[float] = []
    statuses: Counter[str] = Counter()
    started, ended = together([lambda work=work: work(times, statuses) for work in works])
    report = {"seconds": ended - started, "milliseconds": times, "statuses": statuses}
    json.dump(report, sys.stdout)


def together(works: Sequence[Callable[[], None]]) -> tuple[float, float]:
    """Run each job in a thread. Return the times of the first start and the last end."""
    gate = Barrier(len(works) + 1)

    def run(work: Callable[[], None]) -> None:
        gate.wait()
        work()

    threads = [Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    gate.wait()
    started = time.perf_counter()
    for thread in threads:
        thread.join()
    return started, time.perf_counter()


def _http(job: Job) -> list[Callable[[list[float], Counter[str]], None]]:
    return [
        lambda times, statuses, texts=texts: _ask(job["port"], texts, times, statuses)
        for texts in job["requests"]
    ]


def _ask(port: int, texts: Sequence[str], times: list[float], statuses: Counter[str]) -> None:
    wire = socket.create_connection(("127.0.0.1", port))
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for text in texts:
        started = time.perf_counter()
        wire.sendall(text.encode())
        statuses[answered(wire)] += 1
        times.append(1_000 * (time.perf_counter() - started))
    wire.close()


def answered(wire: socket.socket) -> str:
    """Read a complete response and return its status."""
    head, _, body = _until(wire, b"", lambda got: b"\r\n\r\n" in got).partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    _until(wire, body, lambda got: len(got) >= length)
    return head.split(b" ", 2)[1].decode()


def _until(wire: socket.socket, got: bytes, enough: Callable[[bytes], bool]) -> bytes:
    while not enough(got):
        more = wire.recv(65_536)
        if not more:
            raise SystemExit(f"the server hung up after {got[:200]!r}")
        got += more
    return got


def _floor(job: Job) -> list[Callable[[list[float], Counter[str]], None]]:
    import psycopg  # noqa: PLC0415 (unused with SQLite)

    with psycopg.connect(job["database"]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS floor (id uuid PRIMARY KEY, chips int)")

    def write(times: list[float], statuses: Counter[str]) -> None:
        with psycopg.connect(job["database"]) as connection:
            for _ in range(job["rows"]):
                started = time.perf_counter()
                connection.execute("INSERT INTO floor VALUES (%s, %s)", (uuid4(), 1))
                connection.commit()
                times.append(1_000 * (time.perf_counter() - started))
        statuses["committed"] += job["rows"]

    return [write] * job["connections"]


def _sqlite_floor(job: Job) -> list[Callable[[list[float], Counter[str]], None]]:
    file, turn = Path(job["database"]) / "floor.sqlite3", Lock()
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(PRAGMAS)
        connection.execute("CREATE TABLE IF NOT EXISTS floor (id TEXT PRIMARY KEY, chips INTEGER)")

    def write(times: list[float], statuses: Counter[str]) -> None:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.executescript(PRAGMAS)
            for _ in range(job["rows"]):
                started = time.perf_counter()
                with turn:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute("INSERT INTO floor VALUES (?, ?)", (uuid4().hex, 1))
                    connection.execute("COMMIT")
                times.append(1_000 * (time.perf_counter() - started))
        statuses["committed"] += job["rows"]

    return [write] * job["connections"]


if __name__ == "__main__":
    main()
