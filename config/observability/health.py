"""Is the process alive, and can it do its work: for whoever starts, stops and watches it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from threading import Lock

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.observability.monitoring_access import has_token, is_from_this_machine
from league.jobs import heartbeats
from league.jobs.queue_metrics import queue_depths

# Longer than any lease several times over: what is older nobody comes for.
LONGEST_WAIT = 600.0
READY = "ok"
# Looking costs a few queries, and nobody has to be known to ask.
KEPT_SECONDS = 1.0
MONITORED = ("/healthz", "/health", "/readyz", "/metrics")
Answer = Callable[[HttpRequest], HttpResponse]


def allow_any_host(get_response: Answer) -> Answer:
    """Middleware: let those who watch ask by an address, which no list of names can hold."""

    def answered(request: HttpRequest) -> HttpResponse:
        if request.path in MONITORED:
            request.META["HTTP_HOST"] = "localhost"
        return get_response(request)

    return answered


@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """Answer "ok", and touch nothing for it: a database that is away is no reason to be ended."""
    return HttpResponse("ok", content_type="text/plain")


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Say whether the database answers, is migrated, and its queues move; 503 where one is not.

    Which of them, and what is wrong with it, is for whoever looks after the service.
    """
    results = _state()
    fine = all(said == READY for said in results.values())
    shown = results if has_token(request) or is_from_this_machine(request) else {}
    return JsonResponse({"ready": fine, **shown}, status=200 if fine else 503)


def forget_checks() -> None:
    """Forget what was found: whoever asks next learns how it is now."""
    _found.results, _found.at = {}, -KEPT_SECONDS


@dataclass
class CheckResults:
    """What the checks said, and when, by the monotonic clock."""

    results: dict[str, str] = field(default_factory=dict)
    at: float = -KEPT_SECONDS


_found, _looking = CheckResults(), Lock()


def _state() -> dict[str, str]:
    """Return what the checks say, or have just said: anybody may ask as often as they like.

    While one request looks, others learn what was found before.
    """
    old = time.monotonic() - _found.at >= KEPT_SECONDS
    if old and _looking.acquire(blocking=not _found.results):
        try:
            if time.monotonic() - _found.at >= KEPT_SECONDS:
                _found.results, _found.at = _look(), time.monotonic()
        finally:
            _looking.release()
    return _found.results


def _look() -> dict[str, str]:
    """Ask one after the other until one fails: of what follows, nothing could be said."""
    results: dict[str, str] = {}
    for name, look in CHECKS.items():
        try:
            results[name] = look()
        except DatabaseError:
            # Its own words may name the server and the user.
            results[name] = "the database does not answer"
        if results[name] != READY:
            break
    return results


def reach_database() -> None:
    """Raise DatabaseError where the database does not answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _database() -> str:
    reach_database()
    return READY


def _migrations() -> str:
    """Count what is to be applied; where the last of each app are, nothing is."""
    applied = MigrationRecorder(connection).applied_migrations()
    if _last_ones() <= applied.keys():
        return READY
    executor = MigrationExecutor(connection)
    wanted = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(wanted)} to be applied" if wanted else READY


@cache
def _last_ones() -> frozenset[tuple[str, str]]:
    """Return the migrations that no other follows; reading their files takes most of the time."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def work() -> str:
    late = [queue for queue in queue_depths() if queue.seconds > LONGEST_WAIT]
    return ", ".join(f"{each.name} wait for {each.seconds:.0f} s" for each in late) or READY


def processes() -> str:
    minutes = int(heartbeats.SILENT_AFTER.total_seconds() // 60)
    missing = [f"no {each} has reported for {minutes} minutes" for each in heartbeats.silent()]
    return ", ".join(missing) or READY


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "migrations": _migrations,
    "work": work,
    "processes": processes,
}
