"""waitress, which reads requests in its loop already, with an end to those that never come."""

import time
from collections.abc import Iterable
from functools import partial
from socket import socket
from typing import Any

from django.conf import settings
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from config.server.incoming_request import (
    IDLE_SECONDS,
    KEPT_IN_MEMORY,
    MOST_CONNECTIONS,
    answer_seconds,
    headers_seconds,
)


class Channel(HTTPChannel):
    """A connection that knows since when its request has been coming."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.began = time.time()
        super().__init__(*args, **options)

    def received(self, data: bytes) -> bool:
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
        if self.request is None:
            return bool(now - self.last_activity > min(IDLE_SECONDS, allowed))
        heads = not self.request.headers_finished
        return now - self.began > (headers_seconds(allowed) if heads else allowed)


class Server(TcpWSGIServer):
    """Hangs up on whoever takes too long, and on the longest here where there are too many."""

    channel_class = Channel

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


def create_server(application: Any, listening: socket, **options: Any) -> Server:
    """Return a server on a socket that listens; `options` are further settings of waitress."""
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
    return Server(
        application,
        {},
        True,
        listening,
        dispatcher=dispatcher,
        adj=settings_of,
        bind_socket=False,
        sockinfo=at,
    )


def _close(channels: list[Channel]) -> None:
    for each in channels:
        if each.connected:
            each.handle_close()
