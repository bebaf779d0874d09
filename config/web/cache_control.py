"""Who may keep an answer: nobody, unless its view has said otherwise."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

# No proxy, and no browser on a computer that others use after.
NOBODY = "private, no-store"
Answer = Callable[[HttpRequest], HttpResponse]


def forbid_caching(get_response: Answer) -> Answer:
    """Middleware: let nobody keep what does not say that it may be kept.

    Static files are answered before. The offline pages of a phone are no cache of this kind: our
    own worker keeps them on purpose, for one user, until that user signs out.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", NOBODY)
        if request.path.startswith("/api/") and _of_a_browser(request):
            response.headers["Cache-Control"] = NOBODY
        return response

    return answered


def _of_a_browser(request: HttpRequest) -> bool:
    """Tell whether a session asks, not a program with its token or link, which keeps for itself."""
    program = "Authorization" in request.headers or "key" in request.GET
    return settings.SESSION_COOKIE_NAME in request.COOKIES and not program
