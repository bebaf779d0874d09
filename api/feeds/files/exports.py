"""Whole feeds as files: kept while they are read, and sent in the parts that a client requests."""

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from http import HTTPStatus
from itertools import chain
from tempfile import TemporaryFile
from threading import BoundedSemaphore, Lock
from typing import IO, Any, ClassVar
from weakref import finalize

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from api.feeds import replica
from api.feeds.files import parquet
from api.feeds.formats import Form
from api.feeds.row_feed import Page, walk
from api.feeds.views import Rows
from api.http.errors import problem_response
from api.http.problems import BUSY, NO_SUCH_RANGE, NOT_INSTALLED
from league.models import League

# One part, whose places are within what a file can be; of several at once all is sent, as it may.
RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{1,18})?|-([0-9]{1,18}))")
CHUNK = 64 * 1024

Read = Callable[[int, int], bytes]  # at most so many bytes, from a place on


def wants_a_part(request: Request, tag: str) -> bool:
    """Tell whether a part of what has this ETag is asked for."""
    asked = RANGE.fullmatch(request.headers.get("Range", ""))
    return asked is not None and request.headers.get("If-Range", tag) == tag


def in_parts(request: Request, tag: str, length: int, read: Read, media_type: str) -> Any:
    """Return all of it, or the part that is asked for: 206, and 416 where there is none.

    It is sent as it is: a part of what is compressed is no part of what is meant.
    """
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    first, last, whole = 0, length - 1, not wants_a_part(request, tag)
    if not whole:
        first, last = _part(request.headers["Range"], length)
        if first >= length or first > last:
            refusal = problem_response(NO_SUCH_RANGE, f"There are {length} bytes.")
            refusal.headers["Content-Range"] = f"bytes */{length}"
            return refusal
    answer: HttpResponseBase = StreamingHttpResponse(
        _chunks(first, last, read), content_type=media_type
    )
    answer.headers["Content-Length"] = str(last - first + 1)
    answer.headers["Accept-Ranges"] = "bytes"
    if not whole:
        answer.status_code = 206
        answer.headers["Content-Range"] = f"bytes {first}-{last}/{length}"
    return answer


def _part(text: str, length: int) -> tuple[int, int]:
    """Return the first and the last byte of the part that is told like this."""
    found = RANGE.fullmatch(text)
    start, end, from_end = found.groups() if found else (None, None, None)
    if start is None:
        return max(0, length - int(from_end or 0)), length - 1
    return int(start), min(int(end) if end else length - 1, length - 1)


def _chunks(first: int, last: int, read: Read) -> Iterator[bytes]:
    while first <= last:
        chunk = read(first, min(CHUNK, last - first + 1))
        yield chunk
        first += len(chunk)


MOST_FILES = 64
MOST_BYTES = 64 * 2**20
AT_ONCE = 2  # so many are made at the same time, however many ask

Write = Callable[[IO[bytes]], object]


class KeptFile:
    """A file that is there as long as somebody holds it."""

    def __init__(self, write: Write) -> None:
        self.file = TemporaryFile()  # noqa: SIM115 (closed with the last who holds it)
        finalize(self, self.file.close)
        write(self.file)
        self.file.flush()
        self.length = os.fstat(self.file.fileno()).st_size

    def read(self, start: int, most: int) -> bytes:
        """Return at most so many bytes from there on; several threads may read at once."""
        return os.pread(self.file.fileno(), most, start)


class KeptFiles:
    """The latest files, by their ETags: so many and so large at most."""

    def __init__(self) -> None:
        self.files: OrderedDict[str, KeptFile] = OrderedDict()
        self.lock = Lock()
        self.making = BoundedSemaphore(AT_ONCE)

    def find(self, tag: str) -> KeptFile | None:
        with self.lock:
            if tag in self.files:
                self.files.move_to_end(tag)
            return self.files.get(tag)

    def make(self, write: Write) -> KeptFile:
        """Return a new file, once it is this one's turn."""
        with self.making:
            return KeptFile(write)

    def keep(self, tag: str, made: KeptFile) -> None:
        with self.lock:
            self.files[tag] = made
            while len(self.files) > MOST_FILES or self._bytes() > MOST_BYTES:
                self.files.popitem(last=False)

    def _bytes(self) -> int:
        return sum(each.length for each in self.files.values())


MOST_HELD = 2**20  # characters of an export whose length is told
TRIES = 5  # to make a file while nothing moves
MOVES_ON = "The league's data moved on each time while the file was written: ask again."
FILES = KeptFiles()


class WholeRows(Rows):
    """All rows of a feed, as a file."""

    is_paged = False
    ending: ClassVar[str]

    def answer(self, league: League) -> Any:
        answer = self.file()
        if answer.status_code < HTTPStatus.BAD_REQUEST:
            name = f"{self.feed.name}.{self.ending}"
            answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def file(self) -> Any:
        """Return the answer with the rows, or a refusal."""
        raise NotImplementedError

    def newest_tag(self) -> str:
        """Return the ETag of now: parts of one file must say the same rows."""
        return self.tag_of(self.find(**self.kwargs)[1])

    def pages(self) -> Iterator[Page]:
        return replica.staying(walk(self.feed, self.query, self.after))


class TextRows(WholeRows):
    """Rows as text, written as they are read.

    What is small enough to be held is written before it is sent: its length is known then, as
    readers want that ask for a part of it. A longer one is sent while it is written.
    """

    form: ClassVar[Form]

    def file(self) -> Any:
        media_type = f"{self.form.media_type}; charset=utf-8"
        texts = self.form.write(self.query.columns, self.pages())
        beginning, is_all = _beginning(texts)
        if not is_all:
            texts = chain(_leaving(beginning), texts)
            texts = texts if self.request.method == "GET" else iter(())
            return StreamingHttpResponse(texts, content_type=media_type)
        body = "".join(beginning).encode()
        if wants_a_part(self.request, self.tag) and self.newest_tag() == self.tag:
            read = lambda start, most: body[start : start + most]  # noqa: E731
            return in_parts(self.request, self.tag, len(body), read, media_type)
        answer = HttpResponse(body, content_type=media_type)
        answer.headers["Accept-Ranges"] = "bytes"
        answer.headers["Content-Length"] = str(len(body))
        return answer


def _beginning(texts: Iterator[str]) -> tuple[list[str], bool]:
    """Return the first texts, as many as may be held, and whether these are all."""
    kept, length = [], 0
    for text in texts:
        kept.append(text)
        length += len(text)
        if length > MOST_HELD:
            return kept, False
    return kept, True


def _leaving(texts: list[str]) -> Iterator[str]:
    """Yield the texts and let go of each: they are many bytes, and what follows takes long."""
    texts.reverse()
    while texts:
        yield texts.pop()


class ParquetRows(WholeRows):
    """Rows as a Parquet file, of which readers ask for the end and then for parts.

    It is made whole, and again where the league's data moved on meanwhile: parts of it are read one
    after another by its ETag, and must be of one file wherever they are read.
    """

    ending = "parquet"

    def file(self) -> Any:
        if not parquet.is_there():
            return problem_response(NOT_INSTALLED, parquet.MISSING)
        kept = FILES.find(self.tag) or self._make()
        if kept is None:
            return problem_response(BUSY, MOVES_ON)
        return in_parts(self.request, self.tag, kept.length, kept.read, parquet.PARQUET)

    def _make(self) -> KeptFile | None:
        """Return the file of one version, kept under its tag; None where it moved on each time."""
        for _ in range(TRIES):
            made = FILES.make(self._write)
            before, self.tag = self.tag, self.newest_tag()
            if self.tag == before:
                FILES.keep(self.tag, made)
                return made
        return None

    def _write(self, file: IO[bytes]) -> None:
        parquet.write(file, self.feed, self.query.columns, self.pages())
