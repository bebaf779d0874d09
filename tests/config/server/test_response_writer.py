"""What a socket does not take at once is kept in order, up to a bound."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from config.server.response_writer import MOST_KEPT, ResponseWriter

WORDS = [bytes([number]) * 50_000 for number in range(100)]


@pytest.fixture
def ends() -> Iterator[tuple[ResponseWriter, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.settimeout(10)
    kept = ResponseWriter(ours)
    with theirs:
        yield kept, theirs
        kept.close()


def read(reader: socket.socket, size: int) -> bytes:
    found = bytearray()
    while len(found) < size and (more := reader.recv(65536)):
        found += more
    return bytes(found)


def drain(reader: socket.socket) -> None:
    reader.setblocking(False)
    with suppress(BlockingIOError):
        while reader.recv(1_000_000):
            pass
    reader.setblocking(True)


def test_what_is_not_taken_is_left_and_comes_in_its_order(
    ends: tuple[ResponseWriter, socket.socket],
) -> None:
    kept, reader = ends
    for word in WORDS:
        kept.sendall(word)
    whole = b"".join(WORDS)
    assert 0 < kept.left < len(whole)
    found = b""
    while kept.left:
        found += reader.recv(1_000_000)
        kept.flush()
    assert found + read(reader, len(whole) - len(found)) == whole


def test_once_all_of_it_is_taken_it_begins_anew(ends: tuple[ResponseWriter, socket.socket]) -> None:
    kept, reader = ends
    for _ in range(2):
        kept.sendall(b"".join(WORDS))
        first = kept.left
        while kept.left:
            reader.recv(1_000_000)
            kept.flush()
        assert first
        drain(reader)


def test_above_the_bound_it_waits_for_its_reader(
    ends: tuple[ResponseWriter, socket.socket],
) -> None:
    kept, reader = ends
    size = MOST_KEPT + 4_000_000
    found: list[bytes] = []
    thread = threading.Thread(target=lambda: found.append(read(reader, size)))
    thread.start()
    kept.sendall(b"x" * size)
    assert kept.left <= MOST_KEPT
    while kept.left:
        kept.flush()
    thread.join(timeout=20)
    assert found == [b"x" * size]


def test_above_the_bound_a_reader_who_reads_nothing_is_given_up() -> None:
    ours, theirs = socket.socketpair()
    with theirs, closing(ResponseWriter(ours, patience=0.1)) as kept, pytest.raises(TimeoutError):
        kept.sendall(b"x" * (MOST_KEPT + 4_000_000))


def test_who_has_gone_is_an_error_as_ever(ends: tuple[ResponseWriter, socket.socket]) -> None:
    kept, reader = ends
    reader.close()
    with pytest.raises(OSError, match=r"pipe|reset"):
        kept.sendall(b"x")
