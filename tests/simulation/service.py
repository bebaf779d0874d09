"""The service in this process: requests as from a web server, and jobs as from workers."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test import RequestFactory

from config.celery import app
from config.wsgi import application
from league import tasks
from league.jobs import queues
from league.jobs.queues import RoundRobin
from tests.simulation.faults import GONE, Database, Fault

QUEUES = {
    "closings": tasks.CLOSINGS,
    "counting": tasks.COUNTING,
    "webhooks": tasks.WEBHOOKS,
    "pushes": tasks.PUSHES,
    "chat": tasks.CHAT,
    "letters": tasks.MAIL,
    "checks": tasks.CHECKS,
}
BEAT: dict[str, Callable[[], object]] = {
    "the sweep": tasks.sweep,
    "reminders of payers": tasks.remind_payers,
    "plans of nights": tasks.plan_nights,
}


@dataclass(frozen=True)
class Answer:
    """A response. The status is None if the process was killed before it was sent."""

    status: int | None
    body: bytes = b""
    etag: str = ""

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def is_sure(self) -> bool:
        """Return whether the response is definite, i.e. not a killed process or a server error."""
        return self.status is not None and self.status < 500


class ErrorLog(logging.Handler):
    """Collects errors logged by the service, which keeps running after some errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        wrong = record.exc_info[1] if record.exc_info else None
        self.records.append(f"{record.getMessage()} {wrong!r}")


class Service:
    """The service. Each request or job has at most one fault."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.requests = RequestFactory(SERVER_NAME="localhost")
        self.error_log = ErrorLog()
        app.conf.task_always_eager = True

    def ask(
        self,
        token: str,
        method: str,
        path: str,
        body: Any = None,
        key: str = "",
        *,
        tag: str = "",
        fault: Fault | None = None,
    ) -> Answer:
        """Send a request, optionally with an Idempotency-Key or an entity tag."""
        named = {"Authorization": f"Bearer {token}", "Idempotency-Key": key, "If-None-Match": tag}
        headers = {name: value for name, value in named.items() if value}
        text = b"" if body is None else json.dumps(body).encode()
        request = self.requests.generic(
            method, path, text, content_type="application/json", headers=headers
        )
        return self._answer(request, fault)

    def submit(
        self, session: str, path: str, fields: Mapping[str, str], *, fault: Fault | None = None
    ) -> Answer:
        """Submit the form of a page in a browser."""
        secret = "x" * CSRF_SECRET_LENGTH
        cookies = {settings.SESSION_COOKIE_NAME: session, settings.CSRF_COOKIE_NAME: secret}
        request = self.requests.post(
            path,
            urlencode({"csrfmiddlewaretoken": secret, **fields}),
            content_type="application/x-www-form-urlencoded",
            headers={"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())},
        )
        return self._answer(request, fault)

    def _answer(self, request: WSGIRequest, fault: Fault | None) -> Answer:
        head_parts: list[Any] = []
        with self._may_fail(fault):
            try:
                answer = application(request.environ, lambda *head: head_parts.extend(head))
                whole = b"".join(answer)
                answer.close()
            except GONE:
                cache.clear()
                return Answer(None)
        return Answer(int(head_parts[0].split()[0]), whole, dict(head_parts[1]).get("ETag", ""))

    def work(self, name: str, *, fault: Fault | None = None) -> bool:
        """Run one task in a new worker. Return whether the worker survived."""
        for queue in QUEUES.values():
            queue.round_robin = RoundRobin(queue.most_at_once)  # type: ignore[attr-defined]
        do = BEAT[name] if name in BEAT else lambda: queues.wake(QUEUES[name])
        try:
            with self._may_fail(fault):
                do()
        except GONE:
            cache.clear()
            return False
        except Exception:
            # A worker logs the error and retries on its next run.
            if not self.database.struck:
                raise
            return False
        return True

    @contextmanager
    def _may_fail(self, fault: Fault | None) -> Iterator[None]:
        """Arm the fault. Its log entries are expected."""
        try:
            with self.database.may_fail(fault):
                yield
        finally:
            if self.database.struck:
                self.error_log.records.clear()

    def restart(self) -> None:
        """Restart the process, which loses cached data."""
        connection.close()
        cache.clear()
