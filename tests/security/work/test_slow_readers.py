"""Clients that request large responses without reading them do not block others."""

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator

import pytest

from tests.helpers.security.busy import ECHO, EXPORT, EXPORT_PARTS, PART, THREADS
from tests.helpers.security.half_sent import ask, is_hung_up_on
from tests.helpers.security.servers import LARGE_BYTES, LARGE_FILE, SERVERS, Start

LARGE = f"/static/{LARGE_FILE}"


@contextlib.contextmanager
def unread(port: int, count: int) -> Iterator[list[socket.socket]]:
    """Send `count` requests without reading the responses."""
    with contextlib.ExitStack() as all_of_them:
        held = [all_of_them.enter_context(a_slow_reader(port)) for _ in range(count)]
        # By now, all requests have been sent, and the server has started as many as it can.
        time.sleep(0.5)
        yield held


def a_slow_reader(port: int) -> socket.socket:
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    reader.settimeout(10)
    reader.connect(("127.0.0.1", port))
    reader.sendall(f"GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return reader


@pytest.mark.parametrize("server", SERVERS)
def test_unread_responses_do_not_block_other_clients(server: str, start: Start) -> None:
    port = start(server, "60")
    with unread(port, 30):
        assert ask(port) == 200


def test_connection_with_an_unread_response_is_closed(start: Start) -> None:
    """The server stops sending, so only part of the response arrives."""
    port = start("one process", "1")
    with unread(port, 1) as [reader]:
        time.sleep(3.5)
        received = b""
        with contextlib.suppress(ConnectionError):
            while more := reader.recv(65536):
                received += more
        assert len(received) < LARGE_BYTES


def test_slowly_read_response_is_complete(start: Start) -> None:
    port = start("one process", "60")
    with unread(port, 1) as [reader]:
        received = b""
        while b"\r\n\r\n" not in received:
            received += reader.recv(100)
        head, _, body = received.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split()[0])
        assert length == LARGE_BYTES
        while len(body) < length:
            more = reader.recv(65536)
            assert more
            body += more
        # The connection stays open even though the client reads slowly.
        reader.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert reader.recv(65536).startswith(b"HTTP/1.1 200")
        assert is_hung_up_on(reader, within=20)


def test_response_larger_than_all_buffers_is_complete(start: Start) -> None:
    port = start("busy", "60")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", EXPORT)
        answer = connection.getresponse()
        time.sleep(1)  # by now, the thread has written as much as the buffer allows
        size = 0
        while piece := answer.read(1_000_000):
            assert piece == b"x" * len(piece)
            size += len(piece)
    assert size == EXPORT_PARTS * len(PART)


def test_thread_is_freed_when_its_client_disconnects(start: Start) -> None:
    """The response exceeds the buffer, so each thread waits for its reader."""
    port = start("busy", "60")
    with contextlib.ExitStack() as readers:
        for _ in range(THREADS):
            reader = readers.enter_context(socket.create_connection(("127.0.0.1", port)))
            reader.sendall(f"GET {EXPORT} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(1)
        with pytest.raises(TimeoutError):
            ask(port, ECHO, within=1)
    assert ask(port, ECHO) == 200


def test_thread_is_freed_when_its_client_times_out(start: Start) -> None:
    port = start("busy", "1")
    with contextlib.ExitStack() as readers:
        for _ in range(THREADS):
            reader = readers.enter_context(socket.create_connection(("127.0.0.1", port)))
            reader.sendall(f"GET {EXPORT} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.5)
        assert ask(port, ECHO) == 200
