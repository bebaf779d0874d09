"""Every refusal of the API is a problem document (RFC 9457).

Where something in the body is wrong, `errors` lists all of it: {where, code, text}, `where` being
the path into the body or, for a hand, into its record.
"""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from rest_framework.exceptions import APIException, ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from league.refusals import Fault, KeyReused, NightClosed, Refused, fault
from league.texts import shown

CODES = {"required": "missing", "null": "missing", "blank": "missing"}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the answer to an error, as a problem; None for what should not happen (500)."""
    match error:
        case Refused():
            return problem(400, "It can't be accepted as it is.", errors=error.errors)
        case KeyReused():
            return problem(409, "This id was sent before with other content.")
        case NightClosed():
            return problem(409, "The night is closed.")
        case ParseError():
            text = shown(str(error.detail))
            return problem(400, text, errors=[fault("", "not-json", text)])
        case ValidationError():
            errors = list(_faults(error.detail))
            return problem(400, "It can't be accepted as it is.", errors=errors)
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
        code = CODES.get(detail.code, "wrong-type")
        where = shown("/".join(path))
        yield fault(where, "unknown-key" if detail.code == "unknown-key" else code, shown(detail))
