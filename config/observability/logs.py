"""How the service logs: one line each, with the id of the request, and never a secret.

A request's id comes with it in X-Request-ID or is made here; it is in every line that the request
leaves behind, goes along with the tasks that it sends, and is given back in the answer.
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
# The form of ids from outside that are logged: short, and without line breaks.
SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
HIDDEN = "***"
NAMED = "key|token|code|password|secret|sessionid|csrftoken"
# Where addresses have tokens, keys and codes; a test compares it with the addresses themselves.
OPENED_BY = "receipts|replays|screens|join|invitations|answers|accounts|email|link|reset"
# An error may quote an address or a header.
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
Answer = Callable[[HttpRequest], HttpResponse]


def redacted(text: str) -> str:
    """Return the text without what would let its reader in."""
    for secret in SECRETS:
        text = secret.sub(rf"\1{HIDDEN}", text)
    return text


class Plain(logging.Formatter):
    """A line to read; a traceback follows on lines of its own."""

    def __init__(self) -> None:
        form = "{asctime} {levelname} {name} [{request}]: {message}"
        super().__init__(form, style="{", defaults={"request": NONE})

    def format(self, record: logging.LogRecord) -> str:
        record.request = request_id.get()
        return redacted(super().format(record))


class Json(logging.Formatter):
    """A JSON object on one line, whatever the message holds."""

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
    """Return what `logging.config.dictConfig` takes, in every process alike."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"config.observability.logs.{form.capitalize()}"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True, "level": "NOTSET"},
            # Of each name that a page does not find it says all that the page knows.
            "django.template": {"level": "INFO"},
            # It warns of every ordinary end of a worker.
            "celery.worker.control": {"level": "ERROR"},
            # It reports clients that leave or send no HTTP. What fails `config.server` reports.
            "uvicorn.error": {"level": "CRITICAL"},
        },
    }


def with_request_id(get_response: Answer) -> Answer:
    """Middleware: give the request its id, in all lines and in the answer.

    Django logs what it answers behind all middleware, so the id stays until the answer is sent.
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
    """Receive Celery's before_task_publish: the id of the request goes along with the task."""
    if headers is not None and request_id.get() != NONE:
        headers["request_id"] = request_id.get()


def note_task(task_id: str = "", task: Any = None, **_: object) -> None:
    """Receive task_prerun: lines of the task have the request's id, else the task's own."""
    given = str(getattr(task.request, "request_id", None) or "")
    request_id.set(given if SANE.fullmatch(given) else task_id)


def forget(**_: object) -> None:
    """Receive request_finished and task_postrun: what comes next is another's."""
    request_id.set(NONE)


def keep_celery_in_line(loglevel: int | None = None, **_: object) -> None:
    """Receive setup_logging: Celery logs as the settings say, itself as `--loglevel` says."""
    if loglevel:
        logging.getLogger("celery").setLevel(loglevel)
