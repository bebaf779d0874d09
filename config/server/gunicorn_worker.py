"""gunicorn's threads, none of which waits for a sender; gunicorn.conf.py names it.

Its own threads read from the socket: as many half-sent requests as there are threads hold all of
them, and a connection that is not closed at the other end holds the loop for two seconds.
"""

import errno
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

from django.conf import settings
from gunicorn import http
from gunicorn.workers.gthread import TConn, ThreadWorker

from config.server.incoming_request import IncomingRequest, answer_seconds
from config.server.response_writer import ResponseWriter

READ_AT_ONCE = 64 * 1024
NOBODY_CAME = (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED)
NO_ROOM = (errno.EMFILE, errno.ENFILE)
GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
# How long what was answered last may take to reach the other end before the connection is cut.
LEAVE_SECONDS = 2.0
MOST_LEAVING = 100
MOST_DISCARDED = 1024 * 1024


class Connection(TConn):  # type: ignore[misc]
    """A connection, the request that comes by it, and since when its answer has not been read."""

    arrival: IncomingRequest
    unread_since: float
    goes_on = False  # to another request, after this answer
    discarded = 0

    def init(self) -> None:
        """Let the thread parse what has come, and never read the socket itself."""
        self.initialized = True
        self.parser = http.get_parser(self.cfg, self.arrival, self.client)


class Worker(ThreadWorker):  # type: ignore[misc]
    """Reads requests in its loop, gives a thread to each that is whole, and sends what is left."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Whoever comes when there is no room ends the oldest; nobody is refused a next request.
        self.max_keepalived = self.worker_connections
        # In the order in which they began to come, and to leave.
        self.arriving: dict[Connection, None] = {}
        self.answering: dict[Connection, None] = {}
        self.leaving: dict[Connection, float] = {}
        self.next_look = 0.0
        self.ends: float | None = None

    # --- what gunicorn calls, in its loop -------------------------------------------------------

    def accept(self, listener: socket.socket) -> None:
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in NO_ROOM:
                self._make_room()
            elif error.errno not in NOBODY_CAME:
                raise
            return
        # Before it is one of them: whoever has just come is not who goes.
        if self.nr_conns + 1 >= self.worker_connections:
            self._make_room()
        self.nr_conns += 1
        sock = ResponseWriter(client)
        self._receive(Connection(self.cfg, sock, address, listener.getsockname()))

    def on_client_socket_readable(self, conn: Connection, client: ResponseWriter) -> None:
        if conn not in self.keepalived_conns:
            return  # it had to make room for another of the same turn
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._receive(conn)

    def get_thread_pool(self) -> ThreadPoolExecutor:
        self.health_pool = ThreadPoolExecutor(1)
        pool: ThreadPoolExecutor = super().get_thread_pool()
        return pool

    def enqueue_req(self, conn: Connection) -> None:
        """Give /healthz a thread of its own: it is answered while all others are at work."""
        pool = self.health_pool if conn.arrival.asks_health else self.tpool
        done = pool.submit(self.handle, conn)
        done.add_done_callback(
            lambda each: self.method_queue.defer(self.finish_request, conn, each)
        )

    def finish_request(self, conn: Connection, done: Any) -> None:
        conn.arrival.close()
        conn.goes_on = not done.cancelled() and not done.exception() and bool(done.result())
        if conn.sock.left:
            conn.unread_since = time.monotonic()
            self.answering[conn] = None
            self.poller.register(conn.sock, EVENT_WRITE, partial(self._send, conn, done))
        else:
            self._answered(conn, done)

    def murder_pending(self) -> None:
        now = time.monotonic()
        if now < self.next_look:
            return
        self.next_look = now + min(1.0, settings.REQUEST_SECONDS / 4)
        for conn in [each for each in self.arriving if self._late(each, now)]:
            self._give_up(conn)
        since = now - answer_seconds(settings.REQUEST_SECONDS)
        for conn in [each for each in self.answering if each.unread_since < since]:
            self._stop_answering(conn)
        for conn in [each for each, until in self.leaving.items() if until < now]:
            self._cut(conn)

    # --- in a thread ----------------------------------------------------------------------------

    def _keepalive_after(self, conn: Connection, keepalive: bool) -> bool:
        return not conn.arrival.last and bool(super()._keepalive_after(conn, keepalive))

    # --- coming ---------------------------------------------------------------------------------

    def _receive(self, conn: Connection) -> None:
        conn.arrival = IncomingRequest(time.monotonic())
        self.arriving[conn] = None
        self.poller.register(conn.sock, EVENT_READ, partial(self._read, conn))

    def _read(self, conn: Connection, client: ResponseWriter) -> None:
        if conn not in self.arriving:
            return
        try:
            data = client.recv(READ_AT_ONCE)
            whole = bool(data) and conn.arrival.take(data)
            if conn.arrival.expects:
                conn.arrival.expects = False
                client.send(GO_ON)
        except BlockingIOError:
            return
        except OSError:
            data, whole = b"", False
        if whole:
            self._stop_reading(conn)
            conn.data_ready = True
            self.enqueue_req(conn)
        elif not data:
            self._drop(conn)

    def _late(self, conn: Connection, now: float) -> bool:
        if not self.alive:
            self.ends = self.ends or now + LEAVE_SECONDS
        stopped = self.ends is not None and now > self.ends
        return stopped or conn.arrival.late(now, settings.REQUEST_SECONDS)

    def _make_room(self) -> None:
        """Let go of a connection that waits for its next request, else of the one longest here."""
        if self.keepalived_conns:
            conn = self.keepalived_conns.popleft()
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            conn.close()
        elif self.arriving:
            self._drop(next(iter(self.arriving)))
        elif self.answering:
            self._stop_answering(next(iter(self.answering)))

    # --- answering ------------------------------------------------------------------------------

    def _send(self, conn: Connection, done: Any, _client: ResponseWriter) -> None:
        if conn not in self.answering:
            return
        try:
            if conn.sock.flush():
                conn.unread_since = time.monotonic()
        except OSError:
            self._stop_answering(conn)
            return
        if not conn.sock.left:
            del self.answering[conn]
            self.poller.unregister(conn.sock)
            self._answered(conn, done)

    def _answered(self, conn: Connection, done: Any) -> None:
        if conn.goes_on:
            super().finish_request(conn, done)
        else:
            self.nr_conns -= 1
            self._leave(conn)

    def _stop_answering(self, conn: Connection) -> None:
        del self.answering[conn]
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    # --- going ----------------------------------------------------------------------------------

    def _stop_reading(self, conn: Connection) -> None:
        del self.arriving[conn]
        self.poller.unregister(conn.sock)

    def _drop(self, conn: Connection) -> None:
        self._stop_reading(conn)
        self.nr_conns -= 1
        conn.arrival.close()
        conn.close()

    def _give_up(self, conn: Connection) -> None:
        if not conn.arrival.size:
            self._drop(conn)
            return
        self._stop_reading(conn)
        self.nr_conns -= 1
        conn.arrival.close()
        with suppress(OSError):
            conn.sock.send(TOO_LATE)
        self._leave(conn)

    def _leave(self, conn: Connection) -> None:
        """Close it when the other end has: at once, and unread bytes would cut the answer short."""
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            conn.close()
            return
        if len(self.leaving) >= MOST_LEAVING:
            self._cut(next(iter(self.leaving)))
        self.leaving[conn] = time.monotonic() + LEAVE_SECONDS
        self.poller.register(conn.sock, EVENT_READ, partial(self._discard, conn))

    def _discard(self, conn: Connection, client: ResponseWriter) -> None:
        if conn not in self.leaving:
            return
        try:
            size = len(client.recv(READ_AT_ONCE))
        except BlockingIOError:
            return
        except OSError:
            size = 0
        conn.discarded += size
        if not size or conn.discarded > MOST_DISCARDED:
            self._cut(conn)

    def _cut(self, conn: Connection) -> None:
        del self.leaving[conn]
        self.poller.unregister(conn.sock)
        conn.close()
