"""Whole feeds as files, which are cached and support HTTP range requests."""

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

from api.feeds import parquet, replica
from api.feeds.formats import Form
from api.feeds.row_feed import Page, walk
from api.feeds.views import Rows
from api.http.errors import problem_response
from api.http.problems import BUSY, NO_SUCH_RANGE, NOT_INSTALLED
from league.models import League

# Matches a single range. A request for several ranges gets the whole file, as HTTP allows.
RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{1,18})?|-([0-9]{1,18}))")
CHUNK = 64 * 1024

Read = Callable[[int, int], bytes]  # takes an offset and a maximum number of bytes


def has_range(request: Request, tag: str) -> bool:
    """Return whether the request has a range that applies to this ETag."""
    is_readable = RANGE.fullmatch(request.headers.get("Range", "")) is not None
    return is_readable and request.headers.get("If-Range", tag) == tag


def in_parts(request: Request, tag: str, length: int, read: Read, media_type: str) -> Any:
    """Return the whole file, or the requested range with 206. Invalid ranges return 416.

    The response is not compressed, because ranges refer to the uncompressed file.
    """
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    first, last, whole = 0, length - 1, not has_range(request, tag)
    if not whole:
        match = RANGE.fullmatch(request.headers["Range"])
        start, end, from_end = match.groups() if match else (None, None, None)
        if start is None:
            first = max(0, length - int(from_end or 0))
        else:
            first, last = int(start), min(int(end or last), last)
        if first >= length or first > last:
            refusal = problem_response(NO_SUCH_RANGE, f"There are {length} bytes.")
            refusal.headers["Content-Range"] = f"bytes */{length}"
            return refusal
    chunks = (read(at, min(CHUNK, last - at + 1)) for at in range(first, last + 1, CHUNK))
    answer: HttpResponseBase = StreamingHttpResponse(chunks, content_type=media_type)
    answer.headers["Content-Length"] = str(last - first + 1)
    answer.headers["Accept-Ranges"] = "bytes"
    if not whole:
        answer.status_code = 206
        answer.headers["Content-Range"] = f"bytes {first}-{last}/{length}"
    return answer


MOST_FILES = 64
MOST_BYTES = 64 * 2**20
AT_ONCE = 2  # maximum number of files written at the same time

Write = Callable[[IO[bytes]], object]


class CachedFile:
    """A temporary file that is closed when its last reference is dropped."""

    def __init__(self, write: Write) -> None:
        self.file = TemporaryFile()  # noqa: SIM115 (closed by the finalizer)
        finalize(self, self.file.close)
        write(self.file)
        self.file.flush()
        self.length = os.fstat(self.file.fileno()).st_size

    def read(self, start: int, most: int) -> bytes:
        """Return up to `most` bytes starting at offset `start`. Threads can read concurrently."""
        return os.pread(self.file.fileno(), most, start)


class FileCache:
    """A cache of recently used files by ETag, limited by number and total size."""

    def __init__(self) -> None:
        self.files: OrderedDict[str, CachedFile] = OrderedDict()
        self.lock = Lock()
        self.making = BoundedSemaphore(AT_ONCE)

    def find(self, tag: str) -> CachedFile | None:
        with self.lock:
            if tag in self.files:
                self.files.move_to_end(tag)
            return self.files.get(tag)

    def make(self, write: Write) -> CachedFile:
        """Write a new file. Waits while too many other files are being written."""
        with self.making:
            return CachedFile(write)

    def keep(self, tag: str, made: CachedFile) -> None:
        with self.lock:
            self.files[tag] = made
            while len(self.files) > MOST_FILES or self._bytes() > MOST_BYTES:
                self.files.popitem(last=False)

    def _bytes(self) -> int:
        return sum(each.length for each in self.files.values())


# maximum length (in characters) of an export that is built in memory and sent with a Content-Length
MOST_HELD = 2**20
TRIES = 5  # attempts to write a file before giving up because the data keeps changing
MOVES_ON = "The league's data changed while the file was written. Try again."
FILES = FileCache()


class WholeRows(Rows):
    """All rows of a feed as a file."""

    is_paged = False
    ending: ClassVar[str]

    def answer(self, league: League) -> Any:
        answer = self.file()
        if answer.status_code < HTTPStatus.BAD_REQUEST:
            name = f"{self.feed.name}.{self.ending}"
            answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def file(self) -> Any:
        """Return the response with the rows, or a problem document."""
        raise NotImplementedError

    def newest_tag(self) -> str:
        """Return the current ETag. All ranges of a file must come from the same version."""
        return self.tag_of(self.find(**self.kwargs)[1])

    def pages(self) -> Iterator[Page]:
        return replica.pin_database(walk(self.feed, self.query, self.after))


class TextRows(WholeRows):
    """Rows as text.

    A small export is first built in memory. Its length is then known, which range requests require.
    A larger export is streamed.
    """

    form: ClassVar[Form]

    def file(self) -> Any:
        media_type = f"{self.form.media_type}; charset=utf-8"
        texts = self.form.write(self.query.columns, self.pages())
        beginning, length = [], 0
        for text in texts:
            beginning.append(text)
            length += len(text)
            if length > MOST_HELD:
                beginning.reverse()  # each text is released when it is sent
                texts = chain((beginning.pop() for _ in range(len(beginning))), texts)
                texts = texts if self.request.method == "GET" else iter(())
                return StreamingHttpResponse(texts, content_type=media_type)
        body = "".join(beginning).encode()
        if has_range(self.request, self.tag) and self.newest_tag() == self.tag:
            read = lambda start, most: body[start : start + most]  # noqa: E731
            return in_parts(self.request, self.tag, len(body), read, media_type)
        answer = HttpResponse(body, content_type=media_type)
        answer.headers["Accept-Ranges"] = "bytes"
        answer.headers["Content-Length"] = str(len(body))
        return answer


class ParquetRows(WholeRows):
    """Rows as a Parquet file. Readers request its end first, then other ranges.

    The whole file is written before it is sent. If the league's data changes in the meantime, the
    file is rewritten, because all ranges with the same ETag must come from the same file.
    """

    ending = "parquet"

    def file(self) -> Any:
        if not parquet.is_there():
            return problem_response(NOT_INSTALLED, parquet.MISSING)
        parquet_file = FILES.find(self.tag) or self._make()
        if parquet_file is None:
            return problem_response(BUSY, MOVES_ON)
        return in_parts(
            self.request, self.tag, parquet_file.length, parquet_file.read, parquet.PARQUET
        )

    def _make(self) -> CachedFile | None:
        """Write and cache the file for one version. Returns None if the data kept changing."""
        for _ in range(TRIES):
            made = FILES.make(self._write)
            before, self.tag = self.tag, self.newest_tag()
            if self.tag == before:
                FILES.keep(self.tag, made)
                return made
        return None

    def _write(self, file: IO[bytes]) -> None:
        parquet.write(file, self.feed, self.query.columns, self.pages())
