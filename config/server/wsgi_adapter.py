"""Adapts Django's WSGI application to ASGI for uvicorn.

The event loop reads the whole request before a thread processes it, and sends what the thread has
written. Clients that send or read slowly occupy a connection, but not a thread.
"""

import asyncio
import logging
import math
import re
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings

from api.streams.handshake import Environ, Service, environ_of
from config.server.connections import Connection, Listener, idle_deadline, idle_seconds
from config.web.middleware import LARGEST_BODY, is_import, largest_body

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEALTH = "/healthz"
STREAM = re.compile(r"/api/v1/leagues/[^/]+/stream")
# The timeout for uploading import files is longer than for other requests by this factor.
IMPORT_PATIENCE = 5
# Number of bytes to read from a rejected body, so that the client gets the response.
LARGEST_READ = 4 * LARGEST_BODY
# How long the client may take to read the response to an unfinished request.
LEAVE_SECONDS = 2.0
# Larger bodies and responses are stored in temporary files.
KEPT_IN_MEMORY = 64 * 1024
SENT_AT_ONCE = 64 * 1024
# A thread waits when this many bytes are unsent, so that an export does not fill the disk.
MOST_UNSENT = 16 * 1024 * 1024
CLOSE = (b"connection", b"close")
logger = logging.getLogger(__name__)


class DisconnectedError(Exception):
    """The client closed the connection."""


class RefusedError(Exception):
    """The request is not valid HTTP, or did not arrive in time."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


class Threads:
    """Daemon threads, which end with the process. A thread pool would wait for its threads."""

    def __init__(self, name: str, count: int) -> None:
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        for _ in range(count):
            threading.Thread(target=self._run, name=name, daemon=True).start()

    def submit(self, work: Callable[[], None]) -> None:
        self._work.put(work)

    def _run(self) -> None:
        while True:
            self._work.get()()


class Answer:
    """The application's response. A thread writes it, and the event loop sends it."""

    def __init__(self, application: Service, environ: Environ) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.failed = False
        # set when there is enough data to send, or when the response is complete
        self.ready = asyncio.Event()
        self._application = application
        self._environ = environ
        self._loop = asyncio.get_running_loop()
        self._changed = threading.Condition()
        self._unsent = spool()
        self._written = self._sent = 0
        self._ended = self._abandoned = False

    def write_all(self) -> None:
        """Run the application. Called in a thread."""
        try:
            parts = self._application(self._environ, self._start)
            try:
                for part in parts:
                    self._write(part)
            finally:
                if close := getattr(parts, "close", None):
                    close()
        except DisconnectedError:
            self.failed = True
        except BaseException:
            logger.exception("A request failed.")
            self.failed = True
        self._environ["wsgi.input"].close()
        with self._changed:
            self._ended = True
        self._wake()

    def read(self) -> tuple[bytes, bool]:
        """Return the next bytes to send, and whether more follow. Called in the event loop."""
        with self._changed:
            self._unsent.seek(self._sent)
            chunk = self._unsent.read(SENT_AT_ONCE)
            self._sent += len(chunk)
            if self._sent == self._written:
                self._unsent.seek(0)
                self._unsent.truncate()
                self._written = self._sent = 0
                self._changed.notify_all()
                if self._ended:
                    return chunk, False
                self.ready.clear()
            return chunk, True

    def abandon(self) -> None:
        """Discard the rest of the response, so that its thread can finish.

        Called in the event loop.
        """
        with self._changed:
            self._abandoned = True
            self._changed.notify_all()
            self._unsent.close()

    def _start(self, status: str, headers: Iterable[tuple[str, str]], *_: object) -> None:
        self.status = int(status.split(" ", 1)[0])
        # Django writes cookies with a leading space, which h11 rejects.
        self.headers = [
            (name.lower().encode("latin-1"), value.strip().encode("latin-1"))
            for name, value in headers
        ]

    def _write(self, part: bytes) -> None:
        with self._changed:
            if not self._abandoned:
                self._unsent.seek(self._written)
                self._written += self._unsent.write(part)
                if self._written - self._sent >= SENT_AT_ONCE:
                    self._wake()
                if self._written >= MOST_UNSENT:
                    self._changed.wait_for(lambda: self._abandoned or not self._written)
            if self._abandoned:
                raise DisconnectedError

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the event loop may already be closed
            self._loop.call_soon_threadsafe(self.ready.set)


class WsgiAdapter:
    """Serves requests in the application's threads, and streams in the event loop."""

    def __init__(
        self,
        application: Service,
        listener: Listener,
        threads: int,
        streams: Callable[[Message, Receive, Send], Awaitable[None]] | None = None,
    ) -> None:
        self._application = application
        self._listener = listener
        self._streams = streams
        self._threads = Threads("web", threads)
        # /healthz responds even if all other threads are busy.
        self._health = Threads("health", 1)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        connection = self._listener.connection(scope["client"])
        connection.deadline = math.inf
        try:
            if self._streams and scope["method"] in ("GET", "HEAD") and is_stream(scope["path"]):
                connection.at_work = True
                await self._streams(scope, receive, send)
            else:
                await self._answer(connection, scope, receive, send)
        except DisconnectedError:
            pass
        except RefusedError as error:
            await _send_status(send, error.status, more=True)
            await _discard(receive, LEAVE_SECONDS)
            await _send_part(send, b"")
        except TimeoutError:
            pass  # the client is not reading, so uvicorn closes the connection
        except Exception:
            logger.exception("A request failed.")
        finally:
            connection.at_work = False
            connection.deadline = idle_deadline()

    async def _answer(
        self, connection: Connection, scope: Message, receive: Receive, send: Send
    ) -> None:
        environ = environ_of(scope)
        complete = await read_body(scope, environ, receive)
        answer = Answer(self._application, environ)
        connection.at_work = True
        threads = self._health if scope["path"] == HEALTH else self._threads
        threads.submit(answer.write_all)
        try:
            await answer.ready.wait()
            connection.at_work = False
            if not answer.status:
                await _send_status(send, "500 Internal Server Error")
            else:
                unread = 0 if complete else _arrival_seconds(scope)
                await _send(answer, receive, send, unread=unread)
        finally:
            answer.abandon()


async def read_body(scope: Message, environ: Environ, receive: Receive) -> bool:
    """Read the body into `environ`. Return False if part of it was not read.

    A body that is too large is rejected later because of its length (`config.web.middleware`).
    Raises RefusedError and DisconnectedError.
    """
    headers = dict(scope["headers"])
    chunked = b"transfer-encoding" in headers
    length = int(headers.get(b"content-length", 0))
    if chunked and b"content-length" in headers:
        # RFC 9112, 6.1: a proxy that uses the other header would make request smuggling possible.
        raise RefusedError("400 Bad Request")
    if not chunked and not length:
        return True
    most = largest_body(scope["path"])
    environ["CONTENT_LENGTH"] = str(length)
    if length > most:
        return False
    body, size, more = spool(), 0, True
    environ["wsgi.input"] = body
    try:
        async with asyncio.timeout(_arrival_seconds(scope)):
            while more and size <= most:
                message = await receive()
                _expect_connection(message)
                size += body.write(message["body"])
                more = message["more_body"]
    except (DisconnectedError, TimeoutError) as error:
        body.close()
        if isinstance(error, TimeoutError):
            raise RefusedError("408 Request Timeout") from None
        raise
    body.seek(0)
    environ["CONTENT_LENGTH"] = str(size)
    return not more


def is_stream(path: str) -> bool:
    return bool(STREAM.fullmatch(path))


def streams_only(application: Service) -> Service:
    """Return an application that serves only /healthz."""

    def answer(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == HEALTH:
            return application(environ, start_response)
        headers = [("Content-Type", "text/plain"), ("Cache-Control", "private, no-store")]
        start_response("404 Not Found", headers)
        return [b"There are only streams here.\n"]

    return answer


def spool() -> IO[bytes]:
    """Return a file that keeps small contents in memory and writes large ones to disk."""
    return SpooledTemporaryFile(KEPT_IN_MEMORY)


def _expect_connection(message: Message) -> None:
    if message["type"] == "http.disconnect":
        raise DisconnectedError


async def _send(answer: Answer, receive: Receive, send: Send, *, unread: float = 0) -> None:
    """Send the response while it is being written. Raises TimeoutError if not read in time.

    `unread` is how many seconds to discard the unread rest of the request before closing the
    connection. It is 0 if the whole request was read.
    """
    await _start(send, answer.status, [*answer.headers, CLOSE] if unread else answer.headers)
    leaving: asyncio.Future[None] | None = None
    more = True
    try:
        while more:
            await answer.ready.wait()
            chunk, more = answer.read()
            if not more and answer.failed:
                return
            if more and not unread and leaving is None:
                leaving = asyncio.ensure_future(_disconnect(receive))
            if leaving and leaving.done():
                return
            await _send_part(send, chunk, more=more or bool(unread))
    finally:
        if leaving:
            leaving.cancel()
    if unread:
        await _discard(receive, unread)
        await _send_part(send, b"")


async def _send_part(send: Send, data: bytes, *, more: bool = False) -> None:
    async with asyncio.timeout(idle_seconds()):
        await send({"type": "http.response.body", "body": data, "more_body": more})


async def _disconnect(receive: Receive) -> None:
    """Wait until the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_status(send: Send, status: str, *, more: bool = False) -> None:
    code, text = status.split(" ", 1)
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(text)), CLOSE]
    await _start(send, int(code), headers)
    await _send_part(send, text.encode(), more=more)


async def _start(send: Send, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _discard(receive: Receive, seconds: float) -> None:
    """Discard incoming data.

    If the connection closes early, a client that is still sending may lose the response.
    """
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while size < LARGEST_READ:
                message = await receive()
                if message["type"] == "http.disconnect" or not message["more_body"]:
                    return
                size += len(message["body"])


def _arrival_seconds(scope: Message) -> float:
    """Return how many seconds a request may take to arrive."""
    patience = IMPORT_PATIENCE if is_import(scope["path"]) else 1
    return float(settings.REQUEST_SECONDS) * patience
