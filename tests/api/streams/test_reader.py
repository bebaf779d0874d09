"""A reader gets all rows after its cursor, once and in order, from the database and the log."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import uuid4

import pytest

from api.streams.admission import Subscription
from api.streams.events import Batch, Event, EventLog
from api.streams.follower import Followed
from api.streams.reader import HEARTBEAT, OPENED, RETRY, Reader, StreamStuckError

PAST = [Event(cursor, b"event: hands\ndata: %d\n\n" % cursor) for cursor in range(1, 51)]
AT_ONCE = 7


class Table:
    """A league whose feed contains PAST, a log of recent events, and what a reader has received."""

    def __init__(self, *, kept_after: int, since: int, may: bool = True) -> None:
        self.followed, self.ends = Followed(), asyncio.Event()
        self.log = self.followed.logs["hands"] = EventLog()
        self.log.begin(kept_after)
        self.add([event for event in PAST if event.cursor > kept_after])
        self.stored, self.sent, self.looks = list(PAST), b"", 0
        self.may = may
        subscription = Subscription(uuid4(), {"hands": since})
        self.reader = Reader(
            subscription, self.followed, self.ends, self.send, self.catch_up, self.may_still
        )

    def add(self, events: list[Event]) -> None:
        self.log.add(events, events[-1].cursor if events else self.log.oldest)
        self.followed.wake()

    async def send(self, data: bytes) -> None:
        self.sent += data
        await asyncio.sleep(0)

    async def catch_up(self, name: str, after: int, most: int) -> Batch:
        later = [event for event in self.stored if event.cursor > after]
        batch = later[:AT_ONCE]
        await asyncio.sleep(0.001)
        return Batch(batch, batch[-1].cursor if batch else None, len(later) > AT_ONCE)

    async def may_still(self) -> bool:
        self.looks += 1
        return self.may

    @property
    def cursors(self) -> list[int]:
        return [int(line[6:]) for line in self.sent.splitlines() if line.startswith(b"data: ")]

    @property
    def ids(self) -> list[int]:
        return [int(line[4:]) for line in self.sent.splitlines() if line.startswith(b"id: ")]


def run(table: Table, meanwhile: Callable[[Table], Awaitable[None]]) -> None:
    async def both() -> None:
        reading = asyncio.create_task(table.reader.run())
        await meanwhile(table)
        table.ends.set()
        table.followed.wake()
        await reading

    asyncio.run(both())


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.001)


@pytest.mark.parametrize("kept_after", [0, 10, 49, 50])
@pytest.mark.parametrize("since", [0, 1, 9, 10, 11, 49, 50])
def test_rows_after_the_cursor_are_sent_once_and_in_order(kept_after: int, since: int) -> None:
    table = Table(kept_after=kept_after, since=since)
    wanted = list(range(since + 1, 53))

    async def meanwhile(table: Table) -> None:
        new = [Event(51, b"data: 51\n\n"), Event(52, b"data: 52\n\n")]
        for event in new:
            await asyncio.sleep(0.003)
            table.stored.append(event)
            table.add([event])
        await until(lambda: len(table.cursors) >= len(wanted))
        await asyncio.sleep(0.01)

    run(table, meanwhile)
    assert table.cursors == table.ids == wanted
    assert table.sent.startswith(OPENED + RETRY + b"id: ")
    assert table.sent.count(RETRY) == 1


def test_reader_whose_cursor_is_ahead_of_the_log_waits() -> None:
    """The cursor comes from a database that has since been replaced by an older backup.

    No events up to the cursor are sent.
    """
    table = Table(kept_after=40, since=60)

    async def meanwhile(table: Table) -> None:
        table.add([Event(55, b"data: 55\n\n"), Event(61, b"data: 61\n\n")])
        await until(lambda: table.cursors)

    run(table, meanwhile)
    assert table.cursors == [61]


def test_reader_who_loses_permission_receives_no_more_events() -> None:
    table = Table(kept_after=50, since=50, may=False)
    table.reader.heartbeat_seconds = 0.02

    async def reading() -> None:
        async with asyncio.timeout(10):
            await table.reader.run()

    asyncio.run(reading())
    assert (table.looks, table.sent) == (1, OPENED)


def test_streams_of_an_unreadable_league_end() -> None:
    table = Table(kept_after=50, since=50)

    async def reading() -> None:
        async with asyncio.timeout(10):
            reading = asyncio.create_task(table.reader.run())
            await until(lambda: table.sent)
            table.followed.failed = True
            table.followed.wake()
            await reading

    asyncio.run(reading())


def test_heartbeats_are_sent_during_continuous_events() -> None:
    """Otherwise permissions would be rechecked only on idle streams."""
    table = Table(kept_after=50, since=50)
    table.reader.heartbeat_seconds = 0.01

    async def meanwhile(table: Table) -> None:
        for cursor in range(51, 100):
            table.add([Event(cursor, b"data: %d\n\n" % cursor)])
            await asyncio.sleep(0.002)

    run(table, meanwhile)
    assert table.looks >= 3
    assert table.sent.count(HEARTBEAT) == table.looks
    # httpx-sse 0.4.3 returns an event for every empty line after `retry` or `id`
    *events, rest = table.sent.split(b"\n\n")
    assert all(b"\ndata: " in each for each in events)
    assert b":" not in rest.replace(HEARTBEAT, b"")


def test_reader_that_stops_reading_is_disconnected() -> None:
    table = Table(kept_after=0, since=0)

    async def never(data: bytes) -> None:
        await asyncio.Event().wait()

    table.reader.send, table.reader.stuck_seconds = never, 0.05
    with pytest.raises(StreamStuckError):
        asyncio.run(table.reader.run())
