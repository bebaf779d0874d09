"""Whoever sends half a request, or a byte now and then, holds nobody up.

Against the servers themselves, each a process of its own: an honest request is answered within
seconds while hundreds of half-sent ones are open, where the deadline for those is far away.
"""

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator

import pytest
from waitress.adjustments import Adjustments

from config.server.embedded_service import LARGEST_READ
from config.server.incoming_request import LONGEST_HEADERS, MOST_CONNECTIONS, IncomingRequest
from config.server.stream_server import MOST_CONNECTIONS as MOST_STREAMING
from config.server.waitress_server import RequestParser
from config.web.request_limits import LARGEST_BODY
from tests.helpers.security.half_sent import (
    BODY,
    HEADERS,
    KINDS,
    Kind,
    ask,
    half_sent,
    is_hung_up_on,
)
from tests.helpers.security.servers import SERVERS, Start

STREAM = b"GET /api/v1/leagues/3b1f8a52-6c0d-4f0e-9c2a-7d5e1b904c11/stream"


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.scheduled)])
def test_half_sent_requests_hold_up_nobody(
    server: str, kind: str, count: int, start: Start
) -> None:
    port = start(server, "60")
    with half_sent(port, KINDS[kind], count):
        assert [ask(port), ask(port, "/sign-in", body=b"whole")] == [200, 403]


@pytest.mark.parametrize("server", SERVERS)
def test_with_more_than_there_is_room_for_the_longest_here_goes(server: str, start: Start) -> None:
    port = start(server, "60")
    with half_sent(port, KINDS["half the body"], MOST_CONNECTIONS + 50) as held:
        assert ask(port) == 200
        assert is_hung_up_on(held[0], within=20)
        assert not is_hung_up_on(held[-1], within=0.2)


@pytest.mark.parametrize("server", SERVERS)
def test_there_is_room_for_all_who_come_one_after_the_other_and_stay(
    server: str, start: Start
) -> None:
    """Each has been answered before the next one comes, and keeps its connection for more."""
    port = start(server, "60")
    with contextlib.ExitStack() as open_ones:
        staying = []
        for _ in range(MOST_CONNECTIONS + 50):
            phone = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            staying.append(open_ones.enter_context(contextlib.closing(phone)))
            phone.connect()
            phone.auto_open = 0  # it must be this connection that is answered
            assert ask_again(phone) == 200
        assert [ask_again(phone) for phone in staying[-20:]] == [200] * 20
        assert ask(port) == 200


def ask_again(phone: http.client.HTTPConnection) -> int:
    phone.request("GET", "/healthz")
    answer = phone.getresponse()
    answer.read()
    return answer.status


@pytest.mark.parametrize("server", SERVERS)
def test_what_never_comes_is_given_up(server: str, start: Start) -> None:
    port = start(server, "1")
    with contextlib.ExitStack() as begun:
        held = [begun.enter_context(half_sent(port, kind, 3)) for kind in KINDS.values()]
        assert all(is_hung_up_on(each, within=20) for some in held for each in some)


@pytest.mark.parametrize("server", SERVERS)
def test_what_comes_in_pieces_but_in_time_is_answered(server: str, start: Start) -> None:
    """Slowly, with a word before the body, and a second one by the same connection."""
    port = start(server, "60")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as phone:
        for size in (50_000, 200_000):
            body = b"x" * size
            phone.sendall(HEADERS + f"Content-Length: {len(body)}\r\n".encode())
            phone.sendall(b"Expect: 100-continue\r\n\r\n")
            assert phone.recv(4096).startswith(b"HTTP/1.1 100 Continue")
            for place in range(0, size, 20_000):
                phone.sendall(body[place : place + 20_000])
                time.sleep(0.01)
            said = b""
            while b"</html>" not in said:
                said += phone.recv(65536)
            assert b" 403 Forbidden" in said


@pytest.mark.parametrize("server", SERVERS)
def test_a_body_in_pieces_without_an_end_is_bounded(server: str, start: Start) -> None:
    """One piece after the other, for as long as anybody takes them."""
    port = start(server, "60")
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


@pytest.mark.parametrize("server", SERVERS)
def test_whoever_does_not_hang_up_holds_up_nobody(server: str, start: Start) -> None:
    """Those who were told that the connection ends, and leave their end open."""
    port = start(server, "60")
    farewell = Kind(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    with half_sent(port, farewell, 10) as held:
        for each in held:
            each.settimeout(20)
            assert each.recv(4096).startswith(b"HTTP/1.1 200")
        assert ask(port) == 200


@pytest.fixture
def arrival() -> Iterator[IncomingRequest]:
    with contextlib.closing(IncomingRequest(began=100)) as begun:
        yield begun


def test_a_body_past_every_bound_is_not_waited_for(arrival: IncomingRequest) -> None:
    head = HEADERS + f"Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode()
    assert arrival.take(head)
    assert arrival.last
    assert (arrival.recv(10_000), arrival.recv(10_000)) == (head, b"")


def test_files_to_import_are_waited_for_up_to_their_own_bound(arrival: IncomingRequest) -> None:
    """And longer: twenty megabytes from a phone take minutes."""
    path = b"POST /leagues/0f9c7bbf-2d9e-4b9e-9f0a-4d1c6f4d2f0a/import HTTP/1.1\r\n"
    head = path + f"Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode()
    assert not arrival.take(head)
    assert not arrival.last
    assert not arrival.late(100 + 4 * 60, 60)
    assert arrival.late(100 + 6 * 60, 60)


def test_a_body_without_a_length_is_empty_and_ends_the_connection(arrival: IncomingRequest) -> None:
    assert arrival.take(HEADERS + b"Transfer-Encoding: chunked\r\n\r\n")
    assert arrival.last


def test_headers_without_an_end_are_left_to_the_parser(arrival: IncomingRequest) -> None:
    taken = [arrival.take(b"x" * 1024) for _ in range(LONGEST_HEADERS // 1024 + 1)]
    assert taken == [False] * (len(taken) - 1) + [True]
    assert arrival.last


@pytest.mark.parametrize("at_once", [1, 3, 7, 10_000])
def test_a_request_is_whole_with_its_last_byte(at_once: int, arrival: IncomingRequest) -> None:
    sent = BODY + b"x" * 996
    pieces = [sent[place : place + at_once] for place in range(0, len(sent), at_once)]
    assert [arrival.take(each) for each in pieces] == [False] * (len(pieces) - 1) + [True]
    assert not arrival.last
    assert arrival.recv(len(sent) + 1) == sent


def test_what_follows_at_once_is_not_taken_for_a_body(arrival: IncomingRequest) -> None:
    assert arrival.take(BODY + b"x" * 996 + b"GET / HTTP/1.1\r\n")
    assert arrival.last


def test_headers_have_less_time_than_all_of_it(arrival: IncomingRequest) -> None:
    arrival.take(HEADERS)
    assert [arrival.late(now, 60) for now in (109, 111)] == [False, True]
    arrival.take(b"Content-Length: 5\r\n\r\n")
    assert [arrival.late(now, 60) for now in (111, 159, 161)] == [False, False, True]


def test_who_asks_for_a_stream_slowly_is_given_up(start: Start) -> None:
    """By what only streams, and by a web server that waits for the rest of the first line."""
    for server in ("streams", "waitress"):
        port = start(server, "1")
        for begun in (b"", b"GET /api/v1/leagues/", STREAM + b" HTTP/1.1\r\nHost: localhost\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as slow:
                slow.sendall(begun)
                assert is_hung_up_on(slow, within=20)


def test_half_sent_requests_keep_nobody_from_a_stream(start: Start) -> None:
    port = start("streams", "60")
    with contextlib.ExitStack() as begun:
        for _ in range(MOST_STREAMING + 20):
            slow = socket.create_connection(("127.0.0.1", port), timeout=20)
            begun.enter_context(contextlib.closing(slow)).sendall(STREAM)
        assert ask(port) == 200


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_request_with_two_lengths_is_refused(version: bytes) -> None:
    """RFC 9112, 6.1 and 11.2: a proxy that reads the other length would smuggle a request."""
    head = b"POST / HTTP/" + version + b"\r\nHost: localhost\r\nContent-Length: 5\r\n"
    for rest, refused in ((b"\r\n", False), (b"Transfer-Encoding: chunked\r\n\r\n", True)):
        parser = RequestParser(Adjustments())
        parser.received(head + rest)
        assert bool(parser.error) is refused
