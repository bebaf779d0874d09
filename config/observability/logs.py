"""Logs: one line per message, with the request's id and without secrets.

A request's id is taken from X-Request-ID or generated. It appears in every line that the request
logs, is passed to the tasks that it sends, and is returned in a response header.
"""

import json
import logging
import re
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
NONE = "-"
# The accepted format for external request ids: short and without line breaks.
SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
HIDDEN = "***"
NAMED = "key|token|code|password|secret|sessionid|csrftoken"
# URL path segments that are followed by tokens, keys or codes. A test compares them with the URLs.
OPENED_BY = "receipts|replays|screens|join|invitations|answers|accounts|email|link|reset"
# Secrets in URLs and headers that error messages may quote.
SECRETS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(/(?:{OPENED_BY})/+)[^/\s?&#\"'<>]+",
        rf"((?:{NAMED})[\"']?\s*[=:]\s*[\"']?)[^\s&;,\"'<>]+",
        r"([?&]k=)[^\s&;,\"'<>]+",
        r"((?:bearer|token|basic)\s+)[A-Za-z0-9._~+/=-]{8,}",
        r"(\bdealer_)[A-Za-z0-9]+",
        r"(\bwhsec_)[A-Za-z0-9+/=_-]+",
        r"(://[^/\s:@]*:)[^/\s@]+(?=@)",
    )
)
FIELDS = ("method", "route", "status", "milliseconds")

requests = logging.getLogger("config.requests")
request_id: ContextVar[str] = ContextVar("request_id", default=NONE)
GetResponse = Callable[[HttpRequest], HttpResponse]


def redacted(text: str) -> str:
    """Return the text, with secrets that grant access replaced by `***`."""
    for secret in SECRETS:
        text = secret.sub(rf"\1{HIDDEN}", text)
    return text


class Plain(logging.Formatter):
    """Formats a record as a readable line. Tracebacks follow on separate lines."""

    def __init__(self) -> None:
        form = "{asctime} {levelname} {name} [{request}]: {message}"
        super().__init__(form, style="{", defaults={"request": NONE})

    def format(self, record: logging.LogRecord) -> str:
        record.request = request_id.get()
        return redacted(super().format(record))


class Json(logging.Formatter):
    """Formats a record as a JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, tz=UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "request": request_id.get(),
            "message": redacted(record.getMessage()),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["error"] = redacted("".join(traceback.format_exception(*record.exc_info)))
        return json.dumps(line, default=str)


def configuration(*, form: str, level: str) -> dict[str, Any]:
    """Return the configuration for `logging.config.dictConfig`, which all processes share."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"config.observability.logs.{form.capitalize()}"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True, "level": "NOTSET"},
            # At DEBUG, this logger writes the whole context for each variable that a template is
            # missing.
            "django.template": {"level": "INFO"},
            # This logger warns about every normal worker shutdown.
            "celery.worker.control": {"level": "ERROR"},
            # This logger reports clients that disconnect or send invalid HTTP. Failures are logged
            # by `config.server`.
            "uvicorn.error": {"level": "CRITICAL"},
        },
    }


def with_request_id(get_response: GetResponse) -> GetResponse:
    """Middleware: set the request's id for its log lines and in the response header.

    Django logs errors outside of all middleware, so the id stays set until the response has been
    sent.
    """
    request_finished.connect(forget, dispatch_uid="request-id")

    def answered(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        chosen_id = given if SANE.fullmatch(given) else uuid4().hex
        request_id.set(chosen_id)
        response = get_response(request)
        response.headers[HEADER] = chosen_id
        return response

    return answered


def note_publish(headers: dict[str, Any] | None = None, **_: object) -> None:
    """Handle Celery's before_task_publish: pass the request's id to the task."""
    if headers is not None and request_id.get() != NONE:
        headers["request_id"] = request_id.get()


def note_task(task_id: str = "", task: Any = None, **_: object) -> None:
    """Handle task_prerun: log the task's lines with the request's id, or with the task's own id."""
    given = str(getattr(task.request, "request_id", None) or "")
    request_id.set(given if SANE.fullmatch(given) else task_id)


def forget(**_: object) -> None:
    """Handle request_finished and task_postrun: reset the id before the next request or task."""
    request_id.set(NONE)


def keep_logging_configuration(loglevel: int | None = None, **_: object) -> None:
    """Handle setup_logging: keep this configuration. `--loglevel` applies to Celery's logger."""
    if loglevel:
        logging.getLogger("celery").setLevel(loglevel)
