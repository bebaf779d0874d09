"""What is measured, for Prometheus: requests by route, and what waits in the database.

Each process counts for itself; where several serve one port, they share the files of METRICS_DIR.
"""

import time
from collections.abc import Callable, Iterator
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe
from prometheus_client import REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from config.observability.logs import requests as requests_log
from config.observability.monitoring_access import has_token
from league.jobs.queue_metrics import queue_depths
from league.models import Closing, LogbookEntry

UNROUTED = "none"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
Answer = Callable[[HttpRequest], HttpResponse]

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
