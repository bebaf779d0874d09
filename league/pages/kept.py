"""What pages keep of the stats: by the version of what is counted, so it is never stale."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from django.core.cache import cache
from django.utils.translation import get_language

from league.models import Drawing, League, StatsState
from league.pages.plates import Chart, Plate, plates
from league.stats.scopes import Scope

SECONDS = 600
T = TypeVar("T")


class Kept:
    """The stats of a scope; the version is read first, so what is kept is never older than it."""

    def __init__(self, scope: Scope) -> None:
        version = StatsState.objects.filter(pk=scope.league).values_list("version", flat=True)
        self.key = f"stats:{scope.league}:{version.first()}:{scope.season}:{get_language()}"

    def get(self, name: str, make: Callable[[], T]) -> T:
        """Return what is kept by this name, made if it is not."""
        found: T | None = cache.get(f"{self.key}:{name}")
        if found is None:
            found = make()
            cache.set(f"{self.key}:{name}", found, SECONDS)
        return found

    def plates(self, league: League, make: Callable[[], Sequence[Chart]]) -> list[Plate]:
        """Return the charts with their drawings; their rows are read only to draw them."""
        known: list[tuple[Chart, str]] = cache.get(f"{self.key}:charts") or []
        rows = Drawing.objects.filter(pk__in=[digest for _, digest in known])
        drawn = {row.pk: row for row in rows.defer("documents", "pictures")}
        if known and len(drawn) == len(known):
            return [Plate(chart, drawn[digest]) for chart, digest in known]
        found = plates(league, make())
        bare = [(replace(each.chart, rows=()), each.drawing.pk) for each in found]
        cache.set(f"{self.key}:charts", bare, SECONDS)
        return found
