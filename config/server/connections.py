"""Tracks a process's connections, and closes connections whose requests don't arrive.

uvicorn has no header timeout and no connection limit that favors new connections. The listening
socket enforces both when it accepts connections, without changes to uvicorn.
"""

import math
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings

# Timeout for the headers of the first request.
HEADERS_SECONDS = 10.0
# How long a connection stays open between requests, or while the client is not reading the
# response.
IDLE_SECONDS = 30.0
# Maximum number of idle connections per process. Above it, the oldest connection is closed.
MOST_WAITING = 300


@dataclass(eq=False)
class Connection:
    """An accepted connection. `at_work` is true while a thread or stream is serving it."""

    socket: socket.socket
    deadline: float = math.inf
    at_work: bool = False
    ended: bool = False

    def is_open(self) -> bool:
        return not self.ended and self.socket.fileno() >= 0

    def end(self) -> None:
        """Shut down the socket. The event loop then detects the end and closes the connection."""
        self.ended = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class Listener(socket.socket):
    """A listening socket that tracks the connections it has accepted, oldest first."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(fileno=listening.detach())
        self._connections: dict[Any, Connection] = {}

    def accept(self) -> tuple[socket.socket, Any]:
        client, address = super().accept()
        if len(self._connections) >= MOST_WAITING:
            self._make_room()
        self._connections.pop(address[:2], None)
        deadline = time.monotonic() + min(HEADERS_SECONDS, settings.REQUEST_SECONDS)
        self._connections[address[:2]] = Connection(client, deadline)
        return client, address

    def connection(self, client: tuple[str, int] | None) -> Connection:
        """Return the connection from this client address, or a placeholder if it is closed."""
        return self._connections.get(client) or Connection(self)

    def end_late(self) -> None:
        """End connections that are past their deadline, and remove closed ones."""
        self._connections = {
            address: connection
            for address, connection in self._connections.items()
            if connection.is_open()
        }
        now = time.monotonic()
        for connection in self._connections.values():
            if connection.deadline < now:
                connection.end()

    def _make_room(self) -> None:
        waiting = [
            connection
            for connection in self._connections.values()
            if connection.is_open() and not connection.at_work
        ]
        if len(waiting) >= MOST_WAITING:
            waiting[0].end()


def idle_deadline() -> float:
    """Return the deadline by which a client must send or read something."""
    return time.monotonic() + idle_seconds()


def idle_seconds() -> float:
    return min(IDLE_SECONDS, float(settings.REQUEST_SECONDS))
