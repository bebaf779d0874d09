"""The scope of a statistics page, and the cache for its figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar
from uuid import UUID

from django.core.cache import cache
from django.db.models import Count, Exists, OuterRef, Subquery, UUIDField, Value
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.closing.payments import sent_chips
from league.closing.standings import by_counts, on_the_table, standings
from league.common.statements import Given, Statement
from league.models import Hand, League, Night, PaymentPlan, RenderedChart, Season
from league.nights.nights import UNPLAYED
from league.pages.seasons import html_tables
from league.pages.seasons.season_charts import Chart, ChartPanel, chart_panels
from league.scoring.season_table import option_of, scored_table
from league.stats.league_state import LeagueState
from league.stats.scopes import Scope, of_all_time, of_season

EVER = "all"


@dataclass(frozen=True, slots=True)
class CountingState:
    """A league's counting progress. `waiting` is how many hands are not counted yet."""

    waiting: int
    begun: bool
    hands: bool

    @property
    def first(self) -> bool:
        """Return whether there are hands but none of them has been counted."""
        return self.hands and not self.begun


@dataclass(frozen=True, slots=True)
class SeasonChoice:
    """The available seasons and the chosen season. `season` is None for all time."""

    seasons: Sequence[Season]
    season: Season | None
    scope: Scope

    @property
    def title(self) -> str:
        return str(self.season) if self.season else _("All time")

    @property
    def parameter(self) -> str:
        """Return the value of the URL parameter `season`."""
        return str(self.season.pk) if self.season else EVER


def chosen(request: HttpRequest, league: League, season: UUID | None = None) -> SeasonChoice:
    """Return the requested season, or all time by default. Raises Http404 for unknown seasons.

    The seasons are sorted latest first, and annotated with `closed_nights`, `has_plans` and
    `has_open_night`.
    """
    seasons = []
    for row in _SEASONS.rows(league=league.pk):
        each = Season.from_db(_SEASONS.query.db, _FIELDS, row[: len(_FIELDS)])
        each.league = league
        vars(each).update(zip(_BESIDE, row[len(_FIELDS) :], strict=True))
        seasons.append(each)
    parameter = str(season) if season else request.GET.get("season", EVER)
    if parameter in ("", EVER):
        return SeasonChoice(seasons, None, of_all_time(league))
    chosen_season = next((each for each in seasons if str(each.pk) == parameter), None)
    if chosen_season is None:
        raise Http404
    return SeasonChoice(seasons, chosen_season, of_season(chosen_season))


_FIELDS = tuple(
    field.attname
    for field in Season._meta.concrete_fields  # noqa: SLF001 (public API)
)
_CLOSED = (
    Night.objects.filter(season=OuterRef("pk"), state=Night.State.CLOSED)
    .exclude(UNPLAYED)
    .order_by()
    .values("season")
    .annotate(number_of_nights=Count("pk"))
)
_BESIDE = {
    "closed_nights": Coalesce(Subquery(_CLOSED.values("number_of_nights")), Value(0)),
    "has_plans": Exists(PaymentPlan.objects.filter(season=OuterRef("pk"), closing=None)),
    "has_open_night": Exists(Night.objects.filter(season=OuterRef("pk"), state=Night.State.OPEN)),
}
_SEASONS = Statement(
    Season.objects.filter(league=Given("league", UUIDField()))
    .annotate(**_BESIDE)
    .order_by("-starts_on", "name"),
    *_FIELDS,
    *_BESIDE,
)


def counted(state: LeagueState) -> CountingState:
    """Return the league's counting progress."""
    begun = state.version > 0
    hands = begun or Hand.objects.filter(night__season__league=state.league).exists()
    return CountingState(state.waiting, begun, hands)


SECONDS = 600
T = TypeVar("T")


class StatsCache:
    """A cache for a scope's statistics. Read `state` before reading the statistics.

    The key contains the version of player and game names, because renaming does not change any
    count. `about` identifies a part of the scope, such as a player. It is empty for the whole
    scope.
    """

    def __init__(self, state: LeagueState, scope: Scope, about: str = "") -> None:
        self.named = f"stats:{scope.league}:{state.names_version}:{get_language()}"
        version = f"{state.version}:{state.last_closing}"
        self.key = f"{self.named}:{version}:{scope.season}:{_short(about)}"

    def get(self, name: str, make: Callable[[], T]) -> T:
        """Return the cached value `name`. If it is missing, `make` computes it."""
        return _cached(f"{self.key}:{name}", make)

    def lasting(self, key: str, make: Callable[[], T]) -> T:
        """Return a cached value that depends only on `key` and on names, not on counted hands."""
        return _cached(f"{self.named}:{_short(key)}", make)

    def chart_panels(self, league: League, make: Callable[[], Sequence[Chart]]) -> list[ChartPanel]:
        """Return the rendered charts. `make` is called only if the charts are not cached."""
        cached: list[tuple[Chart, str]] = cache.get(f"{self.key}:charts") or []
        rows = RenderedChart.objects.filter(pk__in=[digest for _, digest in cached])
        drawn = {row.pk: row for row in rows.defer("documents", "pictures")}
        if cached and len(drawn) == len(cached):
            return [ChartPanel(chart, drawn[digest]) for chart, digest in cached]
        panels = chart_panels(league, make())
        bare = [(replace(each.chart, rows=()), each.rendered.pk) for each in panels]
        cache.set(f"{self.key}:charts", bare, SECONDS)
        return panels


def cached_standings(state: LeagueState, season: Season) -> SafeString:
    """Return the cached standings.

    Only closings, tabs, sent payments and new names invalidate the cache.
    """
    sent = sent_chips(season.league)
    version = f"{state.last_closing}:{state.last_on_tabs}:{state.names_version}"
    version += f":{_short(repr([sorted(each.items()) for each in sent]))}"
    key = f"standings:{season.pk}:{version}:{get_language()}"
    names = html_tables.Names(str(season.pk))
    return _cached(
        key,
        lambda: html_tables.standings(
            standings(season),
            names,
            by_counts(season),
            on_the_table(season.league),
            sent,
            season.league,
        ),
    )


def cached_points(state: LeagueState, season: Season) -> SafeString:
    """Return the cached table of points, or an empty string if the season is scored by net."""
    option = option_of(season)
    if option.is_usual:
        return SafeString("")
    version = f"{state.last_closing}:{state.names_version}:{_short(repr(option))}"
    names = html_tables.Names(str(season.pk))
    return _cached(
        f"points:{season.pk}:{version}:{get_language()}",
        lambda: html_tables.scores(scored_table(season), option, names),
    )


def _cached(key: str, make: Callable[[], T]) -> T:
    value: T | None = cache.get(key)
    if value is None:
        value = make()
        cache.set(key, value, SECONDS)
    return value


def _short(text: str) -> str:
    """Return a hash of the text for use in a cache key."""
    return sha256(text.encode()).hexdigest()[:32] if text else ""
