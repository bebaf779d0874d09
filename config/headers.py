"""Response headers that Django does not set by itself."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Scripts and styles come from our own files only, so that a name typed at the table can never run.
POLICY = "; ".join([
    "default-src 'self'",
    "img-src 'self' data:",
    "style-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
])  # fmt: skip


def content_security_policy(
    respond: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: tell the browser where a page may load from."""

    def respond_with_policy(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return respond_with_policy
