"""Middleware for request limits, cache headers and control characters."""

import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache as cache_forever
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, UnreadablePostError
from django.http.response import HttpResponseBase
from django.urls import is_valid_path
from django.utils.translation import get_language_from_request, gettext, override
from redis.exceptions import RedisError

from config.observability.logs import GetResponse
from config.observability.monitoring import MONITORED
from config.web.error_responses import API, error_response
from league.common.client_ip import address_of

logger = logging.getLogger(__name__)

# Apart from imports, the largest request body is a season file.
LARGEST_BODY = 16 * 1024 * 1024
TOO_LARGE = "This is too large to upload."
# Imported files are at most 20 MB (`league.imports.contents`). JSON escapes make the body longer.
IMPORTS = re.compile(r"/(?:api/v1/)?leagues/[0-9a-f-]{36}/imports?", re.ASCII)
LARGEST_IMPORT = 32 * 1024 * 1024
TOO_LARGE_IMPORT = (
    "Files to import have at most 20 MB together. Import a longer history in several files."
)


def is_import(path: str) -> bool:
    """Return whether this path accepts imported files."""
    return bool(IMPORTS.fullmatch(path))


def largest_body(path: str) -> int:
    """Return the maximum size of a request to this path in bytes."""
    return LARGEST_IMPORT if is_import(path) else LARGEST_BODY


def redirect_form_addresses(get_response: GetResponse) -> GetResponse:
    """Middleware: redirect a browser that opens a form's address to the page above it.

    A form that comes back with errors is shown at the address that it was sent to. Phones open that
    address again when they restore a tab.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 405 or "text/html" not in request.headers.get("Accept", ""):
            return response
        path = request.path_info
        if request.method != "GET" or path.startswith(API):
            return response
        while path := path.rpartition("/")[0]:
            if is_valid_path(path):
                return HttpResponseRedirect(path)
        return HttpResponseRedirect("/")

    return answered


def limit_body(get_response: GetResponse) -> GetResponse:
    """Middleware: reject a body that is too long before reading it.

    Django does not read a body without a Content-Length, so a chunked body counts as empty.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        length = str(request.META.get("CONTENT_LENGTH") or "0")
        most = largest_body(request.path_info)
        if not length.isascii() or not length.isdigit() or int(length) <= most:
            return get_response(request)
        text = TOO_LARGE_IMPORT if is_import(request.path_info) else TOO_LARGE
        return error_response(request, 413, text)

    return answered


# Must not be stored by proxies, or by browsers on shared computers.
NOBODY = "private, no-store"


def forbid_caching(get_response: GetResponse) -> GetResponse:
    """Middleware: forbid caching of responses that do not set `Cache-Control`.

    Static files are served by an earlier middleware. Offline pages on a phone are not affected,
    because the service worker stores them for one user until that user signs out.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", NOBODY)
        cookie = settings.SESSION_COOKIE_NAME
        by_session = request.path.startswith("/api/") and cookie in request.COOKIES
        # programs with a token or link may cache
        if by_session and "Authorization" not in request.headers and "key" not in request.GET:
            response.headers["Cache-Control"] = NOBODY
        return response

    return answered


NEVER = re.compile(r"[\x00-\x1f\x7f-\x9f]")
NOT_IN_TEXTS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class RefuseControlCharacters:
    """Middleware: reject requests that contain control characters."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        for name in [name for name, text in request.COOKIES.items() if NEVER.search(name + text)]:
            del request.COOKIES[name]
        if NEVER.search(request.path):
            return error_response(request, 404, "There is no such address.")
        if where := _first(request.GET.lists(), NEVER):
            return _refused(request, where)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: Mapping[str, object]
    ) -> HttpResponse | None:
        """Check a form once its URL is resolved. The API does not read forms."""
        if request.path.startswith("/api/") or request.method != "POST":
            return None
        try:
            where = _first(request.POST.lists(), NOT_IN_TEXTS)
        except UnreadablePostError:  # the client disconnected; the view handles that
            return None
        return _refused(request, where) if where else None


def _first(fields: Iterable[tuple[str, Sequence[object]]], unmeant: "re.Pattern[str]") -> str:
    """Return the printable name of the first field that matches `unmeant`, or "".

    If the name has no printable characters, a space is returned.
    """
    for name, texts in fields:
        if any(unmeant.search(str(each)) for each in (name, *texts)):
            return NEVER.sub("", name)[:60] or " "
    return ""


def _refused(request: HttpRequest, where: str) -> HttpResponse:
    with override(get_language_from_request(request)):
        text = gettext("A control character isn't allowed. Remove it and try again.")
        return error_response(request, 400, text, where=where)


TOO_OFTEN = "Too many requests. Wait a minute, then try again."


def limit_pages(get_response: GetResponse) -> GetResponse:
    """Middleware: return 429 if an account or IP address requests pages too often.

    The API has separate rate limits (`api.http.throttles`).
    """

    def answered(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(API) or request.path in MONITORED:
            return get_response(request)
        if (wait := _wait(request)) is None:
            return get_response(request)
        response = error_response(request, 429, TOO_OFTEN)
        response.headers["Retry-After"] = str(wait)
        return response

    return answered


def _wait(request: HttpRequest) -> int | None:
    """Count the request. Return how many seconds to wait, or None if the rate is not exceeded."""
    # read from the session to avoid loading the user
    account = request.session.get(SESSION_KEY)
    scope, caller = ("account", account) if account else ("address", address_of(request))
    most, seconds = rate_of(settings.PAGE_RATES[scope])
    window, passed = divmod(int(time.time()), seconds)
    key = f"pages:{scope}:{caller}:{window}"
    try:
        if cache.add(key, 1, seconds):
            return None
        return seconds - passed if cache.incr(key) > most else None
    except ValueError:  # the time window ended between these two calls
        return None
    except RedisError as error:
        logger.warning("Requests are not counted: %s", error)
        return None


@cache_forever
def rate_of(rate: str) -> tuple[int, int]:
    """Return a rate's number of requests and its period in seconds: (600, 60) for 600/min."""
    most, _, period = rate.partition("/")
    return int(most), {"s": 1, "m": 60, "h": 3600, "d": 86400}[period[0]]


class RequireSignIn(LoginRequiredMiddleware):
    """Middleware: redirect visitors to the sign-in page, except from `login_not_required` views."""

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        # Django loads the user first, which would add a query to every live update.
        if not getattr(view_func, "login_required", True):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)
