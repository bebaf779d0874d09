"""What pages keep of the stats: by the version of what is counted, so it is never stale."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

from django.core.cache import cache
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from league.closing.standings import by_counts, on_the_table, standings
from league.models import League, RenderedChart, Season
from league.pages.seasons import html_tables
from league.pages.seasons.season_charts import Chart, ChartPanel, chart_panels
from league.stats.league_state import LeagueState
from league.stats.scopes import Scope

SECONDS = 600
T = TypeVar("T")


class StatsCache:
    """A cache of the stats of a scope. Pass a state that was read before the stats.

    The version of player and game names is part of the key, since renaming changes no count.
    `about` identifies a part of the scope, such as a player. It is empty for the whole scope.
    """

    def __init__(self, state: LeagueState, scope: Scope, about: str = "") -> None:
        self.named = f"stats:{scope.league}:{state.names_version}:{get_language()}"
        self.key = f"{self.named}:{state.version}:{scope.season}:{_short(about)}"

    def get(self, name: str, make: Callable[[], T]) -> T:
        """Return the cached value of this name. `make` computes a missing value."""
        return _kept(f"{self.key}:{name}", make)

    def lasting(self, told: str, make: Callable[[], T]) -> T:
        """Return a cached value that depends only on `told` and on names, not on new counts."""
        return _kept(f"{self.named}:{_short(told)}", make)

    def chart_panels(self, league: League, make: Callable[[], Sequence[Chart]]) -> list[ChartPanel]:
        """Return the rendered charts. `make` is called only if they are not cached."""
        known: list[tuple[Chart, str]] = cache.get(f"{self.key}:charts") or []
        rows = RenderedChart.objects.filter(pk__in=[digest for _, digest in known])
        drawn = {row.pk: row for row in rows.defer("documents", "pictures")}
        if known and len(drawn) == len(known):
            return [ChartPanel(chart, drawn[digest]) for chart, digest in known]
        found = chart_panels(league, make())
        bare = [(replace(each.chart, rows=()), each.rendered.pk) for each in found]
        cache.set(f"{self.key}:charts", bare, SECONDS)
        return found


def places_of(state: LeagueState, season: Season) -> SafeString:
    """Return the cached standings. They depend on closings and tabs, so most hands keep them."""
    version = f"{state.closings}:{state.last_on_tabs}:{state.names_version}"
    key = f"standings:{season.pk}:{version}:{get_language()}"
    names = html_tables.Names(str(season.pk))
    return _kept(key, lambda: _places(season, names))


def _places(season: Season, names: html_tables.Names) -> SafeString:
    counts, open_chips = by_counts(season), on_the_table(season.league)
    return html_tables.standings(standings(season), names, counts, open_chips)


def _kept(key: str, make: Callable[[], T]) -> T:
    found: T | None = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, SECONDS)
    return found


def _short(told: str) -> str:
    """Return a hash of the text that is safe in a cache key."""
    return sha256(told.encode()).hexdigest()[:32] if told else ""
