"""What is on its way out: a thread that has answered is done, however slowly it is read."""

import socket
from select import POLLOUT, poll
from typing import IO, Any

from config.server.incoming_request import ANSWER_SECONDS, spool

# Above this a thread waits for its reader after all: a feed of a million hands fills no disk.
MOST_KEPT = 16 * 1024 * 1024
SENT_AT_ONCE = 256 * 1024


class ResponseWriter:
    """A socket that takes all that it is given; what its other end does not take yet is `left`.

    One thread at a time writes to it, and then the loop, by `flush`.
    """

    def __init__(self, client: socket.socket, patience: float = ANSWER_SECONDS) -> None:
        self._client = client
        self._patience = patience
        self._kept: IO[bytes] | None = None
        self._sent = self.left = 0
        client.setblocking(False)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def setblocking(self, _blocks: bool) -> None:
        """Stay as it is: gunicorn would let it block before each request."""

    def sendall(self, data: bytes) -> None:
        """Send what is taken at once, and keep the rest. Raises OSError as a socket does."""
        self.flush()
        sent = 0 if self.left else self._send(data)
        if sent < len(data):
            self._keep(data[sent:])
        while self.left > MOST_KEPT:
            self._wait()
            self.flush()

    def flush(self) -> int:
        """Send what is taken of what is left; return how much it was."""
        began = self._sent
        while self._kept and self.left:
            self._kept.seek(self._sent)
            sent = self._send(self._kept.read(SENT_AT_ONCE))
            if not sent:
                break
            self._sent += sent
            self.left -= sent
        flushed = self._sent - began
        if not self.left:
            self._forget()
        return flushed

    def close(self) -> None:
        self._forget()
        self._client.close()

    def _wait(self) -> None:
        """Wait until some of it is read. Raises TimeoutError where nobody does."""
        reader = poll()
        reader.register(self._client, POLLOUT)
        if not reader.poll(self._patience * 1000):
            raise TimeoutError("nobody reads the answer")

    def _send(self, data: bytes) -> int:
        try:
            return self._client.send(data)
        except BlockingIOError:
            return 0

    def _keep(self, data: bytes) -> None:
        self._kept = self._kept or spool()
        self._kept.seek(0, 2)
        self._kept.write(data)
        self.left += len(data)

    def _forget(self) -> None:
        if self._kept:
            self._kept.close()
        self._kept, self._sent, self.left = None, 0, 0
