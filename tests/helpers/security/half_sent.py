"""Many incomplete requests at the same time, and ordinary requests among them."""

import contextlib
import http.client
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass

HEADERS = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
BODY = HEADERS + b"Content-Length: 1000\r\n\r\nsome"
PIECES = HEADERS + b"Transfer-Encoding: chunked\r\n\r\n5\r\nso"


@dataclass(frozen=True)
class Kind:
    """How requests are incomplete: the bytes sent first, and the bytes sent repeatedly later."""

    begun: bytes
    drip: bytes = b""


KINDS = {
    "silent": Kind(b""),
    "half the headers": Kind(HEADERS),
    "headers, a byte now and then": Kind(HEADERS, b"X"),
    "half the body": Kind(BODY),
    "the body, a byte now and then": Kind(BODY, b"x"),
    "a body in pieces": Kind(PIECES, b"x"),
}


@contextlib.contextmanager
def half_sent(port: int, kind: Kind, count: int) -> Iterator[list[socket.socket]]:
    """Keep `count` such connections open inside the block, each sending a few bytes at a time."""
    ended = threading.Event()
    with contextlib.ExitStack() as all_of_them:
        sockets = []
        for _ in range(count):
            held = socket.create_connection(("127.0.0.1", port), timeout=20)
            all_of_them.enter_context(held)
            held.sendall(kind.begun)
            sockets.append(held)

        def drip() -> None:
            while kind.drip and not ended.wait(0.1):
                for held in sockets:
                    # the server has already closed the connection
                    with contextlib.suppress(OSError):
                        held.send(kind.drip)

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            yield sockets
        finally:
            ended.set()
            thread.join()


def ask(port: int, path: str = "/healthz", *, body: bytes | None = None, within: float = 20) -> int:
    """Send an ordinary request. Return the status code."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=within)
    with contextlib.closing(connection):
        connection.request("POST" if body is not None else "GET", path, body)
        answer = connection.getresponse()
        answer.read()
        return answer.status


def is_hung_up_on(held: socket.socket, *, within: float) -> bool:
    """Return whether the server closes the connection, after any response."""
    held.settimeout(within)
    with contextlib.suppress(ConnectionError):
        try:
            while held.recv(4096):
                pass
        except TimeoutError:
            return False
    return True
