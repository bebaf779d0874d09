"""Parses JSON request bodies. Bodies that are too long, too deep or invalid cause an error."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import IO, Any
from urllib.parse import quote

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.http.problems import TOO_LARGE, ApiError
from league.common.errors import problem, refuse
from league.common.text import controlled
from rules.errors import escaped
from rules.json_text import describe_error, read_json

POINTER = "pointer"
UNQUOTED = "/~!$&'()*+,;=:@?"  # characters allowed in a fragment (RFC 3986, section 3.5)


def pointer(*path: str) -> str:
    """Return a JSON pointer as a fragment, or "#" for the whole body. `path` is already escaped."""
    return "/".join(["#", *(quote(each, safe=UNQUOTED) for each in path if each)])


# JSON allows control characters only as escapes, except for DEL.
ESCAPED = re.compile(r"\\u00[01][0-9a-f]|\\u007f|\\[bf]|\x7f", re.IGNORECASE)
MOST_ERRORS = 100


class TooLargeError(ApiError):
    kind = TOO_LARGE


class Json(BaseParser):
    """JSON in UTF-8 with up to `largest` bytes, by default DATA_UPLOAD_MAX_MEMORY_SIZE."""

    media_type = "application/json"
    largest: int | None = None

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        most = self.largest or settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
        body = stream.read(most + 1)  # Django's own limit applies only if Django reads the body
        if len(body) > most:
            raise TooLargeError
        try:
            text = body.decode()
            value = read_json(text)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
        except ValueError as error:
            raise ParseError(f"This is not JSON: {describe_error(error)}") from error
        if ESCAPED.search(text):  # without escapes, the text can't contain control characters
            wrong = []
            for parts in islice(controlled(value), MOST_ERRORS):
                path = tuple(map(escaped, parts))
                # places in a record are relative to it
                where = "/".join(path[1:] if path[:1] == ("record",) else path)
                fault = problem(where, "wrong-type", "control characters are not allowed")
                wrong.append(fault | {POINTER: pointer(*path)})
            refuse(wrong)
        return value


class JsonOnly(BaseContentNegotiation):
    """Use a URL's only format, regardless of what the client accepts."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        sent = (request.content_type or "").partition(";")[0].strip().lower()
        return next((each for each in parsers if each.media_type == sent), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type
