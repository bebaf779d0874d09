"""Every error response of the API is a problem document (RFC 9457).

If the body is invalid, `errors` lists all its errors as {where, code, text, pointer}. `where` is
the path into the body or, for a hand, into its record. `pointer` is the JSON pointer into the body.
Errors in the URL or in a header have no pointer.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import InterfaceError, OperationalError
from django.utils.log import log_response
from rest_framework.exceptions import (
    APIException,
    AuthenticationFailed,
    ParseError,
    ValidationError,
)
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import exception_handler

from api.http import problems
from api.http.parsers import POINTER, pointer
from api.http.problems import ApiError, ProblemKind
from league.common.errors import IdReusedError, NightClosedError, Problem, RefusedError, problem
from league.common.text import shown
from league.games.rules_process import BusyError
from rules.api import reports_too_much
from rules.errors import escaped

CODES = {
    "required": "missing",
    "null": "missing",
    "blank": "missing",
    "max_length": "too-long",
    "invalid_choice": "bad-option",
    "unknown-key": "unknown-key",
}
RETRY_SECONDS = 2

logger = logging.getLogger(__name__)


class BadQueryError(Exception):
    """Query parameters are invalid. `errors` lists all errors."""

    def __init__(self, errors: Iterable[Problem]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(each["text"] for each in self.errors))


class StaleSignInError(Exception):
    """The session requires a recent sign-in for this request."""


class BadHeaderError(BadQueryError):
    """A header is invalid."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__([problem(name, "bad-header", text)])


KINDS = {
    IdReusedError: problems.ID_REUSED,
    NightClosedError: problems.NIGHT_CLOSED,
    StaleSignInError: problems.STALE_SIGN_IN,
}


@contextmanager
def prefix_errors(*path: str) -> Iterator[None]:
    """Add JSON pointers to errors raised in the block. The pointers are relative to `path`."""
    try:
        yield
    except RefusedError as refused:
        for each in refused.errors:
            each[POINTER] = pointer(*path, each["where"])
        raise


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem document for an error, or None for an unexpected error (500)."""
    match error:
        case RefusedError():
            return _refused(error, getattr(context.get("view"), "body_kind", None))
        case BadQueryError():
            return problem_response(problems.BAD_PARAMETER, errors=error.errors)
        case IdReusedError() | NightClosedError() | StaleSignInError():
            return problem_response(KINDS[type(error)])
        case OperationalError() | InterfaceError():  # no data was stored
            answer = _busy_response(problems.BUSY.detail)
            # Prevents Django from logging the status a second time.
            log_response(
                "The database refused: %s", error, response=answer, logger=logger, level="error"
            )
            return answer
        case ParseError():
            text = shown(str(error.detail))
            errors = [problem("", "not-json", text)]
            return problem_response(problems.NOT_JSON, text, errors=errors)
        case ValidationError():
            errors = list(_flat_problems(error.detail))
            return problem_response(problems.BAD_CONTENT, errors=pointed(errors))
    return _framework_response(error, context)


def is_too_much(errors: Iterable[Problem]) -> bool:
    """Return whether the error reports that a game requires too much work."""
    return any(reports_too_much(each["text"]) for each in errors)


def too_much_work(errors: Sequence[Problem]) -> Response:
    """Return the problem for a game that requires too much work. The detail names the word."""
    texts = (each["text"] for each in errors if reports_too_much(each["text"]))
    text = next(texts)
    sentence = f"{text[:1].upper()}{text[1:]}"
    return problem_response(problems.TOO_MUCH_WORK, sentence, errors=list(errors))


def problem_response(
    kind: ProblemKind, detail: str | None = None, *, errors: list[Problem] | None = None
) -> Response:
    """Return a problem document. The body includes the errors, if there are any."""
    body: dict[str, Any] = {
        "type": kind.type,
        "title": kind.title,
        "status": kind.status,
        "detail": detail or kind.detail,
    }
    if errors is not None:
        body["errors"] = errors
    return Response(body, status=kind.status, content_type="application/problem+json")


def _refused(error: RefusedError, body: type[Serializer[Any]] | None) -> Response:
    """Return the problem for a refused request. `body` is the serializer of the body, if known."""
    if isinstance(error, BusyError):
        return _busy_response(error.errors[0]["text"])
    errors = error.errors
    if body is not None:  # replace the league's field names with the body's
        errors = [
            # an error in a record already has a pointer
            each if POINTER in each else {**each, "where": "/".join(_names(body(), each["where"]))}
            for each in errors
        ]
    errors = pointed(errors)
    if is_too_much(errors):
        return too_much_work(errors)
    return problem_response(problems.BAD_CONTENT, errors=errors)


def _names(field: Any, where: str) -> Iterator[str]:
    """Yield the parts of a path, using the names in a serializer."""
    for part in where.split("/"):
        inner = getattr(field, "fields", {})
        name = next((name for name, each in inner.items() if each.source == part), part)
        field = inner.get(name) or getattr(field, "child", None)
        yield name


def _busy_response(detail: str) -> Response:
    answer = problem_response(problems.BUSY, detail)
    answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _framework_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Convert the framework's response to a problem document, keeping Retry-After and Allow."""
    answer = exception_handler(error, context)
    if answer is None:
        return None
    detail = error.detail if isinstance(error, APIException) else answer.data["detail"]
    match error:
        case ApiError():
            kind = error.kind
        case AuthenticationFailed():
            kind = problems.BAD_CREDENTIALS
        case _:
            kind = problems.kind_of_status(answer.status_code)
    made = problem_response(kind, shown(str(detail)))
    for header in ("Retry-After", "WWW-Authenticate", "Allow"):
        if header in answer.headers:
            made.headers[header] = answer.headers[header]
    return made


def _flat_problems(detail: Any, path: tuple[str, ...] = ()) -> Iterator[Problem]:
    """Yield a serializer's errors as a flat list."""
    if isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _flat_problems(
                inner, path if key == "non_field_errors" else (*path, str(key))
            )
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flat_problems(inner, path)
    else:
        where = shown("/".join(map(escaped, path)))
        yield problem(where, CODES.get(detail.code, "wrong-type"), shown(detail))


def pointed(errors: Iterable[Problem]) -> list[Problem]:
    """Return the errors with JSON pointers into the body, unless they already have one."""
    return [{POINTER: pointer(each["where"]), **each} for each in errors]
