"""Time the recording of hands over HTTP, relative to empty views and bare commits.

    python bench/recording.py [--turns 5] [--hands 400]
    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/recording.py

Uses eight persistent connections from a second process on the same cores, in turns for

* an empty view of Django REST framework with a Knox token that reads the same body;
* single hands, recorded, settled and posted in many leagues in turn;
* raw commits: INSERT of one small row and COMMIT, from as many connections;
* hands in batches of 50.

Prints the median, minimum and maximum of each over the turns, and one line of ratios. The run fails
if a hand was not recorded, or if the ledger does not match the responses.
"""

import argparse
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

# allows running the benchmark as a file or as a module, from any folder
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import hand_requests as requests  # noqa: E402
from bench.service import Database, own_database, send_load, server  # noqa: E402

CONNECTIONS = 8
WARM = 160
Requests = list[str]


@dataclass
class Turns:
    """Each turn's responses per second, and each response's time."""

    rates: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def add(self, report: dict[str, Any], worth: int = 1) -> None:
        self.rates.append(worth * len(report["milliseconds"]) / report["seconds"])
        self.milliseconds += report["milliseconds"]

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    def percentile(self, number: int) -> float:
        return statistics.quantiles(self.milliseconds, n=100)[number - 1]

    def __str__(self) -> str:
        spread = f"{min(self.rates):,.0f} to {max(self.rates):,.0f}"
        times = f"p50 {self.percentile(50):.1f} ms, p99 {self.percentile(99):.1f} ms"
        return f"{self.rate:8,.0f} a second ({spread}), {times}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/recording.py", description="Hands, timed")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--hands", type=int, default=400, help="of each turn")
    parser.add_argument("--leagues", type=int, default=32)
    parser.add_argument("--batch", type=int, default=50, help="hands that are sent at a time")
    options = parser.parse_args()
    with own_database() as database:
        nights = requests.leagues(options.leagues)
        with server(database) as port:
            bench = Bench(database, port, nights, options)
            bench.run()
        _check(nights)
        print(bench.ratios())


class Bench:
    """The four kinds of requests, which run in turns."""

    def __init__(
        self, database: Database, port: int, nights: list[Any], options: argparse.Namespace
    ) -> None:
        self.database, self.port, self.nights, self.options = database, port, nights, options
        self.chance = Random(1)
        self.token, self.hand, self.commit, self.batch = Turns(), Turns(), Turns(), Turns()

    def run(self) -> None:
        self._send(self._posts(WARM), "201")
        self._send(self._posts(WARM, requests.EMPTY_WITH_TOKEN), "201")
        for _ in range(self.options.turns):
            self._turn(self.options.hands)
        self._print()

    def _turn(self, hands: int) -> None:
        self.token.add(self._send(self._posts(hands, requests.EMPTY_WITH_TOKEN), "201"))
        self.hand.add(self._send(self._posts(hands), "201"))
        self.commit.add(self._commits(hands))
        size = self.options.batch
        batches = [
            requests.batch(self._night(), [self._record() for _ in range(size)])
            for _ in range(max(CONNECTIONS, hands // size))
        ]
        self.batch.add(self._send(batches, "201"), worth=size)

    def _posts(self, number: int, address: str = "") -> Requests:
        return [
            requests.hand(self._night(), self._record(), address=address) for _ in range(number)
        ]

    def _night(self) -> Any:
        return self.chance.choice(self.nights)

    def _record(self) -> dict[str, Any]:
        return requests.record(self.chance)

    def _send(self, texts: Requests, status: str) -> dict[str, Any]:
        sent = [texts[place::CONNECTIONS] for place in range(CONNECTIONS)]
        report = send_load({"kind": "http", "port": self.port, "requests": sent})
        if report["statuses"] != {status: len(texts)}:
            raise SystemExit(f"not every request was answered by {status}: {report['statuses']}")
        return report

    def _commits(self, rows: int) -> dict[str, Any]:
        workload = {"connections": CONNECTIONS, "rows": rows // CONNECTIONS}
        kind = {"PostgreSQL": "floor", "SQLite": "sqlite-floor"}[self.database.kind]
        return send_load({"kind": kind, "database": self.database.place, **workload})

    def _print(self) -> None:
        print(f"{self.database.kind}, {self.options.turns} turns, {CONNECTIONS} connections")
        print(f"an empty view with a token  {self.token}")
        print(f"a hand                      {self.hand}")
        print(f"raw commits                 {self.commit}")
        print(f"hands in batches of {self.options.batch:<7} {self.batch}")

    def ratios(self) -> str:
        """Return the ratios on one line, with the median, minimum and maximum of each."""
        hands = [a / b for a, b in zip(self.hand.rates, self.token.rates, strict=True)]
        batches = [a / b for a, b in zip(self.batch.rates, self.commit.rates, strict=True)]
        spread = self.hand.percentile(99) / self.hand.percentile(50)
        return (
            f"{self.database.kind}: hands per second, compared with requests to an empty view"
            f" {_ratio(hands)}; hands in batches, compared with bare commits {_ratio(batches)};"
            f" p99 / p50 of a hand {spread:.1f}"
        )


def _ratio(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _check(nights: list[Any]) -> None:
    from league.integrity.audit import audit  # noqa: PLC0415 (Django is set up by now)
    from league.models import Hand  # noqa: PLC0415

    if findings := audit():
        raise SystemExit(f"the audit finds {findings}")
    print(f"{Hand.objects.count():,} hands in {len(nights)} leagues: the audit finds nothing")


if __name__ == "__main__":
    main()
