"""/healthz responds while all threads of a server are busy, so a busy process is not killed."""

import contextlib
import socket
import time

import pytest

from tests.helpers.security.busy import BUSY, BUSY_SECONDS, THREADS
from tests.helpers.security.half_sent import ask
from tests.helpers.security.servers import Start


def test_healthz_responds_while_all_threads_are_busy(start: Start) -> None:
    port = start("busy", "60")
    with contextlib.ExitStack() as held:
        for _ in range(2 * THREADS):
            client = held.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(f"GET {BUSY} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.5)
        assert ask(port, "/healthz", within=BUSY_SECONDS / 2) == 200
        with pytest.raises(TimeoutError):  # all threads are busy now
            ask(port, "/sign-in", within=1)
