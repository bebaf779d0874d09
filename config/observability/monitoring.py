"""Health and metrics, and who may read them."""

import hmac
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from ipaddress import ip_address
from threading import Lock

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config.observability.logs import requests as requests_log
from league.common.client_ip import address_of
from league.jobs import heartbeats
from league.jobs.queues import queue_depths
from league.models import Closing, LogbookEntry


def has_token(request: HttpRequest) -> bool:
    """Tell whether the request brings METRICS_TOKEN; without that variable none does."""
    if not settings.METRICS_TOKEN:
        return False
    given = request.headers.get("Authorization", "")
    return hmac.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def is_from_this_machine(request: HttpRequest) -> bool:
    """Tell whether it comes from this machine, and was passed on by nobody."""
    if not settings.BEHIND_HTTPS and "X-Forwarded-For" in request.headers:
        return False
    try:
        return ip_address(address_of(request)).is_loopback
    except ValueError:  # a socket without an address, or a word of the proxy's own
        return False


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


UNROUTED = "none"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

REQUESTS = Histogram(
    "dealers_choice_request_seconds",
    "Requests by the name of their route, and how long each took.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)


def count_requests(get_response: Answer) -> Answer:
    """Middleware: count and log the request by its route, since addresses hold tokens."""

    def answered(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        seconds = time.perf_counter() - began
        route = request.resolver_match.view_name if request.resolver_match else UNROUTED
        # Anyone may send a method of their own making, and each label is a row for ever.
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).observe(seconds)
        fields = {"method": method, "route": route, "status": response.status_code}
        fields["milliseconds"] = round(seconds * 1000)
        line = "%(method)s %(route)s %(status)s, %(milliseconds)s ms"
        requests_log.info(line, fields, extra=fields)
        return response

    return answered


class Database(Collector):
    """What the rows say, whichever process made them."""

    def collect(self) -> Iterator[Metric]:
        depth = GaugeMetricFamily(
            "dealers_choice_queue_depth", "Rows that wait for a worker.", labels=["queue"]
        )
        age = GaugeMetricFamily(
            "dealers_choice_queue_age_seconds",
            "How long the oldest of them has been due.",
            labels=["queue"],
        )
        for queue in queue_depths():
            depth.add_metric([queue.name], queue.waiting)
            age.add_metric([queue.name], queue.seconds)
        yield depth
        yield age
        closings = "Closings of nights, also of those that were closed again."
        count = Closing.objects.count()
        yield CounterMetricFamily("dealers_choice_closings", closings, value=count)
        failed = LogbookEntry.objects.filter(kind=LogbookEntry.Kind.AUDIT_FAILED).count()
        audits = "Audits that found something that does not hold."
        yield CounterMetricFamily("dealers_choice_audit_failures", audits, value=failed)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Show the measures to whoever brings METRICS_TOKEN; without that variable nobody."""
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound()
    if not has_token(request):
        refused = HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        refused.headers["WWW-Authenticate"] = "Bearer"
        return refused
    text = generate_latest(_counted()) + generate_latest(_stored())
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


def _counted() -> CollectorRegistry:
    """Return what the processes have counted: this one, or all that share the folder."""
    if not settings.METRICS_DIR:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry, settings.METRICS_DIR)  # type: ignore[no-untyped-call]
    return registry


def _stored() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(Database())
    return registry
