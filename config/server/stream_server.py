"""What streams: uvicorn's protocol in a loop of its own, a thread beside whatever else is at work.

Of uvicorn we take how HTTP is read and written, not its server: that one takes the signals and the
logging of the process. Connections come from a socket that listens, or are handed over by the web
server that has read the first line of a request.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from api.streams.application import ABORT, Streams
from api.streams.places import MOST
from config.server.incoming_request import LONGEST_HEADERS, headers_seconds
from config.wsgi import application

# More than there may be streams: some are about to be refused, or to leave.
MOST_CONNECTIONS = MOST + 200
# Waits in memory for a reader; with more than that, nothing is written to it.
MOST_UNREAD = 64 * 1024
# What was sent last may take so long to leave.
LEAVE_SECONDS = 2.0
END_SECONDS = 2.0


class Connection(H11Protocol):
    """A connection that is cut when nothing comes by it, or when there are too many."""

    deadline: asyncio.TimerHandle

    def __init__(
        self,
        config: Config,
        state: ServerState,
        waiting: "dict[Connection, None]",
        already: bytes = b"",
    ) -> None:
        super().__init__(config, state, {})
        self._already = already
        # Those whose request has not come yet, in the order in which they came.
        self._waiting = waiting

    def connection_made(self, transport: Any) -> None:
        self.app_state = {ABORT: transport.abort}
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=MOST_UNREAD)
        allowed = headers_seconds(float(settings.REQUEST_SECONDS))
        self.deadline = self.loop.call_later(allowed, self._hang_up)
        self._waiting[self] = None
        if len(self.connections) > MOST_CONNECTIONS:
            # Of those who wait the longest here goes; where nobody does, whoever has just come.
            next(iter(self._waiting))._hang_up()  # noqa: SLF001 (one of its own kind)
        if self._already:
            self.data_received(self._already)

    def connection_lost(self, exc: Exception | None) -> None:
        self.deadline.cancel()
        self._waiting.pop(self, None)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.deadline.cancel()
        self.deadline = self.loop.call_later(LEAVE_SECONDS, self._hang_up)

    def handle_events(self) -> None:
        waits = self.cycle is None
        super().handle_events()
        if waits and self.cycle is not None:  # a request has come
            self.deadline.cancel()
            self._waiting.pop(self, None)

    def _hang_up(self) -> None:
        self._waiting.pop(self, None)
        self.transport.abort()


class StreamServer:
    """Streams, in a thread with a loop of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._streams = Streams(application)
        self._state = ServerState()
        self._waiting: dict[Connection, None] = {}
        self._config = Config(
            self._streams,
            http=Connection,
            ws="none",
            loop="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            h11_max_incomplete_event_size=LONGEST_HEADERS,
        )
        self._config.load()
        self._thread = threading.Thread(target=self._run, name="streams", daemon=True)

    def start(self, listening: socket.socket | None = None) -> None:
        """Begin to answer, on a socket that listens or those that are handed over."""
        self._thread.start()
        if listening is not None:
            serving = self._loop.create_server(self._connection, sock=listening)
            asyncio.run_coroutine_threadsafe(serving, self._loop).result()

    def take_over(self, client: socket.socket, already: bytes) -> None:
        """Answer on this connection, by which these bytes have come already; from any thread."""
        self._loop.call_soon_threadsafe(self._take, client, already)

    def stop(self) -> None:
        """Tell all readers that this is the end, and cut those who do not leave."""
        asyncio.run_coroutine_threadsafe(self._leave(), self._loop)
        self._thread.join(END_SECONDS)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(self._streams.begin)
        self._loop.run_forever()

    def _connection(self, already: bytes = b"") -> Connection:
        return Connection(self._config, self._state, self._waiting, already)

    def _take(self, client: socket.socket, already: bytes) -> None:
        made: Callable[[], Connection] = lambda: self._connection(already)  # noqa: E731
        taking = self._loop.create_task(self._loop.connect_accepted_socket(made, client))
        self._state.tasks.add(taking)  # type: ignore[arg-type] # kept until it is done, as all are
        taking.add_done_callback(self._state.tasks.discard)

    async def _leave(self) -> None:
        self._streams.end()
        async with asyncio.timeout(END_SECONDS / 2):
            try:
                while self._state.connections:
                    await asyncio.sleep(0.02)
            finally:
                for each in list(self._state.connections):
                    each.transport.abort()
                self._loop.call_soon(self._loop.stop)


@contextmanager
def stream_server(listening: socket.socket | None = None) -> Iterator[StreamServer]:
    """Stream inside the block."""
    server = StreamServer()
    server.start(listening)
    try:
        yield server
    finally:
        server.stop()
