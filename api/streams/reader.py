"""One reader of a stream: what is sent, in what order, and when it ends.

A reader keeps nothing but how far it is with each feed. What is new lies in the logs that all
share; what is older than they are is read from the database, a page at a time. So whoever reads
slowly costs no memory, and is cut off when nothing at all goes out any more.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from django.conf import settings

from api.streams.doorway import Subscription
from api.streams.events import Batch, Event, written
from api.streams.follower import Followed

# By so much less, as chance has it: readers that came together are not looked at together.
SPREAD = 0.4
# Nothing that is sent leaves this machine any more.
STUCK_SECONDS = 10.0
# Of the past: hands or postings that are read at once.
CAUGHT_UP_AT_ONCE = 100
SENT_AT_ONCE = 64 * 1024
# A comment has no empty line after it: some parsers would read that as an empty event.
OPENED = b": connected\n"
HEARTBEAT = b": still here\n"
# Milliseconds after which a client connects again. It is part of the first event, never alone.
RETRY = b"retry: 2000\n"


class StreamStuckError(Exception):
    """The reader does not read."""


@dataclass
class Reader:
    """Sends what is new to one reader, until it may no longer read or `ends` is set."""

    subscription: Subscription
    followed: Followed
    ends: asyncio.Event
    send: Callable[[bytes], Awaitable[None]]
    catch_up: Callable[[str, int, int], Awaitable[Batch]]
    may_still: Callable[[], Awaitable[bool]]
    at: dict[str, int] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    retry_sent: bool = False
    stuck_seconds: float = STUCK_SECONDS
    heartbeat_seconds: float = field(default_factory=lambda: settings.STREAM_HEARTBEAT_SECONDS)

    async def run(self) -> None:
        """Send events as they come. Raises StreamStuckError where nobody reads them."""
        self.at, self.told = dict(self.subscription.cursors), dict(self.subscription.cursors)
        await self._send(OPENED)
        next_look = self._next_look()
        while not (self.ends.is_set() or self.followed.failed):
            # taken before anything is looked at: what comes meanwhile sets it
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
        """Send what comes next of each feed; tell whether there was anything."""
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
            # All up to the position stood there when it was asked, if that was all.
            reached = last if batch.more else max(last, position)
        await self._send_events(name, events)
        self.at[name] = max(self.at[name], reached)
        return bool(events)

    async def _send_events(self, name: str, events: Iterable[Event]) -> None:
        """Send them in chunks, each with where its reader is then with all feeds."""
        chunk = bytearray()
        for event in events:
            self.told[name] = event.cursor
            if not self.retry_sent:
                chunk += RETRY
                self.retry_sent = True
            chunk += f"id: {written(self.told)}\n".encode("ascii") + event.body
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
        """Return when to look again whether it may still read, and to say that we are here."""
        return _now() + self.heartbeat_seconds * (1 - SPREAD * random.random())  # noqa: S311 (no secret)


def _now() -> float:
    return asyncio.get_running_loop().time()
