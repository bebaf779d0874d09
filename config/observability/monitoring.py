"""Health checks and metrics, and who may read them."""

import hmac
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from ipaddress import ip_address
from threading import Lock

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
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

from config.observability.logs import GetResponse
from config.observability.logs import requests as requests_log
from league.common.client_ip import address_of
from league.jobs import last_runs
from league.jobs.queues import queue_depths
from league.models import Closing, LogbookEntry


def has_token(request: HttpRequest) -> bool:
    """Return whether the request contains METRICS_TOKEN, or False if that variable is not set."""
    if not settings.METRICS_TOKEN:
        return False
    given = request.headers.get("Authorization", "")
    return hmac.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def is_from_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine and not through a proxy."""
    if not settings.BEHIND_HTTPS and "X-Forwarded-For" in request.headers:
        return False
    try:
        return ip_address(address_of(request)).is_loopback
    except ValueError:  # the client has no IP address, or the proxy has set an identifier instead
        return False


# Seconds. Several times longer than any lease, so rows that wait longer indicate a missing worker.
LONGEST_WAIT = 600.0
READY = "ok"
# How long results are cached, because the checks run queries and anyone can request them.
KEPT_SECONDS = 1.0
MONITORED = ("/healthz", "/health", "/readyz", "/metrics")


def allow_any_host(get_response: GetResponse) -> GetResponse:
    """Middleware: accept any Host header for monitoring, because probes may use an IP address."""

    def answered(request: HttpRequest) -> HttpResponse:
        if request.path in MONITORED:
            request.META["HTTP_HOST"] = "localhost"
        return get_response(request)

    return answered


@login_not_required
@never_cache
@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """Return "ok" without a query. An unavailable database is no reason to restart the process."""
    return HttpResponse("ok", content_type="text/plain")


def clear_checks() -> None:
    """Clear the cached results, so that the next request runs the checks."""
    _found.results, _found.at = {}, -KEPT_SECONDS


@dataclass
class CheckResults:
    """The check results, and when the checks ran on the monotonic clock."""

    results: dict[str, str] = field(default_factory=dict)
    at: float = -KEPT_SECONDS


_found, _looking = CheckResults(), Lock()


@login_not_required
@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if all checks pass, otherwise 503.

    The check results are included only for the service's operators. They are cached, because anyone
    can request them. While one request is running the checks, other requests get the previous
    results.
    """
    old = time.monotonic() - _found.at >= KEPT_SECONDS
    if old and _looking.acquire(blocking=not _found.results):
        try:
            if time.monotonic() - _found.at >= KEPT_SECONDS:
                _found.results, _found.at = _run_checks(), time.monotonic()
        finally:
            _looking.release()
    results = _found.results
    fine = all(state == READY for state in results.values())
    shown = results if has_token(request) or is_from_this_machine(request) else {}
    return JsonResponse({"ready": fine, **shown}, status=200 if fine else 503)


def _run_checks() -> dict[str, str]:
    """Run the checks in order until one fails, because later checks depend on earlier ones."""
    results: dict[str, str] = {}
    for name, look in CHECKS.items():
        try:
            results[name] = look()
        except DatabaseError:
            # The error message may reveal the server and the user.
            results[name] = "the database does not answer"
        if results[name] != READY:
            break
    return results


def reach_database() -> None:
    """Raise DatabaseError if the database does not respond."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _database() -> str:
    reach_database()
    return READY


def _migrations() -> str:
    """Return the number of unapplied migrations.

    The migration plan is not built if the last migration of each app is applied.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    if _latest_migrations() <= applied.keys():
        return READY
    executor = MigrationExecutor(connection)
    wanted = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(wanted)} to be applied" if wanted else READY


@cache
def _latest_migrations() -> frozenset[tuple[str, str]]:
    """Return each app's last migration. Cached because reading the files is slow."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def work() -> str:
    late = [queue for queue in queue_depths() if queue.seconds > LONGEST_WAIT]
    return ", ".join(f"{each.name} wait for {each.seconds:.0f} s" for each in late) or READY


def processes() -> str:
    minutes = int(last_runs.SILENT_AFTER.total_seconds() // 60)
    missing = [f"no {each} has reported for {minutes} minutes" for each in last_runs.silent()]
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


def count_requests(get_response: GetResponse) -> GetResponse:
    """Middleware: measure and log each request by its route, because URLs can contain tokens."""

    def answered(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        seconds = time.perf_counter() - began
        route = request.resolver_match.view_name if request.resolver_match else UNROUTED
        # Clients can send any method, and each label value would stay in memory.
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).observe(seconds)
        fields = {"method": method, "route": route, "status": response.status_code}
        fields["milliseconds"] = round(seconds * 1000)
        line = "%(method)s %(route)s %(status)s, %(milliseconds)s ms"
        requests_log.info(line, fields, extra=fields)
        return response

    return answered


class Database(Collector):
    """Metrics read from the database, whichever process wrote the rows."""

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
        closings = "Closings of nights, including repeated closings."
        count = Closing.objects.count()
        yield CounterMetricFamily("dealers_choice_closings", closings, value=count)
        failed = LogbookEntry.objects.filter(kind=LogbookEntry.Kind.AUDIT_FAILED).count()
        audits = "Audits that found an error."
        yield CounterMetricFamily("dealers_choice_audit_failures", audits, value=failed)


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics if the request has METRICS_TOKEN, or 404 if that variable is not set."""
    if not settings.METRICS_TOKEN:
        return HttpResponseNotFound()
    if not has_token(request):
        refused = HttpResponse(status=HTTPStatus.UNAUTHORIZED)
        refused.headers["WWW-Authenticate"] = "Bearer"
        return refused
    counted = REGISTRY
    if settings.METRICS_DIR:  # all processes that share this folder
        counted = CollectorRegistry()
        MultiProcessCollector(counted, settings.METRICS_DIR)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    registry.register(Database())
    text = generate_latest(counted) + generate_latest(registry)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)
