"""waitress, which reads requests in its loop already, with an end to those that never come."""

import re
import time
from collections.abc import Callable, Iterable
from functools import partial
from socket import socket
from typing import Any, cast

from django.conf import settings
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from config.server.incoming_request import (
    HEALTH,
    IDLE_SECONDS,
    KEPT_IN_MEMORY,
    MOST_CONNECTIONS,
    answer_seconds,
    headers_seconds,
)

STREAM = re.compile(rb"(?:GET|HEAD) /api/v1/leagues/[0-9a-f-]{36}/stream[? ]")
BEGINNINGS = (b"GET /api/v1/leagues/", b"HEAD /api/v1/leagues/")
LONGEST_BEGINNING = 80  # of what may yet be a request for a stream


def may_be_stream(data: bytes) -> bool:
    """Tell whether these first bytes are too few to say that a stream is wanted, or not."""
    if b"\r" in data or len(data) > LONGEST_BEGINNING or STREAM.match(data):
        return False
    return any(each.startswith(data[: len(each)]) for each in BEGINNINGS)


class RequestParser(HTTPRequestParser):
    """Refuses a request with two lengths, of which a proxy may read the other (RFC 9112, 6.1)."""

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        coded = self.chunked or "TRANSFER_ENCODING" in self.headers
        if coded and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other.")


class Channel(HTTPChannel):
    """A connection that knows since when its request has been coming."""

    parser_class = RequestParser
    server: "Server"
    # The first bytes of what may be a request for a stream.
    held = b""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.began = time.time()
        super().__init__(*args, **options)

    def received(self, data: bytes) -> bool:
        take_over = self.server.take_over
        if take_over is not None and self.request is None and not self.requests:
            if not self.held:
                self.began = time.time()
            self.held += data
            if may_be_stream(self.held):
                return True
            data, self.held = self.held, b""
            if STREAM.match(data):
                take_over(self._let_go(), data)
                return True
        return self._take(data)

    def _let_go(self) -> socket:
        """Return the socket, which is no longer this channel's, whatever it is still told."""
        client = cast(socket, self.socket)
        self.del_channel()
        self.socket, self.connected = None, False
        return client

    def _take(self, data: bytes) -> bool:
        before = self.request
        took = super().received(data)
        if self.request is not before:
            self.began = time.time()
        return bool(took)

    def waits(self) -> bool:
        """Tell whether it waits for the other end: nothing is at work for it here."""
        return not self.requests and not self.total_outbufs_len

    def late(self, now: float) -> bool:
        """Tell whether what comes, or what is read, has had its time."""
        allowed = float(settings.REQUEST_SECONDS)
        if self.total_outbufs_len:
            return bool(now - self.last_activity > answer_seconds(allowed))
        if not self.waits():
            return False
        if self.held:
            return now - self.began > headers_seconds(allowed)
        if self.request is None:
            return bool(now - self.last_activity > min(IDLE_SECONDS, allowed))
        heads = not self.request.headers_finished
        return now - self.began > (headers_seconds(allowed) if heads else allowed)


class Server(TcpWSGIServer):
    """Hangs up on whoever takes too long, and on the longest here where there are too many."""

    channel_class = Channel
    # What answers requests for streams, if anything does: given the socket and what has come by it.
    take_over: Callable[[socket, bytes], None] | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        self.health = ThreadedTaskDispatcher()
        self.health.set_thread_count(1)
        super().__init__(*args, **options)

    def add_task(self, task: Any) -> None:
        """Give /healthz a thread of its own: it is answered while all others are at work."""
        if task.requests[0].path == HEALTH:
            self.health.add_task(task)
        else:
            super().add_task(task)

    def maintenance(self, now: float) -> None:
        late = [each for each in self._channels() if each.late(now)]
        if late:
            self._hang_up(late)

    def handle_accept(self) -> None:
        super().handle_accept()
        if len(self._channels()) >= MOST_CONNECTIONS:
            waiting = [each for each in self._channels() if each.waits()]
            self._hang_up(sorted(waiting, key=lambda each: each.began)[:1])

    def _channels(self) -> list[Channel]:
        return list(self.active_channels.values())  # type: ignore[attr-defined] # a dict, in truth

    def _hang_up(self, channels: Iterable[Channel]) -> None:
        """Close them in the loop's next turn: while it asks who is there, none may go."""
        self.trigger.pull_trigger(  # type: ignore[attr-defined] # in truth
            partial(_close, list(channels))
        )


def create_server(
    application: Any,
    listening: socket,
    take_over: Callable[[socket, bytes], None] | None = None,
    **options: Any,
) -> Server:
    """Return a server on a socket that listens; `options` are further settings of waitress.

    `take_over` is given connections by which a stream is asked for.
    """
    settings_of = Adjustments(
        sockets=[listening],
        # Above our own, past which the longest goes: at this one nobody new would get in.
        connection_limit=2 * MOST_CONNECTIONS,
        cleanup_interval=1,
        inbuf_overflow=KEPT_IN_MEMORY,
        # select() knows no more than 1024 files.
        asyncore_use_poll=True,
        **options,
    )
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(settings_of.threads)
    at = (listening.family, listening.type, listening.proto, listening.getsockname())
    server = Server(
        application,
        {},
        True,
        listening,
        dispatcher=dispatcher,
        adj=settings_of,
        bind_socket=False,
        sockinfo=at,
    )
    server.take_over = take_over
    return server


def _close(channels: list[Channel]) -> None:
    for each in channels:
        if each.connected:
            each.handle_close()
