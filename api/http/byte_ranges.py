"""Answers of a known length, of which a client may ask for a part (RFC 9110, 14)."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from api.http.errors import problem_response
from api.problems.kinds import NO_SUCH_RANGE

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
