"""Middleware for request limits, deadlines, cache headers and control characters."""

import ctypes
import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache as cache_forever
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.translation import get_language_from_request, gettext, override
from redis.exceptions import RedisError

from config.observability.monitoring import MONITORED
from config.web.error_responses import API, error_response
from league.common.client_ip import address_of

# A season file is the largest request body, except for imports.
LARGEST_BODY = 16 * 1024 * 1024
TOO_LARGE = "The body is larger than anything that is sent here."
# Imported files have at most 20 MB (`league.imports.contents`). JSON escapes make them longer.
IMPORTS = re.compile(r"/(?:api/v1/)?leagues/[0-9a-f-]{36}/imports?", re.ASCII)
LARGEST_IMPORT = 32 * 1024 * 1024
TOO_LARGE_IMPORT = (
    "Files to import have at most 20 MB together. Import a longer history in several files."
)
Answer = Callable[[HttpRequest], HttpResponse]


def is_import(path: str) -> bool:
    """Return whether this path accepts imported files."""
    return bool(IMPORTS.fullmatch(path))


def largest_body(path: str) -> int:
    """Return the maximum number of bytes of a request to this path."""
    return LARGEST_IMPORT if is_import(path) else LARGEST_BODY


def limit_body(get_response: Answer) -> Answer:
    """Middleware: reject a body that is too long before it is read.

    Django reads no body without a Content-Length, so a chunked body counts as empty.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        length = str(request.META.get("CONTENT_LENGTH") or "0")
        most = largest_body(request.path_info)
        if not length.isascii() or not length.isdigit() or int(length) <= most:
            return get_response(request)
        text = TOO_LARGE_IMPORT if is_import(request.path_info) else TOO_LARGE
        return error_response(request, 413, text)

    return answered


# Neither proxies nor browsers on shared computers may store the response.
NOBODY = "private, no-store"


def forbid_caching(get_response: Answer) -> Answer:
    """Middleware: forbid caching of responses that do not set `Cache-Control`.

    Static files are served by an earlier middleware. Offline pages on a phone are not affected:
    our service worker stores them for one user until that user signs out.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", NOBODY)
        if request.path.startswith("/api/") and _of_a_browser(request):
            response.headers["Cache-Control"] = NOBODY
        return response

    return answered


def _of_a_browser(request: HttpRequest) -> bool:
    """Return whether the request uses a session. Programs with a token or link may cache."""
    program = "Authorization" in request.headers or "key" in request.GET
    return settings.SESSION_COOKIE_NAME in request.COOKIES and not program


NEVER = re.compile(r"[\x00-\x1f\x7f-\x9f]")
NOT_IN_TEXTS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class RefuseControlCharacters:
    """Middleware: reject requests that contain control characters."""

    def __init__(self, get_response: Answer) -> None:
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
        """Check a form once its address is resolved. The API does not read forms."""
        if request.path.startswith("/api/") or request.method != "POST":
            return None
        try:
            where = _first(request.POST.lists(), NOT_IN_TEXTS)
        except UnreadablePostError:  # the client disconnected; the view handles that
            return None
        return _refused(request, where) if where else None


def _first(fields: Iterable[tuple[str, Sequence[object]]], unmeant: "re.Pattern[str]") -> str:
    """Return the printable name of the first field with such a character, or "".

    A name that has only such characters is returned as a space.
    """
    for name, texts in fields:
        if any(unmeant.search(str(each)) for each in (name, *texts)):
            return NEVER.sub("", name)[:60] or " "
    return ""


def _refused(request: HttpRequest, where: str) -> HttpResponse:
    with override(get_language_from_request(request)):
        text = gettext("A control character can't be meant here.")
        return error_response(request, 400, text, where=where)


logger = logging.getLogger(__name__)

TOO_OFTEN = "Too many requests. Wait a minute, then try again."


def limit_pages(get_response: Answer) -> Answer:
    """Middleware: return 429 if an account or an IP address requests pages too often.

    The API has its own rates (`api.http.throttles`).
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
    """Count the request. Returns the seconds to wait, or None if it is within the rate."""
    account = request.session.get(SESSION_KEY)  # avoids loading the user
    scope, caller = ("account", account) if account else ("address", address_of(request))
    most, seconds = rate_of(settings.PAGE_RATES[scope])
    window, passed = divmod(int(time.time()), seconds)
    key = f"pages:{scope}:{caller}:{window}"
    try:
        if cache.add(key, 1, seconds):
            return None
        return seconds - passed if cache.incr(key) > most else None
    except ValueError:  # the window ended in between
        return None
    except RedisError as error:
        logger.warning("no requests are counted: %s", error)
        return None


@cache_forever
def rate_of(rate: str) -> tuple[int, int]:
    """Return the number of requests and the seconds of a rate: 600/min is (600, 60)."""
    most, _, period = rate.partition("/")
    return int(most), {"s": 1, "m": 60, "h": 3600, "d": 86400}[period[0]]


TOO_LONG = "This took too long and was ended. Try again in a minute."
RETRY_SECONDS = 60
WRITES_TAKE = 4  # times as long as reads
IMPORTS_TAKE = 20  # 20 MB are 17,000 hands, which take a minute; recorded hands are kept
READS = ("GET", "HEAD", "OPTIONS")
LOOKS_EVERY = 0.25


class DeadlineExceededError(BaseException):
    """The request has exceeded its deadline. `except Exception` does not catch this."""


@dataclass(slots=True)
class Work:
    """A request that runs in a thread, with its deadline and its database connection."""

    thread: int
    until: float
    reads: bool
    database: Any
    ended: bool = False

    def is_late(self) -> bool:
        return time.monotonic() > self.until

    def check(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Wrap each database statement, so that none starts after the deadline."""
        if self.is_late():
            raise DeadlineExceededError
        return execute(*statement)

    def end(self) -> None:
        """End a request that reads before its next step: once, or it would meet what follows."""
        if self.reads and not self.ended:
            self.ended = True
            _raise_in(self.thread, DeadlineExceededError)

    def end_statement(self) -> None:
        """End the statement that the database is at work on, if it is."""
        if (raw := self.database.connection) is not None:
            with suppress(Exception):  # the connection may be closed
                raw.interrupt() if self.database.vendor == "sqlite" else raw.cancel()


class Watch(threading.Thread):
    """The thread that stops late requests of this process."""

    def __init__(self) -> None:
        super().__init__(name="deadlines", daemon=True)
        self.lock = threading.Lock()
        self.at_work: dict[int, Work] = {}

    def run(self) -> None:
        while True:
            time.sleep(LOOKS_EVERY)
            with self.lock:  # otherwise it could stop the next request of the same thread
                late = [each for each in self.at_work.values() if each.is_late()]
                for each in late:
                    each.end()
            for each in late:  # without the lock, because an unavailable server may not respond
                if self.at_work.get(each.thread) is each:
                    each.end_statement()

    def begin(self, work: Work) -> None:
        with self.lock:
            self.at_work[work.thread] = work

    def finish(self, work: Work) -> None:
        with self.lock:
            self.at_work.pop(work.thread, None)
            # Only if needed: Python 3.11 hangs in a debugger or tracer once this was called.
            if work.ended:
                _raise_in(work.thread, None)  # cancel an exception that is still pending


_starting = threading.Lock()
_watch: Watch | None = None


def end_late_requests(get_response: Answer) -> Answer:
    """Middleware: return 503 for requests that exceed their deadline."""

    def answered(request: HttpRequest) -> HttpResponse:
        reads = request.method in READS
        writes_take = IMPORTS_TAKE if is_import(request.path_info) else WRITES_TAKE
        seconds = float(settings.WORK_SECONDS) * (1 if reads else writes_take)
        database = connections[DEFAULT_DB_ALIAS]  # the connection of this thread
        work = Work(threading.get_ident(), time.monotonic() + seconds, reads, database)
        watch = _watching()
        try:
            watch.begin(work)
            try:
                with database.execute_wrapper(work.check):
                    return get_response(request)
            finally:
                watch.finish(work)
        except DeadlineExceededError:
            watch.finish(work)  # the exception may have interrupted the first call
            logger.warning("A request was ended after %.0f seconds.", seconds)
            response = error_response(request, 503, TOO_LONG)
            response.headers["Retry-After"] = str(RETRY_SECONDS)
            return response

    return answered


def _watching() -> Watch:
    """Return the watch of this process. A fork does not inherit the thread of its parent."""
    global _watch  # noqa: PLW0603 (one per process)
    if _watch is None or not _watch.is_alive():
        with _starting:
            if _watch is None or not _watch.is_alive():
                _watch = Watch()
                _watch.start()
    return _watch


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise the error in the thread. None cancels a pending error."""
    raised = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
