"""PostgreSQL and Redis for the fault tests, and the counts printed at the end."""

import json
import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from signal import SIGKILL
from typing import Any
from uuid import UUID

import psutil
import psycopg
import pytest

from tests.faults.machines import Cluster, Machine, Store, Web, kill_all, wait_until
from tests.faults.table import TALLY, Hand, World
from tests.helpers.config.migrated import copy_migrated


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send this test process's counts to the process that prints the totals."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["tally"] = asdict(TALLY)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    for name, counted in getattr(node, "workeroutput", {}).get("tally", {}).items():
        setattr(TALLY, name, getattr(TALLY, name) + counted)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TALLY.faults:
        terminalreporter.write_line(
            f"faults tried: {TALLY.faults}, acknowledged writes: {TALLY.acknowledged}, "
            f"sent again without an answer: {TALLY.sent_again}, "
            f"lost: {TALLY.lost}, doubled: {TALLY.doubled}, "
            f"ended of themselves and started again: {TALLY.started_again}"
        )


@dataclass
class House:
    """An installation with leagues, with checks that must pass after any fault."""

    machine: Machine

    def migrate(self) -> None:
        if not self.machine.variables["DATABASE_URL"]:
            copy_migrated(self.machine.folder / "league.sqlite3")
        self.machine.run("migrate", "--verbosity", "0")

    def leagues(self, number: int) -> list[World]:
        """Create leagues with an open night."""
        return self._furnish(number, 0)[0]

    def past(self, number: int) -> list[World]:
        """Create leagues with a past night that is not closed and not due."""
        return self._furnish(0, number)[1]

    def _furnish(self, nights: int, past: int) -> list[list[World]]:
        made: list[list[World]] = json.loads(self.machine.run("furnish", str(nights), str(past)))
        return made

    def due(self, number: int) -> list[World]:
        """Create leagues whose past night is due to close."""
        return self.make_due(self.past(number))

    def make_due(self, leagues: list[World]) -> list[World]:
        jobs = ", ".join(str(each["job"]) for each in leagues)
        due = "SET due_at = '2001-01-01 00:00:00'"
        self.change(f"UPDATE league_closingjob {due} WHERE id IN ({jobs})")
        return leagues

    def leases_run_out(self) -> None:
        """Expire the leases immediately. After a lost message this takes five minutes."""
        past = "SET leased_until = '2001-01-01 00:00:00'"
        self.change(f"UPDATE league_closingjob {past} WHERE done_at IS NULL AND lease IS NOT NULL")

    def check_hands(self, port: int, hands: list[Hand]) -> None:
        """Check that no hand is lost or duplicated, and that a retry returns the same response."""
        stored = Counter(self.ids("SELECT id FROM league_hand"))
        keys = Counter(str(key) for (key,) in self.rows("SELECT key FROM ledger_posting"))
        for hand in hands:
            TALLY.acknowledged += 1
            TALLY.sent_again += hand.tries - 1
            TALLY.lost += not (stored[hand.id] and keys[f"hand:{hand.id}"])
            status, answer = hand.send(port)
            again = status == 200 and answer == hand.answer
            TALLY.doubled += max(stored[hand.id], keys[f"hand:{hand.id}"]) > 1 or not again
            assert again, f"{hand.id} was answered {hand.answer}, then {status}, {answer}"
        assert (TALLY.lost, TALLY.doubled) == (0, 0)

    def closed_once(self, leagues: list[World]) -> None:
        """Check that each night has exactly one closing."""
        wait_until(lambda: self.stands() and not self.still_open(leagues), "the closings")
        nights = Counter(self.ids("SELECT night_id FROM league_closing"))
        for league in leagues:
            number = nights[league["night"]]
            TALLY.acknowledged += 1
            TALLY.lost += number == 0
            TALLY.doubled += number > 1
        assert (TALLY.lost, TALLY.doubled) == (0, 0)

    def counted_right(self) -> None:
        """Check that the stats match a complete rebuild."""
        wait_until(lambda: self.stands() and not self.marks(), "the stats")
        before = self.tallies()
        self.machine.run("stats", "rebuild")
        assert before
        assert self.tallies() == before

    def stands(self) -> bool:
        """Restart exited processes as compose and systemd do. Always returns True."""
        return True

    def tallies(self) -> list[tuple[object, ...]]:
        return self.rows(
            "SELECT night_id, player_id, game, hands, net, put, won, showdowns"
            " FROM league_playertally ORDER BY night_id, player_id, game, verified"
        )

    def audited(self) -> None:
        assert self.machine.run("audit").strip() == "Everything holds."

    def backed_up(self, folder: Path) -> "Home":
        """Restore a current backup into a new installation and audit it."""
        file = folder / "league.backup"
        self.machine.run("backup", str(file))
        copy = Home(machine_of(folder))
        copy_migrated(folder / "league.sqlite3")
        copy.machine.run("migrate", "--verbosity", "0")
        copy.machine.run("restore", str(file))
        copy.machine.leave()
        return copy

    def ids(self, sql: str) -> list[str]:
        """Return the ids of a query's rows. SQLite stores them without dashes."""
        return [str(UUID(str(key))) for (key,) in self.rows(sql)]

    def still_open(self, leagues: list[World]) -> int:
        open_nights = self.ids("SELECT id FROM league_night WHERE state = 'open'")
        return len({each["night"] for each in leagues} & set(open_nights))

    def marks(self) -> int:
        return len(self.rows("SELECT id FROM league_stalemark"))

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        raise NotImplementedError

    def change(self, sql: str) -> None:
        raise NotImplementedError


@dataclass
class Servers(House):
    """An installation on PostgreSQL and Redis with a web process, a worker and a scheduler."""

    cluster: Cluster | None = None
    store: Store | None = None
    standing: dict[str, psutil.Popen] = field(default_factory=dict)
    front: Web | None = None

    @property
    def web(self) -> Web:
        if self.front is None:
            self.front = self.machine.web()
            self.standing["web"] = self.front.process
        self.front.wait()
        return self.front

    @property
    def worker(self) -> psutil.Popen:
        return self._stands("worker", self.machine.worker)

    @property
    def beat(self) -> psutil.Popen:
        return self._stands("beat", self.machine.beat)

    def stands(self) -> bool:
        """Restart exited processes.

        A worker may exit while its broker is down, because kombu loses its channel.
        """
        starts = {"worker": self.machine.worker, "beat": self.machine.beat}
        for name in self.standing.keys() & starts.keys():
            ended = self.standing[name].poll()
            TALLY.started_again += ended not in {None, -SIGKILL}
            self._stands(name, starts[name])
        return True

    def _stands(self, name: str, start: object) -> psutil.Popen:
        if name not in self.standing or self.standing[name].poll() is not None:
            self.standing[name] = start()  # type: ignore[operator]
        return self.standing[name]

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.machine.variables["DATABASE_URL"]) as connection:
            return connection.execute(sql).fetchall()  # type: ignore[call-overload,no-any-return]

    def change(self, sql: str) -> None:
        with psycopg.connect(self.machine.variables["DATABASE_URL"]) as connection:
            connection.execute(sql)  # type: ignore[call-overload]


class Home(House):
    """An installation on SQLite without servers."""

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        connection = self._connected()
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def change(self, sql: str) -> None:
        connection = self._connected()
        with connection:
            connection.execute(sql)
        connection.close()

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(self.machine.folder / "league.sqlite3", timeout=20)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    folder = tmp_path_factory.mktemp("faults")
    # Not in pytest's temporary folder, because other users can't access it.
    with tempfile.TemporaryDirectory() as apart:
        cluster, store = Cluster(Path(apart)), Store(folder)
        cluster.make()
        yield from _furnished(folder, cluster, store)


def _furnished(folder: Path, cluster: Cluster, store: Store) -> Iterator[Servers]:
    made = Servers(machine_of(folder, cluster.url, store.url), cluster=cluster, store=store)
    try:
        store.start()
        made.migrate()
        yield made
    finally:
        made.machine.leave()
        for process in made.standing.values():
            kill_all(process)
        store.crash()
        cluster.crash()


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    made = Home(machine_of(tmp_path_factory.mktemp("home")))
    made.migrate()
    yield made
    made.machine.leave()


def machine_of(folder: Path, database_url: str = "", redis_url: str = "") -> Machine:
    return Machine(
        os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "DATA_DIR": str(folder),
            "STATIC_ROOT": "",
            "SECRET_KEY": "only-for-tests",
            "WEBHOOK_NETWORKS": "127.0.0.0/8",
            "API_RATE": "1000000/min",
            "API_RATE_OPEN": "1000000/min",
        },
        folder,
    )
