"""The connections of a process, and an end to those whose request doesn't arrive.

uvicorn has no deadline for headers and no limit that spares new connections. Both are kept here,
where connections are accepted: nothing of uvicorn is touched.
"""

import math
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings

# How long the headers of the first request may take.
HEADERS_SECONDS = 10.0
# How long a connection stays open between two requests, or while no byte of an answer is taken.
IDLE_SECONDS = 30.0
# Connections of one process that wait for their client. If there are more, the oldest is ended.
MOST_WAITING = 300


@dataclass(eq=False)
class Connection:
    """An accepted connection; `at_work` while a thread or a stream serves it."""

    socket: socket.socket
    deadline: float = math.inf
    at_work: bool = False
    ended: bool = False

    def is_open(self) -> bool:
        return not self.ended and self.socket.fileno() >= 0

    def end(self) -> None:
        """Let the loop read the end of the connection, which it then closes."""
        self.ended = True
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class Listener(socket.socket):
    """A listening socket that keeps the connections it has accepted, oldest first."""

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
        """Return the connection from this address, or one without effect if it is closed."""
        return self._connections.get(client) or Connection(self)

    def end_late(self) -> None:
        """End connections whose time is over, and forget those that are closed."""
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
    """Return until when a client may stay silent, or may take nothing of an answer."""
    return time.monotonic() + idle_seconds()


def idle_seconds() -> float:
    return min(IDLE_SECONDS, float(settings.REQUEST_SECONDS))
