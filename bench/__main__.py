"""Run all benchmarks with a peer or a floor, and print the table of docs/performance.md.

    python -m bench [--write]

Each runs in a process of its own, shorter than alone; those that ask a database run on SQLite, and
on PostgreSQL where DATABASE_URL names a server. Each fails where an answer is wrong, and so does
this. The last line of each is what the table has; `--write` puts it into docs/performance.md.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- made by `make bench` -->", "<!-- end -->"


@dataclass(frozen=True)
class Bench:
    """What is timed, how it is started, and whether it asks a database."""

    name: str
    options: tuple[str, ...] = ()
    asks_database: bool = False


BENCHES = (
    Bench("settle"),
    Bench("evaluate"),
    Bench("odds"),
    Bench("history"),
    Bench("import_time"),
    Bench("start"),
    Bench("recording", ("--hands", "240"), asks_database=True),
    Bench("feeds", ("--hands", "5000"), asks_database=True),
    Bench("stats", ("--hands", "20000"), asks_database=True),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="All benches")
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    options = parser.parse_args()
    url = os.environ.get("DATABASE_URL", "")
    lines = [
        (bench.name, _last_line(bench, database))
        for bench in BENCHES
        for database in (("", url) if bench.asks_database and url else ("",))
    ]
    print("\n".join(f"{name}: {line}" for name, line in lines))
    if options.write:
        _write(lines)


def _last_line(bench: Bench, database: str) -> str:
    started = time.monotonic()
    command = [sys.executable, f"bench/{bench.name}.py", *bench.options]
    environment = os.environ | {"DATABASE_URL": database}
    done = subprocess.run(  # noqa: S603 (our own)
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    print(done.stdout)
    print(f"{bench.name}: {time.monotonic() - started:.0f} s", flush=True)
    if done.returncode:
        raise SystemExit(f"bench/{bench.name}.py failed")
    return done.stdout.strip().splitlines()[-1]


def _write(lines: list[tuple[str, str]]) -> None:
    """Put the table into the page, between its marks."""
    table = ["| Bench | Ratios: median of the turns |", "| --- | --- |"]
    table += [f"| `bench/{name}.py` | {line} |" for name, line in lines]
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text("\n".join([before + BEGIN, *table, END + after]))


if __name__ == "__main__":
    main()
