"""A request that works longer than WORK_SECONDS is ended and answered 503.

A request that only reads is ended wherever it is. One that writes has four times as long, one that
imports files twenty times, and ends at a statement of the database, so that its transaction is
rolled back as a whole. An answer that
is sent in parts, such as an export, is past this middleware when it is sent.
"""

import ctypes
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse

from config.web.error_responses import error_response
from config.web.middleware import is_import

logger = logging.getLogger(__name__)

TOO_LONG = "This took too long and was ended. Try again in a minute."
RETRY_SECONDS = 60
WRITES_TAKE = 4  # times as long as reads
IMPORTS_TAKE = 20  # 20 MB are 17,000 hands, which take a minute; what was recorded stays
READS = ("GET", "HEAD", "OPTIONS")
LOOKS_EVERY = 0.25
Answer = Callable[[HttpRequest], HttpResponse]


class DeadlineExceededError(BaseException):
    """The request has had its time. No `except Exception` on the way keeps it."""


@dataclass(slots=True)
class Work:
    """A request at work in a thread, until when it may, and its connection to the database."""

    thread: int
    until: float
    reads: bool
    database: Any
    ended: bool = False

    def is_late(self) -> bool:
        return time.monotonic() > self.until

    def check(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Wrap each statement of the database: none begins after the deadline."""
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
            with suppress(Exception):  # it may be closed by now
                raw.interrupt() if self.database.vendor == "sqlite" else raw.cancel()


class Watch(threading.Thread):
    """The thread that ends late requests of this process."""

    def __init__(self) -> None:
        super().__init__(name="deadlines", daemon=True)
        self.lock = threading.Lock()
        self.at_work: dict[int, Work] = {}

    def run(self) -> None:
        while True:
            time.sleep(LOOKS_EVERY)
            with self.lock:  # or it would end the next request of the thread
                late = [each for each in self.at_work.values() if each.is_late()]
                for each in late:
                    each.end()
            for each in late:  # without the lock: a server that is away may not answer
                if self.at_work.get(each.thread) is each:
                    each.end_statement()

    def begin(self, work: Work) -> None:
        with self.lock:
            self.at_work[work.thread] = work

    def finish(self, work: Work) -> None:
        with self.lock:
            self.at_work.pop(work.thread, None)
            _raise_in(work.thread, None)  # what was to be raised and was not yet


_starting = threading.Lock()
_watch: Watch | None = None


def end_late_requests(get_response: Answer) -> Answer:
    """Middleware: answer 503 where the request has worked too long."""

    def answered(request: HttpRequest) -> HttpResponse:
        reads = request.method in READS
        writes_take = IMPORTS_TAKE if is_import(request.path_info) else WRITES_TAKE
        seconds = float(settings.WORK_SECONDS) * (1 if reads else writes_take)
        database = connections[DEFAULT_DB_ALIAS]  # that of this thread
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
            watch.finish(work)  # it may have been raised before the first time was over
            logger.warning("A request was ended after %.0f seconds.", seconds)
            response = error_response(request, 503, TOO_LONG)
            response.headers["Retry-After"] = str(RETRY_SECONDS)
            return response

    return answered


def _watching() -> Watch:
    """Return the watch of this process; a fork has no thread of its parent."""
    global _watch  # noqa: PLW0603 (one for all requests)
    if _watch is None or not _watch.is_alive():
        with _starting:
            if _watch is None or not _watch.is_alive():
                _watch = Watch()
                _watch.start()
    return _watch


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise the error in the thread before its next step; None takes back what was to be raised."""
    raised = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
