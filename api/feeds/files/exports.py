"""All rows of a feed in one piece: as text, which may be longer than memory, or as Parquet."""

from collections.abc import Iterator
from http import HTTPStatus
from itertools import chain
from typing import IO, Any, ClassVar

from django.http import HttpResponse, StreamingHttpResponse

from api.feeds import replica
from api.feeds.files import parquet
from api.feeds.files.kept_files import KeptFile, KeptFiles
from api.feeds.formats import Form
from api.feeds.row_feed import Page, walk
from api.feeds.views import Rows
from api.http.byte_ranges import in_parts, wants_a_part
from api.http.errors import problem_response
from api.problems.kinds import BUSY, NOT_INSTALLED
from league.models import League

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
