"""A streaming service in a separate process, and a league with an open night."""

import contextlib
import json
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from tests.faults.machines import Machine
from tests.faults.table import Hand
from tests.faults.world import record
from tests.helpers.api.event_stream import EventStream
from tests.helpers.config.installations import Variables, an_installation
from tests.helpers.config.management import run_command, sqlite_in
from tests.helpers.config.service_process import Service, served


@dataclass
class StreamedLeague:
    """A league whose hands are recorded at one port and read at the same or a different port."""

    web: int
    streams: int
    night: str
    token: str
    machine: Machine
    process: Service
    chance: Random = field(default_factory=lambda: Random(7))

    @cached_property
    def league(self) -> str:
        found: str = self.get("leagues")["results"][0]["id"]
        return found

    def get(self, path: str) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.web}/api/v1/{path}",
            headers={"Authorization": f"Bearer {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return json.loads(answer.read())

    def feed(self, name: str, cursor: int = 0) -> list[dict[str, Any]]:
        """Return up to 500 rows of a feed after the cursor."""
        page = f"leagues/{self.league}/feeds/{name}?page_size=500&cursor={cursor}"
        rows: list[dict[str, Any]] = self.get(page)["results"]
        return rows

    def does(self, *lines: str) -> str:
        """Run Python code with the installation's models. Return the last word of its output."""
        variables = self.machine.variables
        database_url = variables["DATABASE_URL"] or sqlite_in(Path(variables["DATA_DIR"]))
        words = ("shell", "--verbosity", "0", "--command", "\n".join(lines))
        done = run_command(*words, database_url=database_url)
        assert done.returncode == 0, done.stderr
        return (done.stdout.decode().split() or [""])[-1]

    def record(self, hands: int = 1) -> None:
        for _ in range(hands):
            hand = Hand(self.night, self.token, record=record(self.chance))
            assert hand.send(self.web)[0] == 201

    def address(self, query: str = "") -> str:
        return f"/api/v1/leagues/{self.league}/stream{query}"

    def stream(self, query: str = "", last_id: str = "", **more: Any) -> EventStream:
        options = {"token": self.token, **more}
        return EventStream(self.streams, self.address(query), last_id=last_id, **options)


@contextlib.contextmanager
def streamed(folder: Path, *, apart: bool) -> Iterator[StreamedLeague]:
    """Serve a league inside the block. With `apart`, a separate process serves the streams."""
    with contextlib.ExitStack() as parts:
        variables: Variables = parts.enter_context(an_installation(folder, SECRET_KEY="k" * 50))
        machine = Machine(variables, folder)
        if variables["DATABASE_URL"]:  # on SQLite, the database is a migrated copy
            machine.run("migrate", "--verbosity", "0")
        [[night], _] = json.loads(machine.run("furnish", "1", "0"))
        web = parts.enter_context(served(variables))
        streams = parts.enter_context(served(variables, "--only-streams")) if apart else web
        try:
            yield StreamedLeague(
                _port(web), _port(streams), night["night"], night["token"], machine, streams
            )
        finally:
            machine.leave()


def _port(service: Service) -> int:
    return int(urlsplit(service.url).port or 0)
