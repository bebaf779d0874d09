"""Concurrent tables in a separate process, and a receiver for their events.

The process reads a job from standard input and writes the result to standard output (see
bench/load.py).
"""

import json
import sys
import time
from collections import Counter
from http.client import HTTPConnection, HTTPException, RemoteDisconnected
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Any, ClassVar
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.hand_requests import record as a_record

# The mix of requests from one table: a program polls the night, a phone polls the night's version
# and page, a program reads a feed, and a hand is recorded.
MIX = ["poll"] * 3 + ["look"] * 4 + ["feed"] * 2 + ["record"]

Job = dict[str, Any]


class Table(Thread):
    """A table that plays over a persistent connection until its time is up."""

    def __init__(self, job: Job, place: int, report: Job, lock: Lock) -> None:
        super().__init__()
        self.job, self.report, self.lock = job, report, lock
        self.of = job["tables"][place]
        self.chance = Random(place)
        self.tag, self.pulse, self.cursor = "", "", 0
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
                self.wire.close()
            taken = time.perf_counter() - started
            with self.lock:
                self.report["times"].setdefault(kind, []).append(1_000 * taken)
                self.report["statuses"][str(status)] += 1
                if status not in {200, 201, 304}:
                    self.report["errors"].append(f"{kind}: {status}")
            time.sleep(max(0.0, self.chance.uniform(0.5, 1.5) * self.job["pace"] - taken))

    def poll(self) -> int:
        headers = {"If-None-Match": self.tag} if self.tag else {}
        answer = self.ask("GET", f"/api/v1/nights/{self.of['night']}", **headers)
        self.tag = answer.headers.get("ETag", "")
        return int(answer.status)

    def look(self) -> int:
        """Poll like a page: fetch the night's version, and the page if it has changed."""
        at = f"/nights/{self.of['night']}"
        headers = {"If-None-Match": self.pulse} if self.pulse else {}
        answer = self.ask("GET", f"{at}/pulse", **headers)
        self.pulse = answer.headers.get("ETag", self.pulse)
        if answer.status != 200:
            return int(answer.status)
        return int(self.ask("GET", at).status)

    def feed(self) -> int:
        at = f"/api/v1/leagues/{self.of['league']}/feeds/hands?cursor={self.cursor}"
        return int(self.ask("GET", at).status)

    def record(self) -> int:
        body = json.dumps({"id": str(uuid4()), "record": a_record(self.chance)})
        return int(self.ask("POST", f"/api/v1/nights/{self.of['night']}/hands", body).status)

    def ask(self, method: str, at: str, body: str | None = None, **headers: str) -> Any:
        if at.startswith("/api"):
            headers |= {"Authorization": f"Bearer {self.of['token']}"}
        else:
            headers |= {"Cookie": self.of["cookie"]}
        headers |= {"Content-Type": "application/json"} if body else {}
        try:
            return self._send(method, at, body, headers)
        except (RemoteDisconnected, ConnectionError):
            # The server closes idle connections, so clients retry once. The hand's id prevents
            # duplicates.
            self.wire.close()
            return self._send(method, at, body, headers)

    def _send(self, method: str, at: str, body: str | None, headers: dict[str, str]) -> Any:
        self.wire.request(method, at, body, headers)
        answer = self.wire.getresponse()
        answer.read()
        return answer


class Receiver(BaseHTTPRequestHandler):
    """Accepts every webhook."""

    came: ClassVar[Counter[str]] = Counter()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        Receiver.came[self.headers["webhook-id"]] += 1
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (name of the base class)
        pass


def main() -> None:
    job = json.load(sys.stdin)
    if job["receiver"]:
        receiver = ThreadingHTTPServer(("127.0.0.1", job["receiver"]), Receiver)
        Thread(target=receiver.serve_forever, daemon=True).start()
    report: Job = {"times": {}, "statuses": Counter(), "errors": []}
    lock = Lock()
    tables = [Table(job, place, report, lock) for place in range(len(job["tables"]))]
    for table in tables:
        table.start()
    for table in tables:
        table.join()
    time.sleep(job["rest"])  # wait for webhooks that arrive after the last hand
    report["webhooks"] = [len(Receiver.came), sum(Receiver.came.values())]
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
