"""Passes a stream request through the WSGI service like any other request.

Authentication, permissions, rate limits, errors and headers are the same as in the rest of the API.
"""

import io
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest

from api.streams.admission import ADMISSION, Admission, Places
from api.streams.league_stream import LeagueStream

Environ = dict[str, Any]
Service = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
# WSGI names these two headers without the HTTP_ prefix.
OWN_NAMES = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
# Headers of the connection, which the server sets itself.
LEFT_OUT = {"content-length", "connection", "transfer-encoding"}


@dataclass
class Reply:
    """The service's response. Only an error response has a `body`."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""


def authorize_stream(service: Service, environ: Environ, admission: Admission) -> Reply:
    """Send the stream request to the service."""
    reply = Reply()

    def start(status: str, headers: Iterable[tuple[str, str]], *_: object) -> None:
        reply.status = int(status.split(" ", 1)[0])
        # Django writes cookies with a leading space, which h11 rejects.
        reply.headers = [
            (name.lower().encode("latin-1"), value.strip().encode("latin-1"))
            for name, value in headers
            if name.lower() not in LEFT_OUT
        ]

    parts = service({**environ, ADMISSION: admission}, start)
    try:
        reply.body = b"".join(parts)
    finally:
        close = getattr(parts, "close", None)
        if close:
            close()
    return reply


def is_still_authorized(environ: Environ, places: Places, league: UUID) -> bool:
    """Return whether the same request would still be authorized.

    This bypasses the middleware that counts and logs requests, because it is not a new request.
    """
    admission = Admission(places, again=True)
    view = LeagueStream.as_view()
    look = SessionMiddleware(AuthenticationMiddleware(lambda asked: view(asked, league_id=league)))
    look(WSGIRequest({**environ, ADMISSION: admission}))
    return admission.subscription is not None


def environ_of(scope: Mapping[str, Any]) -> Environ:
    """Return the request's WSGI environ, without a body."""
    path = scope["raw_path"]
    if not path.startswith(b"/"):  # absolute URLs are valid as well (RFC 9112, 3.2.2)
        path = urlsplit(path).path or b"/"
    host, port = scope.get("server") or ("localhost", 80)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(host),
        "SERVER_PORT": str(port or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw, content in scope["headers"]:
        name, value = raw.decode("latin-1").lower(), content.decode("latin-1")
        # A header name with an underscore could be mistaken for a header set by a proxy.
        if "_" in name or name in LEFT_OUT or (is_forwarded(name) and not settings.BEHIND_HTTPS):
            continue
        key = OWN_NAMES.get(name, f"HTTP_{name.upper().replace('-', '_')}")
        # Several cookie headers are joined into one.
        joint = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ


def is_forwarded(name: str) -> bool:
    """Return whether a header is trusted only if it comes from a proxy."""
    return name == "forwarded" or name.startswith("x-forwarded-")
