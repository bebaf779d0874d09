"""Clients that send part of a request, or a byte now and then, do not block others.

The servers run as processes. An ordinary request gets a response within seconds while hundreds of
incomplete ones are open, long before their deadline.
"""

import contextlib
import http.client
import json
import socket
import time
from typing import Any

import pytest

from config.server.connections import MOST_WAITING
from config.server.web_server import LONGEST_HEADERS
from config.server.wsgi_adapter import LARGEST_READ
from config.web.middleware import LARGEST_BODY
from tests.helpers.security.busy import ECHO
from tests.helpers.security.half_sent import (
    HEADERS,
    KINDS,
    Kind,
    ask,
    half_sent,
    is_hung_up_on,
)
from tests.helpers.security.servers import SERVERS, Start

POST_ECHO = f"POST {ECHO} HTTP/1.1\r\nHost: localhost\r\n".encode()
IMPORT = "/leagues/0f9c7bbf-2d9e-4b9e-9f0a-4d1c6f4d2f0a/import"
STREAM = b"GET /api/v1/leagues/3b1f8a52-6c0d-4f0e-9c2a-7d5e1b904c11/stream"


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.scheduled)])
def test_incomplete_requests_do_not_block_others(
    server: str, kind: str, count: int, start: Start
) -> None:
    port = start(server, "60")
    with half_sent(port, KINDS[kind], count):
        assert [ask(port), ask(port, "/sign-in", body=b"whole")] == [200, 403]


@pytest.mark.parametrize("kind", ["silent", "half the headers", "half the body"])
def test_oldest_connection_is_closed_when_too_many_are_open(kind: str, start: Start) -> None:
    port = start("one process", "60")
    with half_sent(port, KINDS[kind], MOST_WAITING + 50) as held:
        assert ask(port) == 200
        assert is_hung_up_on(held[0], within=20)
        assert not is_hung_up_on(held[-1], within=0.2)


def test_idle_connections_are_closed_to_make_room_for_new_ones(start: Start) -> None:
    """Each connection gets a response before the next one opens, and the client keeps it open."""
    port = start("one process", "60")
    with contextlib.ExitStack() as open_ones:
        staying = []
        for _ in range(MOST_WAITING + 50):
            phone = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            staying.append(open_ones.enter_context(contextlib.closing(phone)))
            phone.connect()
            phone.auto_open = 0  # raise an error if the response requires a second connection
            assert ask_again(phone) == 200
        assert [ask_again(phone) for phone in staying[-20:]] == [200] * 20
        assert ask(port) == 200


def ask_again(phone: http.client.HTTPConnection) -> int:
    phone.request("GET", "/healthz")
    answer = phone.getresponse()
    answer.read()
    return answer.status


def test_request_without_its_body_times_out(start: Start) -> None:
    port = start("one process", "1")
    with contextlib.ExitStack() as begun:
        held = [begun.enter_context(half_sent(port, kind, 3)) for kind in KINDS.values()]
        assert all(is_hung_up_on(each, within=20) for some in held for each in some)


def test_slow_chunked_body_within_the_deadline_is_accepted(start: Start) -> None:
    """The body is sent slowly after `100 Continue`, then a second one over the same connection."""
    port = start("one process", "60")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as phone:
        for size in (50_000, 200_000):
            body = b"x" * size
            phone.sendall(HEADERS + f"Content-Length: {len(body)}\r\n".encode())
            phone.sendall(b"Expect: 100-continue\r\n\r\n")
            assert phone.recv(4096).startswith(b"HTTP/1.1 100 Continue")
            for place in range(0, size, 20_000):
                phone.sendall(body[place : place + 20_000])
                time.sleep(0.01)
            received = b""
            while b"</html>" not in received:
                received += phone.recv(65536)
            assert b" 403 Forbidden" in received


def test_endless_chunked_body_is_aborted(start: Start) -> None:
    """The client sends one chunk after another while the server accepts them."""
    port = start("one process", "60")
    piece = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
        sender.sendall(HEADERS + b"Transfer-Encoding: chunked\r\n\r\n")
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 2 * LARGEST_READ:
                sender.sendall(piece)
                sent += len(piece)
        assert sent < 2 * LARGEST_READ
    assert ask(port) == 200


def test_client_that_keeps_its_connection_open_does_not_block_others(start: Start) -> None:
    """The server closes its end of each connection, but the clients leave theirs open."""
    port = start("one process", "60")
    farewell = Kind(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    with half_sent(port, farewell, 10) as held:
        for connection in held:
            connection.settimeout(20)
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        assert ask(port) == 200


def test_oversized_body_is_refused_immediately(start: Start) -> None:
    port = start("one process", "60")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
        sender.sendall(HEADERS + f"Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode())
        assert sender.recv(4096).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("path", ["/sign-in", "/api/v1/nights"])
def test_client_that_sends_too_much_receives_the_reason(path: str, start: Start) -> None:
    """The client sends everything before reading, and a reset would discard the response."""
    port = start("one process", "60")
    assert ask(port, path, body=b"x" * (LARGEST_BODY + 1_000_000)) == 413


def test_import_files_have_a_separate_limit(start: Start) -> None:
    """Import files also have a longer deadline: sending 20 MB from a phone takes minutes."""
    port = start("one process", "1")
    head = f"POST {IMPORT} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGEST_BODY + 1}"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
        sender.sendall(f"{head}\r\n\r\n".encode())
        assert not is_hung_up_on(sender, within=2.5)
        assert is_hung_up_on(sender, within=20)


def test_endless_headers_are_refused(start: Start) -> None:
    port = start("one process", "60")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
        sender.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        with contextlib.suppress(ConnectionError):
            sender.sendall(b"x" * (LONGEST_HEADERS + 100_000))
        assert is_hung_up_on(sender, within=20)


@pytest.mark.parametrize("at_once", [3, 70, 10_000])
def test_request_is_processed_when_its_last_byte_arrives(at_once: int, start: Start) -> None:
    port = start("busy", "60")
    sent = POST_ECHO + b"Content-Length: 14\r\n\r\nsome and a bit"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
        for place in range(0, len(sent), at_once):
            sender.sendall(sent[place : place + at_once])
            time.sleep(0.001)
        echo = answered(sender)
    assert (echo["size"], echo["tail"]) == (14, "and a bit")


def test_body_chunks_are_joined(start: Start) -> None:
    """Django ignores a body without a length, so the server sets the length."""
    port = start("busy", "60")
    head = POST_ECHO + b"Transfer-Encoding: chunked\r\n\r\n"
    pieces = b"5\r\nsome \r\n9\r\nand a bit\r\n0\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
        sender.sendall(head + pieces)
        echo = answered(sender)
    assert (echo["size"], echo["tail"], echo["CONTENT_LENGTH"]) == (14, "and a bit", "14")
    assert "HTTP_TRANSFER_ENCODING" not in echo


def test_pipelined_requests_receive_responses_in_order(start: Start) -> None:
    port = start("busy", "60")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
        for size in (b"7", b"8"):
            sender.sendall(POST_ECHO + b"Content-Length: " + size + b"\r\n\r\n" + b"x" * int(size))
        assert answered(sender)["size"] == 7
        assert answered(sender)["size"] == 8


def answered(client: socket.socket) -> dict[str, Any]:
    """Return the JSON in the next response, whose only closing brace is at its end."""
    received = b""
    while b"}" not in received:
        more = client.recv(1)
        assert more, received
        received += more
    if b"chunked" in received:
        client.recv(7)  # the end of this chunk, and the final chunk
    return dict(json.loads(received[received.index(b"{") :]))


def test_slow_stream_request_times_out(start: Start) -> None:
    for server in ("streams", "one process"):
        port = start(server, "1")
        for begun in (b"", b"GET /api/v1/leagues/", STREAM + b" HTTP/1.1\r\nHost: localhost\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as slow:
                slow.sendall(begun)
                assert is_hung_up_on(slow, within=20)


def test_incomplete_requests_do_not_block_streams(start: Start) -> None:
    port = start("streams", "60")
    with contextlib.ExitStack() as begun:
        for _ in range(2 * MOST_WAITING + 20):
            slow = socket.create_connection(("127.0.0.1", port), timeout=20)
            begun.enter_context(contextlib.closing(slow)).sendall(STREAM)
        assert ask(port) == 200


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_request_with_two_content_lengths_is_refused(version: bytes, start: Start) -> None:
    """RFC 9112, 6.1 and 11.2: a proxy that uses the other length allows request smuggling."""
    port = start("one process", "60")
    head = b"POST /sign-in HTTP/" + version + b"\r\nHost: localhost\r\nContent-Length: 5\r\n"
    for rest, status in (
        (b"\r\n12345", b" 403 "),
        (b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b" 400 "),
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as sender:
            sender.sendall(head + rest)
            assert status in sender.recv(4096).splitlines()[0]
            assert status == b" 403 " or is_hung_up_on(sender, within=20)
