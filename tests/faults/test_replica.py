# ruff: noqa: S608 (ids from the service)
"""Feeds read from a replica that lags behind or is unavailable (docs/scaling.md)."""

import http.client
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.faults.conftest import Servers
from tests.faults.machines import until_the_end, wait_until
from tests.faults.standby import Standby
from tests.faults.table import Hand, World, a_fault, answered, finished, phones
from tests.faults.world import record

pytestmark = [pytest.mark.faults, pytest.mark.scheduled]
Rows = list[dict[str, Any]]


@dataclass
class Reader:
    """Reads a league's feeds from a web process with a host's token."""

    port: int
    token: str
    league: str

    def ask(self, asked: str, tag: str = "") -> tuple[int, str, Any]:
        """Return the status, the ETag and the body of the response."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.token}"} | (
            {"If-None-Match": tag} if tag else {}
        )
        try:
            wire.request("GET", f"/api/v1/leagues/{self.league}/feeds/{asked}", headers=headers)
            answer = wire.getresponse()
            body = answer.read()
        finally:
            wire.close()
        content = json.loads(body) if body and answer.status == 200 else None
        return answer.status, answer.headers.get("ETag", ""), content

    def rows(self, asked: str) -> Rows:
        status, _, body = self.ask(asked)
        assert status == 200
        results: Rows = body["results"]
        return results


@pytest.fixture
def standby(house: Servers) -> Iterator[Standby]:
    assert house.cluster
    with tempfile.TemporaryDirectory() as apart:
        made = Standby(Path(apart))
        made.follow(house.cluster)
        yield made
        made.crash()


@pytest.fixture
def port(house: Servers, standby: Standby) -> Iterator[int]:
    """Return the port of a web process that uses the replica."""
    web = house.machine.web(REPLICA_URL=standby.url)
    with until_the_end(web.process):
        web.wait()
        yield web.port


def reader(house: Servers, port: int, world: World) -> Reader:
    ids = house.ids(
        "SELECT s.league_id FROM league_season s JOIN league_night n ON n.season_id = s.id"
        f" WHERE n.id = '{world['night']}'"
    )
    return Reader(port, world["token"], ids[0])


def record_one(house: Servers, world: World, seed: int = 1) -> None:
    hand = Hand(world["night"], world["token"], record=record(Random(seed)))
    assert hand.send(house.web.port)[0] == 201


def all_counted(house: Servers) -> None:
    assert house.worker
    assert house.beat
    wait_until(lambda: not house.marks(), "the stats")


def test_feed_reader_gets_every_row_while_the_replica_lags(
    house: Servers, standby: Standby, port: int
) -> None:
    """Pages come alternately from the replica and its source, as behind a load balancer."""
    [world] = house.leagues(1)
    replica, source = reader(house, port, world), reader(house, house.web.port, world)
    seen: dict[str, Rows] = {"transfers": [], "results": []}
    turns = 0

    def read_on() -> None:
        nonlocal turns
        for feed, rows in seen.items():
            turns += 1
            cursor = rows[-1]["cursor"] if rows else 0
            asked = replica if turns % 3 else source
            rows.extend(asked.rows(f"{feed}?cursor={cursor}&fields=cursor"))

    recording = phones([world], house.web.port, hands=20, pause=0.05)
    for number in (5, 10, 15):
        a_fault()
        with standby.behind():
            while answered(recording) < number:
                read_on()
        read_on()
    finished(recording)
    all_counted(house)
    assert house.cluster
    standby.catch_up(house.cluster)
    for _ in range(3):
        read_on()
    for feed, rows in seen.items():
        assert rows == source.rows(f"{feed}?page_size=500&fields=cursor")


def test_etag_from_a_replica_changes_when_the_replica_catches_up(
    house: Servers, standby: Standby, port: int
) -> None:
    [world] = house.leagues(1)
    replica = reader(house, port, world)
    a_fault()
    with standby.behind():
        _, tag, before = replica.ask("transfers")
        record_one(house, world)
        assert replica.ask("transfers", tag)[0] == 304
        assert replica.ask("transfers") == (200, tag, before)
    assert house.cluster
    standby.catch_up(house.cluster)
    status, newer, after = replica.ask("transfers", tag)
    assert (status, newer == tag) == (200, False)
    assert len(after["results"]) > len(before["results"])
    assert replica.ask("transfers", newer)[0] == 304


def test_permissions_are_current_even_if_the_replica_lags(
    house: Servers, standby: Standby, port: int
) -> None:
    a_fault()
    [world] = house.leagues(1)
    replica = reader(house, port, world)
    with standby.behind():
        told = house.machine.run("furnish", "1", "0")
        [[new], _] = json.loads(told)
        assert reader(house, port, new).rows("transfers")
        house.change(f"DELETE FROM league_membership WHERE league_id = '{replica.league}'")
        assert replica.ask("transfers")[0] in {401, 404}


def test_feeds_read_the_primary_database_while_the_replica_is_down(
    house: Servers, standby: Standby, port: int
) -> None:
    [world] = house.leagues(1)
    replica = reader(house, port, world)
    before = replica.rows("transfers")
    record_one(house, world)
    a_fault()
    standby.crash()
    after = replica.rows("transfers")
    assert len(after) > len(before)
    standby.start()
