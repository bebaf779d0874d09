"""Runs the service on a listening socket with uvicorn, using only its public settings."""

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass

import uvicorn

from api.streams.admission import MOST
from api.streams.application import Streams
from api.streams.handshake import Service
from config.server.connections import MOST_WAITING, Listener
from config.server.wsgi_adapter import WsgiAdapter, streams_only
from config.wsgi import application

START_SECONDS = 20.0
# How long running requests may take to finish after the server is stopped. After that, the process
# and its connections end. A request never returns an error while its transaction is committing.
LAST_REQUESTS_SECONDS = 2.0
# Long enough for polling phones to keep their connections.
KEEP_ALIVE_SECONDS = 20
LONGEST_HEADERS = 64 * 1024
LOOKS_EVERY = 0.25


@dataclass(frozen=True)
class Address:
    host: str
    port: int


class WebServer:
    """Serves the application on a listening socket, in a separate event loop."""

    def __init__(
        self, listener: Listener, service: Service, *, threads: int, streams: Streams | None = None
    ) -> None:
        self._listener = listener
        self._streams = streams
        config = uvicorn.Config(
            WsgiAdapter(service, listener, threads, streams),
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            workers=1,
            proxy_headers=False,
            server_header=False,
            # The limit leaves room for idle connections, running requests and streams.
            limit_concurrency=3 * MOST_WAITING + MOST,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            h11_max_incomplete_event_size=LONGEST_HEADERS,
        )
        self._server = uvicorn.Server(config)

    def run(self, wanted: Callable[[], bool] = lambda: True) -> None:
        """Serve until `stop` is called, a signal arrives, or `wanted` returns False."""
        asyncio.run(self._serve(wanted))

    def stop(self) -> None:
        """Stop accepting requests, and end when running requests have finished.

        Can be called from any thread.
        """
        self._server.should_exit = True

    async def _serve(self, wanted: Callable[[], bool]) -> None:
        if self._streams:
            self._streams.begin()
        serving = asyncio.ensure_future(self._server.serve(sockets=[self._listener]))
        while not (self._server.should_exit or serving.done()):
            self._listener.end_late()
            await asyncio.sleep(LOOKS_EVERY)
            if not wanted():
                self.stop()
        if self._streams:
            # uvicorn waits for connections to close, so streams must be ended explicitly.
            self._streams.end()
        await serving


@contextmanager
def web_server(host: str, port: int, *, threads: int, web: bool = True) -> Iterator[Address]:
    """Serve the application and streams, or only streams, in a thread. Port 0 is any free port."""
    listener = listen(host, port)
    address = address_of(listener)
    service = application if web else streams_only(application)
    server = WebServer(listener, service, threads=threads, streams=Streams(application))
    thread = threading.Thread(target=server.run, name="web", daemon=True)
    thread.start()
    try:
        wait_for_answer(address)
        yield address
    finally:
        server.stop()
        thread.join(LAST_REQUESTS_SECONDS)


def listen(host: str, port: int) -> Listener:
    """Return a socket that listens at the address. Raises OSError or OverflowError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return Listener(
        socket.create_server((host, port), family=family, dualstack_ipv6=both, backlog=1024)
    )


def address_of(listener: Listener) -> Address:
    return Address(*listener.getsockname()[:2])


def wait_for_answer(address: Address) -> None:
    """Wait until the service responds to HTTP requests. Raises TimeoutError."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.host, address.host)  # noqa: S104
    deadline = time.monotonic() + START_SECONDS
    while True:
        connection = http.client.HTTPConnection(host, address.port, timeout=START_SECONDS)
        with suppress(OSError), closing(connection):
            connection.request("GET", "/healthz", headers={"Host": "localhost"})
            if connection.getresponse().status == http.HTTPStatus.OK:
                return
        if time.monotonic() > deadline:
            raise TimeoutError("The service does not answer.")
        time.sleep(0.05)
