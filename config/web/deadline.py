"""Stops requests that run longer than WORK_SECONDS, and returns 503.

A write request may take four times as long, and an import twenty times. A late request stops at its
running or next database statement, so that the whole transaction is rolled back. It never stops
between two other steps, because an exception there could leave a lock taken forever
(docs/decisions/0096). A streamed response, such as an export, is sent after this middleware and has
no deadline.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse

from config.observability.logs import GetResponse
from config.web.error_responses import error_response
from config.web.middleware import is_import

logger = logging.getLogger(__name__)
TOO_LONG = "This took too long and was ended. Try again in a minute."
RETRY_SECONDS = 60
WRITES_TAKE = 4  # write requests may take this many times as long as read requests
# 17,000 hands (20 MB) take a minute; a stopped import keeps the hands it has recorded
IMPORTS_TAKE = 20
READS = ("GET", "HEAD", "OPTIONS")
LOOKS_EVERY = 0.25


class DeadlineExceededError(BaseException):
    """The request has exceeded its deadline. `except Exception` does not catch this."""


@dataclass(slots=True)
class Work:
    """A request running in a thread, with its deadline and database connection."""

    thread: int
    until: float
    database: Any
    is_finished: bool = False
    ending: threading.Lock = field(default_factory=threading.Lock)

    def is_late(self) -> bool:
        return time.monotonic() > self.until

    def check(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Wrap each database statement, so that none starts after the deadline."""
        if self.is_late():
            raise DeadlineExceededError
        return execute(*statement)

    def end_statement(self) -> None:
        """Cancel the statement that the database is running for this request, if any."""
        with self.ending:
            if not self.is_finished and (raw := self.database.connection) is not None:
                with suppress(Exception):  # the connection may already be closed
                    raw.interrupt() if self.database.vendor == "sqlite" else raw.cancel()

    def finish(self) -> None:
        """Note the end, so that no statement of the thread's next request is canceled."""
        with self.ending:
            self.is_finished = True


class Watch(threading.Thread):
    """The thread that stops this process's late requests."""

    def __init__(self) -> None:
        super().__init__(name="deadlines", daemon=True)
        self.lock = threading.Lock()
        self.at_work: dict[int, Work] = {}

    def run(self) -> None:
        while True:
            time.sleep(LOOKS_EVERY)
            with self.lock:
                requests = [*self.at_work.values()]
            # outside the lock, because canceling can be slow if the server is unavailable
            for request in requests:
                if request.is_late():
                    request.end_statement()

    def begin(self, work: Work) -> None:
        with self.lock:
            self.at_work[work.thread] = work

    def finish(self, work: Work) -> None:
        with self.lock:
            self.at_work.pop(work.thread, None)
        work.finish()


_starting = threading.Lock()
_watch: Watch | None = None


def end_late_requests(get_response: GetResponse) -> GetResponse:
    """Middleware: return 503 for requests that exceed their deadline."""

    def answered(request: HttpRequest) -> HttpResponse:
        writes_take = IMPORTS_TAKE if is_import(request.path_info) else WRITES_TAKE
        takes = 1 if request.method in READS else writes_take
        seconds = float(settings.WORK_SECONDS) * takes
        database = connections[DEFAULT_DB_ALIAS]  # database connections are local to the thread
        work = Work(threading.get_ident(), time.monotonic() + seconds, database)
        watch = _watching()
        watch.begin(work)
        try:
            with database.execute_wrapper(work.check):
                return get_response(request)
        except DeadlineExceededError:
            logger.warning("A request was ended after %.0f seconds.", seconds)
            response = error_response(request, 503, TOO_LONG)
            response.headers["Retry-After"] = str(RETRY_SECONDS)
            return response
        finally:
            watch.finish(work)

    return answered


def _watching() -> Watch:
    """Return this process's watch. A fork does not inherit its parent's thread."""
    global _watch  # noqa: PLW0603 (one per process)
    if _watch is None or not _watch.is_alive():
        with _starting:
            if _watch is None or not _watch.is_alive():
                _watch = Watch()
                _watch.start()
    return _watch
