"""Error responses for requests that never reach a view: JSON for the API, HTML for pages."""

import json
import sys
from contextlib import suppress

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error as any_server_error

from api.http.problems import SERVER_ERROR, kind_of_status
from league.management.base_command import unmigrated

API = "/api/"
PAGES = {400: "400.html", 404: "404.html", 429: "later.html", 503: "later.html"}
NOT_YET = "The service is being set up: its database is not ready yet. Try again in a minute."


def error_response(
    request: HttpRequest, status: int, text: str, *, where: str = ""
) -> HttpResponse:
    """Return a problem document for the API, or an HTML page or plain text otherwise.

    Plain text is used if there is no page for the status. `where` names the invalid field.
    """
    if request.path.startswith(API):
        kind = kind_of_status(status)
        problem: dict[str, object] = {
            "type": kind.type,
            "title": kind.title,
            "status": kind.status,
            "detail": "The URL or a header is invalid." if where else text,
        }
        if where:
            problem["errors"] = [{"where": where.strip(), "code": "wrong-type", "text": text}]
        return HttpResponse(
            json.dumps(problem), status=kind.status, content_type="application/problem+json"
        )
    if status not in PAGES:
        return HttpResponse(text, status=status, content_type="text/plain")
    line = f"{where.strip()}: {text}" if where.strip() else text
    return HttpResponse(render_to_string(PAGES[status], {"problem": line}), status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 if the database has unapplied migrations, otherwise 500."""
    if isinstance(sys.exc_info()[1], DatabaseError):
        waits = False
        with suppress(DatabaseError):  # an unavailable database is a different error
            waits = bool(unmigrated())
        if waits:
            return error_response(request, 503, NOT_YET)
    if request.path.startswith(API):
        return error_response(request, SERVER_ERROR.status, SERVER_ERROR.detail)
    return any_server_error(request)
