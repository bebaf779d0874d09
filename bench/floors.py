"""The service asked in this process, past any socket; and two views that do nothing, as floors.

An empty view of Django goes through all middleware; an empty address of the API brings a token,
which is looked up, and counts towards its rate.
"""

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.test import override_settings
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.resource import Resource

DJANGO, API = "/empty", "/api/v1/empty"
Headers = dict[str, str]


class Empty(Resource):
    allows_feed_link = True

    def get(self, request: Request) -> Response:
        return Response({})


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"")


urlpatterns = [
    path(DJANGO[1:], empty),
    path(API[1:], Empty.as_view()),
    path("", include("config.urls")),
]


def asking(token: str = "") -> Callable[[str], bytes]:
    """Return what asks the service for an address and returns the body; ends where it refuses."""
    stream = streaming(token)
    return lambda address: b"".join(stream(address))


def streaming(token: str = "") -> Callable[[str], Iterator[bytes]]:
    """Return the same as it comes, piece by piece."""
    override_settings(ROOT_URLCONF=__name__).enable()
    service = WSGIHandler()

    def ask(address: str) -> Iterator[bytes]:
        said: list[str] = []

        def start(status: str, _: Iterable[tuple[str, str]], __: Any = None) -> Any:
            said.append(status)

        answer = service(_environ(address, token), start)
        if int(said[0].split()[0]) != HTTPStatus.OK:
            sys.exit(f"{address} was answered with {said[0]}")
        yield from answer
        answer.close()

    return ask


def _environ(address: str, token: str) -> dict[str, Any]:
    at, _, query = address.partition("?")
    asked = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": at,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
    }
    return asked | ({"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {})
