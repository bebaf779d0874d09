"""Cursors do not skip or repeat rows during concurrent writes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from threading import Barrier, Event
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from league.models import Night
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.people.leagues import add_player
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from ledger.models import Transfer
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.leagues import a_league, holdem

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 3
HANDS = 4


def two_players(league: Any, place: int) -> Night:
    """Create a night for one writer. Writers share only the league, which orders their rows."""
    names = ("ann", "bob") if place == 0 else (f"ann{place}", f"bob{place}")
    players = [add_player(league, name) for name in names]
    night = open_night(league, players=players)
    for each in players:
        buy_in(night, each, 100, buy_in_id=uuid4(), by=None)
    return night


def told_at(place: int, button: int = 1) -> dict[str, Any]:
    record = holdem(button=button)
    for each in record["players"]:
        each["name"] += str(place or "")
    return record


def write(night: Night, place: int) -> None:
    for number in range(HANDS):
        hand = record_hand(night, uuid4(), told_at(place), by=None).hand
        count_marked(night.league.pk)
        if number % 2:
            revise_hand(hand, uuid4(), told_at(place, button=0), by=None)
            count_marked(night.league.pk)


def read(at: str, done: Event) -> list[list[dict[str, Any]]]:
    """Return the rows that a polling client receives, page by page."""
    client, cursor, pages = Client(), 0, []
    while True:
        over = done.is_set()
        page = client.get(f"{at}&cursor={cursor}&page_size=3").json()
        pages.append(page["results"])
        if over and not page["results"]:
            return pages
        cursor = page["results"][-1]["cursor"] if page["results"] else cursor


def test_client_polling_during_concurrent_writes_reads_every_row_once() -> None:
    league = a_league()
    nights = [two_players(league, place) for place in range(WRITERS)]
    key, done, ready = link_to(league), Event(), Barrier(WRITERS + 2)
    feeds = [
        f"/api/v1/leagues/{league.pk}/feeds/{name}?key={key}" for name in ("results", "transfers")
    ]

    def alone(work: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            ready.wait()
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS + 2) as threads:
        reading = [threads.submit(alone, lambda at=at: read(at, done)) for at in feeds]
        writing = [
            threads.submit(alone, lambda night=night, place=place: write(night, place))
            for place, night in enumerate(nights)
        ]
        try:
            for future in writing:
                future.result()
        finally:
            done.set()
        results, transfers = (list(chain(*future.result())) for future in reading)
    _every_result(feeds[0], results)
    assert [row["transfer"] for row in transfers] == list(
        Transfer.objects.order_by("posting", "position").values_list("pk", flat=True)
    )


def _every_result(at: str, rows: list[dict[str, Any]]) -> None:
    keys = [(row["cursor"], row["position"]) for row in rows]
    assert keys == sorted(set(keys))
    folded: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        hand_rows = folded.setdefault(row["hand"], [])
        if hand_rows and hand_rows[0]["cursor"] < row["cursor"]:
            hand_rows.clear()
        hand_rows.append(row)
    now = Client().get(f"{at}&page_size=500").json()["results"]
    assert sorted(now, key=str) == sorted(
        (row for hand_rows in folded.values() for row in hand_rows), key=str
    )
    assert {row["revision"] for row in now} == {1, 2}


def test_late_committed_row_is_not_skipped() -> None:
    """The counting job locks the league until it commits, so ids follow the commit order."""
    league = a_league()
    nights = [two_players(league, place) for place in range(WRITERS)]
    for place, night in enumerate(nights):
        record_hand(night, uuid4(), told_at(place), by=None)
    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(lambda _: _count_one(league.pk), nights))
    at = f"/api/v1/leagues/{league.pk}/feeds/hands?key={link_to(league)}"
    rows = Client().get(at).json()["results"]
    assert len({row["hand"] for row in rows}) == WRITERS
    assert [row["cursor"] for row in rows] == sorted({row["cursor"] for row in rows})


def _count_one(league: Any) -> None:
    try:
        count_marked(league, most=1)
    finally:
        connection.close()
