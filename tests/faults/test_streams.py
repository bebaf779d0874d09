"""Killing a streaming process a hundred times while a league records loses no events.

On PostgreSQL this is the streaming process, on SQLite the whole service. Readers reconnect with the
id of the last event, as browsers do. At the end they have all rows of the feeds.
"""

import contextlib
import http.client
import json
import os
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from threading import Event, Thread
from typing import Any
from uuid import UUID

import pytest

from tests.faults.conftest import Home, House, Servers
from tests.faults.forks import Forks
from tests.faults.machines import PATIENCE, free_port, listens, wait_until
from tests.faults.table import TALLY, Hand, World, a_fault
from tests.faults.world import record
from tests.helpers.api.event_stream import EventStream

pytestmark = [pytest.mark.faults, pytest.mark.scheduled]
KILLS = 100
QUERIES = ("?feeds=transfers", "?feeds=hands", "?feeds=hands,nights,transfers")
Row = dict[str, Any]


@dataclass
class Reader(Thread):
    """Reads a stream and, when interrupted, continues after the last event."""

    port: int
    address: str
    token: str
    rows: dict[str, list[Row]] = field(default_factory=lambda: {"hands": [], "transfers": []})
    last_id: str = ""
    broke: int = 0
    refused: list[int] = field(default_factory=list)
    ends: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        while not self.ends.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._read()
            self.broke += 1
            time.sleep(0.02)

    def _read(self) -> None:
        stream = EventStream(self.port, self.address, self.token, last_id=self.last_id, timeout=5)
        with stream:
            if stream.status != 200:
                self.refused.append(stream.status)
                return
            for event in stream.events():
                self.rows[event.name] += event.rows
                self.last_id = event.last_id
                if self.ends.is_set():
                    return


@dataclass
class Recorder(Thread):
    """Records hands and sends each one until there is a response."""

    port: int
    world: World
    ends: Event = field(default_factory=Event)
    hands: int = 0

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        chance = Random(5)
        while not self.ends.is_set():
            hand = Hand(self.world["night"], self.world["token"], record=record(chance))
            while not self._is_answered(hand):
                time.sleep(0.02)
            self.hands += 1
            time.sleep(0.03)

    def _is_answered(self, hand: Hand) -> bool:
        with contextlib.suppress(OSError, http.client.HTTPException):
            return hand.send(self.port)[0] in {200, 201}
        return False


def feed(port: int, token: str, address: str) -> list[Row]:
    """Return all rows of a feed, read page by page."""
    rows: list[Row] = []
    page = f"http://127.0.0.1:{port}{address}?page_size=500"
    while page:
        headers = {"Authorization": f"Bearer {token}"}
        request = urllib.request.Request(page, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 (this machine)
            data = json.loads(answer.read())
        rows += data["results"]
        page = data["next"]
    return rows


def league_of(house: House, world: World) -> str:
    rows = house.rows(
        "SELECT n.id, s.league_id FROM league_night n JOIN league_season s ON s.id = n.season_id"
    )
    return str({str(UUID(str(night))): UUID(str(league)) for night, league in rows}[world["night"]])


def killed_again_and_again(port: int, start: Callable[[], int], is_read: Callable[[], int]) -> None:
    """Kill the process some time after each start, once it has readers, and restart it."""
    chance = Random(11)
    process = start()
    for _ in range(KILLS):
        wait_until(lambda: listens(port), "what streams")
        before = is_read()
        deadline = time.monotonic() + PATIENCE
        while is_read() == before and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.15))
        a_fault()
        os.kill(process, signal.SIGKILL)
        wait_until(lambda: not listens(port), "its end")
        process = start()


@pytest.fixture
def forks() -> Iterator[Callable[[House], Forks]]:
    made: list[Forks] = []

    def begin(house: House) -> Forks:
        made.append(Forks(house.machine))
        return made[-1]

    yield begin
    for each in made:
        each.end()


def hold_that_nothing_is_missing_or_twice(
    house: House, world: World, web: int, streams: int, start: Callable[[], int]
) -> None:
    at = f"/api/v1/leagues/{league_of(house, world)}"
    readers = [Reader(streams, f"{at}/stream{each}", world["token"]) for each in QUERIES]
    recorder = Recorder(web, world)
    for thread in (*readers, recorder):
        thread.start()
    read = readers[-1].rows
    killed_again_and_again(streams, start, lambda: len(read["transfers"]) + len(read["hands"]))
    recorder.ends.set()
    recorder.join()
    wait_until(lambda: listens(web), "the service")
    wait_until(lambda: house.stands() and not house.marks(), "the stats")
    feeds = {name: feed(web, world["token"], f"{at}/feeds/{name}") for name in read}
    wanted = ({"transfers"}, {"hands"}, {"hands", "transfers"})
    for reader, names in zip(readers, wanted, strict=True):
        for name in names:
            rows, feed_rows = reader.rows[name], feeds[name]
            wait_until(lambda r=rows, f=feed_rows: len(r) >= len(f), "the last events", within=20)
    for reader, names in zip(readers, wanted, strict=True):
        reader.ends.set()
        assert reader.broke >= KILLS * 0.9
        assert not [status for status in reader.refused if status < 500]
        for name in names:
            cursors = [row["cursor"] for row in reader.rows[name]]
            assert cursors == sorted(cursors)
            assert reader.rows[name] == feeds[name], name
    assert recorder.hands > KILLS
    TALLY.acknowledged += recorder.hands


def test_streaming_process_killed_a_hundred_times_loses_no_events(
    house: Servers, forks: Callable[[House], Forks]
) -> None:
    [world] = house.leagues(1)
    web, port = house.web.port, free_port()
    assert house.worker
    assert house.beat
    made, words = forks(house), ("serve", "--only-streams", "--port", str(port))
    hold_that_nothing_is_missing_or_twice(house, world, web, port, lambda: made.start(*words))


def test_single_process_service_killed_a_hundred_times_loses_no_events(
    home: Home, forks: Callable[[House], Forks]
) -> None:
    [world] = home.leagues(1)
    port = free_port()
    made, words = forks(home), ("serve", "--port", str(port))
    hold_that_nothing_is_missing_or_twice(home, world, port, port, lambda: made.start(*words))
