"""Every refusal of the API is a problem document (RFC 9457).

Where something in the body is wrong, `errors` lists all of it: {where, code, text, pointer}, where
`where` is the path into the body or, for a hand, into its record, and `pointer` is the JSON pointer
into the body, whatever was sent. What is wrong in the address or a header has no pointer.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.db import InterfaceError, OperationalError
from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from league.refusals import Fault, KeyReused, NightClosed, Refused, fault
from league.texts import shown

CODES = {
    "required": "missing",
    "null": "missing",
    "blank": "missing",
    "max_length": "too-long",
    "invalid_choice": "bad-option",
    "unknown-key": "unknown-key",
}
POINTER = "pointer"
RETRY_SECONDS = 2

logger = logging.getLogger(__name__)


class BadQuery(Exception):
    """A parameter of the address is wrong; `errors` lists all that are."""

    def __init__(self, errors: Iterable[Fault]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(each["text"] for each in self.errors))


class BadHeader(BadQuery):
    """A header is wrong."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__([fault(name, "bad-header", text)])


@contextmanager
def inside(*path: str) -> Iterator[None]:
    """Point at what is refused inside: the league says places from there on."""
    try:
        yield
    except Refused as refused:
        for each in refused.errors:
            each[POINTER] = _pointer(*path, each["where"])
        raise


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to an error, as a problem; None for what should not happen (500)."""
    match error:
        case Refused():
            return problem(400, "It can't be accepted as it is.", errors=_pointed(error.errors))
        case BadQuery():
            return problem(400, "The address or a header is wrong.", errors=error.errors)
        case KeyReused():
            return problem(409, "This id was sent before with other content.")
        case NightClosed():
            return problem(409, "The night is closed.")
        case OperationalError() | InterfaceError():
            return _away(error)
        case ParseError():
            text = shown(str(error.detail))
            return problem(400, text, errors=[fault("", "not-json", text)])
        case ValidationError():
            errors = list(_faults(error.detail))
            return problem(400, "It can't be accepted as it is.", errors=_pointed(errors))
    return _other(error, context)


def problem(status: int, detail: str, *, errors: list[Fault] | None = None) -> Response:
    """Return a problem document, with what is wrong in the body where that is the reason."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors is not None:
        body["errors"] = errors
    return Response(body, status=status, content_type="application/problem+json")


def _away(error: Exception) -> Response:
    """Say that nothing was stored: the database is away, full, or had to give up on this."""
    logger.error("The database refused: %s", error)
    answer = problem(503, "The data can't be reached just now, nothing was stored: send it again.")
    answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _other(error: Exception, context: dict[str, Any]) -> Response | None:
    """Let the framework answer, for its headers (Retry-After, Allow), in our form."""
    answer = exception_handler(error, context)
    if answer is None:
        return None
    detail = error.detail if isinstance(error, APIException) else answer.data["detail"]
    made = problem(answer.status_code, shown(str(detail)))
    for header in ("Retry-After", "WWW-Authenticate", "Allow"):
        if header in answer.headers:
            made.headers[header] = answer.headers[header]
    return made


def _faults(detail: Any, path: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Flatten what a serializer found wrong."""
    if isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _faults(inner, path if key == "non_field_errors" else (*path, str(key)))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, path)
    else:
        where = shown("/".join(path))
        yield fault(where, CODES.get(detail.code, "wrong-type"), shown(detail))


def _pointed(errors: Iterable[Fault]) -> list[Fault]:
    return [{POINTER: _pointer(each["where"]), **each} for each in errors]


def _pointer(*path: str) -> str:
    """Return a JSON pointer as a fragment (RFC 6901); "#" is the whole body."""
    return "/".join(["#", *(each for each in path if each)])
