"""A request on its way in: how much of it has come, how much will, and how long it may take.

No thread is given to a request before all of it is there: whoever sends half of one, or a byte now
and then, holds a connection and nothing else.
"""

import re
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile

from config.web.request_limits import is_import, largest_body

# What has come of the headers by now, of whoever means to send them at all.
HEADERS_SECONDS = 10.0
# A connection by which nothing comes or goes.
IDLE_SECONDS = 30.0
# Nobody reads on: the answer is given up.
ANSWER_SECONDS = 30.0
# Of one process. Where there are more, the one that has been coming longest goes.
MOST_CONNECTIONS = 300
# Longer than any that a browser or our phones send; the server's own parser refuses less.
LONGEST_HEADERS = 64 * 1024
# A file to import may take longer than other requests by this factor.
IMPORT_PATIENCE = 5
# What is larger lies on the disk meanwhile.
KEPT_IN_MEMORY = 64 * 1024

# Answered by a thread of its own: whoever starts and stops processes asks it.
HEALTH = "/healthz"
ASKS_HEALTH = re.compile(rb"(?:GET|HEAD) /healthz[? ]")
END_OF_HEADERS = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,12})[ \t]*\r\n", re.IGNORECASE)
CODED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


def spool() -> "SpooledTemporaryFile[bytes]":
    """Return what keeps bytes in memory, or on the disk where they are many."""
    return SpooledTemporaryFile(KEPT_IN_MEMORY)


def headers_seconds(request_seconds: float) -> float:
    """Return how long the headers of a request may take, of what all of it may."""
    return min(HEADERS_SECONDS, request_seconds)


def answer_seconds(request_seconds: float) -> float:
    """Return after how long without a byte being read an answer is given up."""
    return min(ANSWER_SECONDS, request_seconds)


@dataclass(eq=False)
class IncomingRequest:
    """One request as far as it has come; `began` is when, on the clock of whoever asks.

    Read it by `recv` once it is whole: after its last byte nothing comes, as from a socket whose
    other end is done. So no reader ever waits.
    """

    began: float
    last: bool = False  # nothing can follow on this connection
    expects: bool = False  # the sender waits for a word before the body
    asks_health: bool = False
    size: int = 0
    _patience: int = 1
    _whole: int | None = None  # bytes of all of it, once the headers are there
    _head: bytearray = field(default_factory=bytearray)
    _kept: "SpooledTemporaryFile[bytes]" = field(default_factory=spool)

    def take(self, data: bytes) -> bool:
        """Keep what has come, in order; tell whether that is all of the request."""
        self._kept.write(data)
        self.size += len(data)
        if self._whole is None:
            self._read_head(data)
        whole = self._whole is not None and self.size >= self._whole
        if whole:
            # Bytes of a next one were not asked for: whoever sends them asks again.
            self.last = self.last or self.size != self._whole
            self._kept.seek(0)
        return whole

    def late(self, now: float, request_seconds: float) -> bool:
        """Tell whether it has had its time: less for the headers than for all of it."""
        heads = self._whole is None
        allowed = headers_seconds(request_seconds) if heads else request_seconds * self._patience
        return now - self.began > allowed

    def recv(self, most: int) -> bytes:
        """Return the next bytes, as a socket would."""
        return self._kept.read(most)

    def close(self) -> None:
        self._kept.close()

    def _read_head(self, data: bytes) -> None:
        seen = max(0, len(self._head) - len(END_OF_HEADERS) + 1)
        self._head += data
        ends = self._head.find(END_OF_HEADERS, seen)
        if ends >= 0:
            self._expect(bytes(self._head[: ends + len(END_OF_HEADERS)]))
        elif self.size > LONGEST_HEADERS:
            self.last, self._whole = True, 0  # the parser says what is wrong with it

    def _expect(self, head: bytes) -> None:
        """Learn from the headers how long the body is.

        One without a length is not waited for, nor one past every bound: the first is empty to the
        service, the second is refused unread (`config.web.request_limits`). After either, the
        connection ends.
        """
        self.asks_health = bool(ASKS_HEALTH.match(head))
        found = LENGTH.search(head)
        length = int(found[1]) if found else 0
        target = head.partition(b" ")[2].partition(b" ")[0].partition(b"?")[0]
        path = target.decode("latin-1")
        self._patience = IMPORT_PATIENCE if is_import(path) else 1
        self.last = bool(CODED.search(head)) or length > largest_body(path)
        self._whole = len(head) + (0 if self.last else length)
        self.expects = bool(EXPECTS.search(head)) and self.size < self._whole
        self._head.clear()
