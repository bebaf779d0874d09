"""Is the process alive, and can it do its work: for whoever starts, stops and watches it."""

from collections.abc import Callable

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.queues import queues

# The longest lease is five minutes: what is older than two of them nobody comes for.
LONGEST_WAIT = 600.0
READY = "ok"
WATCHED = ("/healthz", "/health", "/readyz", "/metrics")
Answer = Callable[[HttpRequest], HttpResponse]


def watched(get_response: Answer) -> Answer:
    """Middleware: let those who watch ask by an address, which no list of names can hold."""

    def answered(request: HttpRequest) -> HttpResponse:
        if request.path in WATCHED:
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
    """Say whether the database answers, is migrated, and its queues move; 503 where one is not."""
    told: dict[str, str] = {}
    for name, look in CHECKS.items():
        try:
            told[name] = look()
        except DatabaseError:
            # Its own words may name the server and the user.
            told[name] = "the database does not answer"
            break
    fine = all(said == READY for said in told.values())
    return JsonResponse({"ready": fine, **told}, status=200 if fine else 503)


def reach_database() -> None:
    """Raise DatabaseError where the database does not answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _database() -> str:
    reach_database()
    return READY


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    wanted = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(wanted)} to be applied" if wanted else READY


def _work() -> str:
    late = [queue for queue in queues() if queue.seconds > LONGEST_WAIT]
    return ", ".join(f"{each.name} wait for {each.seconds:.0f} s" for each in late) or READY


CHECKS: dict[str, Callable[[], str]] = {
    "database": _database,
    "migrations": _migrations,
    "work": _work,
}
