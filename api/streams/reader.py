"""A stream's reader: which events it gets, in what order, and when it ends.

A reader stores only its cursor in each feed. All readers share the logs of new events. Older events
are read from the database, one page at a time. Therefore, a slow reader does not use more memory.
It is disconnected when it stops reading.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from django.conf import settings

from api.streams.admission import Subscription
from api.streams.events import Batch, Event, written
from api.streams.follower import Followed

# Random part of the heartbeat interval, which prevents all readers from being checked at once.
SPREAD = 0.4
# A reader that accepts no data for this long is disconnected.
STUCK_SECONDS = 10.0
# Number of hands or postings read from the database at a time.
CAUGHT_UP_AT_ONCE = 100
SENT_AT_ONCE = 64 * 1024
# Comments are not followed by an empty line, because some parsers would read it as an empty event.
OPENED = b": connected\n"
HEARTBEAT = b": still here\n"
# Milliseconds before a client reconnects. Sent as part of the first event.
RETRY = b"retry: 2000\n"


class StreamStuckError(Exception):
    """The reader has stopped reading."""


@dataclass
class Reader:
    """Sends new events to a reader until the reader loses permission or `ends` is set."""

    subscription: Subscription
    followed: Followed
    ends: asyncio.Event
    send: Callable[[bytes], Awaitable[None]]
    catch_up: Callable[[str, int, int], Awaitable[Batch]]
    may_still: Callable[[], Awaitable[bool]]
    at: dict[str, int] = field(default_factory=dict)
    sent_cursors: dict[str, int] = field(default_factory=dict)
    retry_sent: bool = False
    stuck_seconds: float = STUCK_SECONDS
    heartbeat_seconds: float = field(default_factory=lambda: settings.STREAM_HEARTBEAT_SECONDS)

    async def run(self) -> None:
        """Send events as they arrive. Raises StreamStuckError if the client stops reading."""
        self.at = dict(self.subscription.cursors)
        self.sent_cursors = dict(self.subscription.cursors)
        await self._send(OPENED)
        next_look = self._next_look()
        while not (self.ends.is_set() or self.followed.failed):
            # read before the logs are checked, so that later events set this object and not its
            # replacement
            grown = self.followed.grown
            if _now() >= next_look:
                if not await self.may_still():
                    return
                await self._send(HEARTBEAT)
                next_look = self._next_look()
            if await self._send_news():
                continue
            try:
                async with asyncio.timeout_at(next_look):
                    await grown.wait()
            except TimeoutError:
                continue

    async def _send_news(self) -> bool:
        """Send the next events from each feed. Return whether there were any."""
        sent = [await self._send_next(name) for name in self.at]
        return any(sent)

    async def _send_next(self, name: str) -> bool:
        log = self.followed.logs[name]
        position = log.position
        if position is None:
            return False
        events, reached = log.after(self.at[name]), position
        if events is None:
            batch = await self.catch_up(name, self.at[name], CAUGHT_UP_AT_ONCE)
            events, last = list(batch.events), batch.last or 0
            # If there are no more rows, everything up to the position has been read.
            reached = last if batch.more else max(last, position)
        await self._send_events(name, events)
        self.at[name] = max(self.at[name], reached)
        return bool(events)

    async def _send_events(self, name: str, events: Iterable[Event]) -> None:
        """Send the events in chunks. Each event id contains the cursors of all feeds."""
        chunk = bytearray()
        for event in events:
            self.sent_cursors[name] = event.cursor
            if not self.retry_sent:
                chunk += RETRY
                self.retry_sent = True
            chunk += f"id: {written(self.sent_cursors)}\n".encode("ascii") + event.body
            if len(chunk) >= SENT_AT_ONCE:
                await self._send(bytes(chunk))
                chunk.clear()
        if chunk:
            await self._send(bytes(chunk))

    async def _send(self, data: bytes) -> None:
        try:
            async with asyncio.timeout(self.stuck_seconds):
                await self.send(data)
        except TimeoutError:
            raise StreamStuckError from None

    def _next_look(self) -> float:
        """Return when to next check the permission and send a heartbeat."""
        return _now() + self.heartbeat_seconds * (1 - SPREAD * random.random())  # noqa: S311 (not for security)


def _now() -> float:
    return asyncio.get_running_loop().time()
