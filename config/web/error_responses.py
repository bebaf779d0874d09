"""What is refused before any page or address of the API has seen it, in the form of either."""

import json
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

PAGES = {400: "400.html", 404: "404.html"}


def error_response(
    request: HttpRequest, status: int, text: str, *, where: str = ""
) -> HttpResponse:
    """Return a problem document to whoever asked the API, a page to others; plain where none is.

    `where` names the field that is wrong.
    """
    if request.path.startswith("/api/"):
        return _problem(status, text, where)
    if status not in PAGES:
        return HttpResponse(text, status=status, content_type="text/plain")
    said = f"{where.strip()}: {text}" if where.strip() else text
    return HttpResponse(render_to_string(PAGES[status], {"problem": said}), status=status)


def _problem(status: int, text: str, where: str) -> HttpResponse:
    title = HTTPStatus(status).phrase
    problem: dict[str, object] = {"type": "about:blank", "title": title, "status": status}
    problem["detail"] = "The address or a header is wrong." if where else text
    if where:
        problem["errors"] = [{"where": where.strip(), "code": "wrong-type", "text": text}]
    return HttpResponse(json.dumps(problem), status=status, content_type="application/problem+json")
