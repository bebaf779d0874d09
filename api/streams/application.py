"""The ASGI application for streams. An open stream does not occupy a thread.

Database queries run in threads. One thread polls for new rows. The others authenticate readers,
check their permissions again and read older rows.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db import DatabaseError, close_old_connections

from api.streams.admission import Admission, Places, Subscription
from api.streams.events import STREAMED, Batch, read_batch
from api.streams.follower import Follower
from api.streams.handshake import (
    Environ,
    Reply,
    Service,
    authorize_stream,
    environ_of,
    is_still_authorized,
)
from api.streams.reader import STUCK_SECONDS, Reader, StreamStuckError
from league.models import League

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
T = TypeVar("T")

THREADS = 4
CLOSE = (b"connection", b"close")
logger = logging.getLogger(__name__)


class Streams:
    """Serve streams. The service, a WSGI application, authenticates and authorizes each reader."""

    def __init__(self, service: Service) -> None:
        self.places = Places()
        self._service = service
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="streams")
        self._looking = ThreadPoolExecutor(1, thread_name_prefix="streams-new")
        self._follower = Follower(self._looking)
        self._ends = asyncio.Event()
        self._following: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start polling for new rows. Runs in the event loop."""
        self._following = asyncio.get_running_loop().create_task(self._follower.follow())

    def end(self) -> None:
        """End all streams. Runs in the event loop."""
        self._ends.set()
        self._follower.wake_all()
        if self._following:
            self._following.cancel()
        for each in (self._threads, self._looking):
            each.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        environ, admission = environ_of(scope), Admission(self.places)
        try:
            reply = await self._in_thread(authorize_stream, self._service, environ, admission)
            if admission.subscription is None or scope["method"] != "GET":
                await _start(send, reply)
                await send({"type": "http.response.body", "body": reply.body})
                return
            await self._stream(environ, admission.subscription, reply, receive, send)
        except Exception:
            logger.exception("A stream failed.")
        finally:
            admission.leave()

    async def _stream(
        self,
        environ: Environ,
        subscription: Subscription,
        reply: Reply,
        receive: Receive,
        send: Send,
    ) -> None:
        await _start(send, reply)
        league = subscription.league
        reader = Reader(
            subscription,
            self._follower.join(league, subscription.cursors),
            ends=self._ends,
            send=partial(_send, send),
            catch_up=partial(self._catch_up, league),
            may_still=partial(self._in_thread, is_still_authorized, environ, self.places, league),
        )
        try:
            await _first_completed(reader.run(), _wait_for_disconnect(receive))
            async with asyncio.timeout(STUCK_SECONDS):
                await send({"type": "http.response.body", "body": b""})
        except (StreamStuckError, TimeoutError):
            pass  # the server closes the connection, because the response is incomplete
        except DatabaseError as error:
            # Readers reconnect and continue after the last event.
            logger.warning("A stream ended because of a database error: %s", error)
        finally:
            self._follower.leave(league, subscription.cursors)

    async def _catch_up(self, league: UUID, name: str, after: int, most: int) -> Batch:
        return await self._in_thread(_read_past, league, name, after, most)

    async def _in_thread(self, do: Callable[..., T], *given: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _with_fresh_connection, do, *given)


def _read_past(league_id: UUID, name: str, after: int, most: int) -> Batch:
    league = League.objects.filter(pk=league_id).first()
    # A deleted league has no rows. The next permission check closes its streams.
    return read_batch(STREAMED[name], league, after, most) if league else Batch((), None, False)


def _with_fresh_connection(do: Callable[..., T], *given: Any) -> T:
    """Close stale database connections before and after the call, as Django does for requests."""
    close_old_connections()
    try:
        return do(*given)
    finally:
        close_old_connections()


async def _first_completed(reading: Awaitable[None], leaving: Awaitable[None]) -> None:
    """Wait until one of two awaitables ends, and cancel the other. Raises errors from both."""
    tasks = [asyncio.ensure_future(task) for task in (reading, leaving)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in ended:
        if isinstance(outcome, Exception):
            raise outcome


async def _wait_for_disconnect(receive: Receive) -> None:
    """Return when the reader disconnects or sends an unexpected body."""
    message = await receive()
    if message["type"] == "http.request" and not message["body"] and not message["more_body"]:
        await receive()


async def _start(send: Send, reply: Reply) -> None:
    headers = [*reply.headers, CLOSE]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})


async def _send(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})
