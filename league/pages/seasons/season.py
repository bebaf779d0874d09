"""The page for one season or all seasons: standings, figures, and notable hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_league, find_season, may
from league.archive.export_season import export_season, file_name
from league.archive.file_format import MEDIA_TYPE
from league.archive.import_season import import_season
from league.change_version import current_league_version
from league.charges.side_bets import night_with_season_high_hand
from league.common.errors import RefusedError
from league.common.text import by_name, name_order
from league.models import League, Night
from league.pages.parts.forms import show_errors
from league.pages.parts.numbers import minus, signed
from league.pages.parts.visitor import signed_in
from league.pages.payment_plans import SeasonPayments, forbid_storing, of_season
from league.pages.seasons import html_tables
from league.pages.seasons.html_tables import FEWEST_PER_100, Names
from league.pages.seasons.scoring import scoring_title
from league.pages.seasons.season_charts import ChartPanel, charts_of
from league.pages.seasons.stats_cache import (
    CountingState,
    SeasonChoice,
    StatsCache,
    cached_points,
    cached_standings,
    chosen,
    counted,
)
from league.people.leagues import latest_season
from league.stats.figures.games import GameFigures, games, sums_at_games
from league.stats.figures.players import PlayerFigures, over_nights, players
from league.stats.figures.records import notable_hands, record_hand_ids
from league.stats.figures.results_by_night import Evenings, evenings, forms_of
from league.stats.league_state import LeagueState, league_state
from league.stats.scopes import Scope

MOST_RECORDS = 3


@dataclass(frozen=True, slots=True)
class Column:
    """A column in the players' table, with its format and the number of hands it `needs`.

    If `has_zeros` is false, a dash is shown instead of 0.
    """

    name: str
    title: Any
    figure: str
    kind: str = "signed"
    needs: int = 0
    has_zeros: bool = True


COLUMNS = (
    Column("net", gettext_lazy("Net"), "net"),
    Column("hands", gettext_lazy("Hands"), "hands", "count"),
    Column("per-100", gettext_lazy("Per 100 hands"), "net_per_100", "mean", needs=FEWEST_PER_100),
    Column("per-hour", gettext_lazy("Per hour"), "net_per_hour", "mean"),
    Column("showdowns", gettext_lazy("Showdowns won"), "showdown_rate", "rate"),
    Column("high", gettext_lazy("High"), "high_rate", "rate"),
    Column("low", gettext_lazy("Low"), "low_rate", "rate"),
    Column("scoops", gettext_lazy("Scoops"), "scoop_rate", "rate"),
    Column("mistakes", gettext_lazy("Overpaid chips"), "moved", has_zeros=False),
)
WRITTEN = {
    "signed": signed,
    "count": "{:,}".format,
    "mean": lambda mean: minus(f"{mean:+,.1f}"),
    "rate": "{:.0%}".format,
}


@require_safe
def season(request: HttpRequest, season_id: UUID) -> HttpResponse:
    season = find_season(request.user, Action.VIEW, season_id)
    return _page(request, season.league, chosen(request, season.league, season.pk))


@require_safe
def stats(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Show the requested season, or all time."""
    league = find_league(request.user, Action.VIEW, league_id)
    return _page(request, league, chosen(request, league))


def _page(request: HttpRequest, league: League, choice: SeasonChoice) -> HttpResponse:
    page = season_page(request, league, choice)
    context = {"league": league, "page": page}
    answer = render(request, "seasons/season.html", context)
    plans = [*page.payments.plans, page.payments.of_nights] if page.payments else []
    return forbid_storing(answer, shows=any(plan.shows_ways for plan in plans))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTable:
    """The players' table. `columns` are the visible columns, and `lines` are the rendered rows."""

    columns: list[dict[str, str]]
    sorted: str
    rising: bool
    lines: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonStats:
    """Statistics of the counted hands and closed nights.

    `game` is the chosen game, or None for all games. `has_open` is whether nights are included that
    are still open, and `more_than_hands` is whether nets include more than those of the hands.
    """

    games: list[GameFigures]
    game: GameFigures | None
    dealt: SafeString
    chart_panels: list[ChartPanel]
    figures: PlayerTable
    forms: SafeString
    has_open: bool
    more_than_hands: bool
    records: Sequence[tuple[str, SafeString]]
    best_hands: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPage:
    """All data for the page of one season, or of all seasons.

    `standings`, `points`, `nights` and `high_hand_at` come from closed nights, and are empty for
    all seasons. `payments` is None until the season has plans. `points` is empty if the season is
    ranked by net. `address` is the
    URL whose parameter `season` selects a season. `stats` is None until a hand is counted or a
    night is closed.
    `version` is the league's version before the data was read.
    """

    address: str
    version: int
    choice: SeasonChoice
    counted: CountingState
    stats: SeasonStats | None
    standings: SafeString
    points: SafeString
    scoring_title: str
    nights: int
    payments: SeasonPayments | None
    may_manage: bool
    open_nights: Sequence[Night]
    high_hand_at: Night | None
    key: UUID


def season_page(request: HttpRequest, league: League, choice: SeasonChoice) -> SeasonPage:
    """Return the data for the page about the chosen season, or about all seasons."""
    version = current_league_version(league)
    state, season = league_state(league.pk), choice.season
    how_far = counted(state)
    may_manage = season is not None and may(request.user, Action.MANAGE, league)
    has_plans = season is not None and vars(season)["has_plans"]  # set by `chosen`
    return SeasonPage(
        address=reverse("stats", args=[league.pk]),
        version=version,
        choice=choice,
        counted=how_far,
        stats=None if how_far.first else _stats(request, league, state, choice),
        standings=cached_standings(state, season) if season else SafeString(""),
        points=cached_points(state, season) if season else SafeString(""),
        scoring_title=scoring_title(season) if season else "",
        nights=vars(season)["closed_nights"] if season else 0,
        payments=of_season(request, season) if season and has_plans else None,
        may_manage=may_manage,
        open_nights=list(season.nights.filter(state=Night.State.OPEN))
        if season and may_manage
        else [],
        high_hand_at=night_with_season_high_hand(season) if season and may_manage else None,
        key=uuid4(),
    )


def _stats(
    request: HttpRequest, league: League, state: LeagueState, choice: SeasonChoice
) -> SeasonStats | None:
    scope = choice.scope
    cached = StatsCache(state, scope)
    dealt = cached.get("dealt", lambda: games(scope))
    nights = cache(lambda: evenings(scope, state=state))  # used several times or not at all
    if not dealt and not cached.get("attended", lambda: bool(nights().players)):
        return None
    game = next((row for row in dealt if row.game == request.GET.get("game")), None)
    slug, at = (game.game, dealt.index(game)) if game else (None, "all")
    sums = cache(lambda: sums_at_games(scope))  # used either twice or not at all
    names = Names(choice.parameter)
    sort = request.GET.get("sort", "")
    rising = sort.startswith("-")
    column = next((each for each in COLUMNS if each.name == sort.removeprefix("-")), COLUMNS[0])

    def rows() -> list[PlayerFigures]:
        if slug:
            return players(scope, game=slug)
        return over_nights(players(scope, read=nights(), at_games=sums()), nights())

    columns, lines = cached.get(
        f"figures:{at}:{column.name}:{rising}",
        lambda: _figures(cached.get(f"players:{at}", rows), column, rising, names),
    )
    listed = by_name(dealt)
    game_stats = reverse("game-stats", args=[league.pk])
    return SeasonStats(
        games=listed,
        game=game,
        dealt=cached.get(
            "list-of-games", lambda: html_tables.dealt(listed, game_stats, choice.parameter)
        ),
        chart_panels=cached.chart_panels(league, lambda: charts_of(scope, dealt, nights(), sums())),
        figures=PlayerTable(
            columns=[
                heading
                for heading in _sortable(league, choice, game, column, rising)
                if heading["name"] in columns
            ],
            sorted=column.name,
            rising=rising,
            lines=lines,
        ),
        **cached.get("nights", lambda: _of_nights(nights(), names)),
        **cached.get("records", lambda: _records(cached, league, scope)),
    )


def _of_nights(read: Evenings, names: Names) -> dict[str, Any]:
    return {
        "forms": html_tables.forms(forms_of(read), names),
        "has_open": read.has_open,
        "more_than_hands": read.counts_more_than_hands,
    }


def _records(stats_cache: StatsCache, league: League, scope: Scope) -> dict[str, Any]:
    """Return the notable hands. They stay cached until a different hand becomes notable."""
    ids = record_hand_ids(scope, most=MOST_RECORDS)

    def notable() -> dict[str, Any]:
        hands = notable_hands(ids)
        return {
            "records": (
                (_("Biggest pots"), html_tables.remembered(hands.pots, league)),
                (_("Biggest scoops"), html_tables.remembered(hands.scoops, league)),
                (_("Worst beats"), html_tables.remembered(hands.beats, league)),
            ),
            "best_hands": html_tables.remembered(hands.best, league),
        }

    return stats_cache.lasting(f"{ids} {league.time_zone}", notable)


def _sortable(
    league: League, choice: SeasonChoice, game: GameFigures | None, column: Column, rising: bool
) -> list[dict[str, str]]:
    """Return the columns with their sorting URLs. The current column's URL reverses the order."""
    at = reverse("stats", args=[league.pk])
    query = {"season": choice.parameter} | ({"game": game.game} if game else {})

    order = "ascending" if rising else "descending"

    def sorted_at(heading: Column) -> str:
        turn = "-" if heading is column and not rising else ""
        return f"{at}?{urlencode(query | {'sort': f'{turn}{heading.name}'})}"

    return [
        {
            "name": heading.name,
            "title": str(heading.title),
            "sorted_at": sorted_at(heading),
            "order": order if heading is column else "",
        }
        for heading in COLUMNS
    ]


def _figures(
    rows: Sequence[PlayerFigures], column: Column, rising: bool, names: Names
) -> tuple[list[str], SafeString]:
    """Return the columns in the players' table that have values, and its sorted rows."""

    def place(row: PlayerFigures) -> tuple[bool, float, tuple[str, str]]:
        value = getattr(row, column.figure)
        known = 0 if value is None else value
        return value is None, known if rising else -known, name_order(row.name)

    shown = [
        other
        for other in COLUMNS
        if other is COLUMNS[0] or any(_is_meaningful(other, row) for row in rows)
    ]
    ordered = sorted(rows, key=place)
    figures = []
    for row in ordered:
        texts = [
            WRITTEN[each.kind](getattr(row, each.figure)) if _is_meaningful(each, row) else "–"
            for each in shown
        ]
        figures.append((row, texts))
    return [other.name for other in shown], html_tables.figures(figures, names)


def _is_meaningful(column: Column, row: PlayerFigures) -> bool:
    """Return whether the player has a figure, and enough hands for it to be meaningful."""
    figure = getattr(row, column.figure)
    is_known = figure is not None and (column.has_zeros or figure != 0)
    return is_known and row.hands >= column.needs


# A season as one file that contains all its data. The file can be imported into an empty league.


@require_safe
def export_file(request: HttpRequest, season_id: UUID) -> StreamingHttpResponse:
    """Stream the season's file line by line, which allows any file size."""
    season = find_season(request.user, Action.MANAGE, season_id)
    lines = (f"{line}\n" for line in export_season(season))
    headers = {"Content-Disposition": f'attachment; filename="{file_name(season)}"'}
    return StreamingHttpResponse(lines, content_type=MEDIA_TYPE, headers=headers)


@require_POST
def import_file(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Import a season's file into an empty league."""
    league = find_league(request.user, Action.MANAGE, league_id)
    sent = request.FILES.get("file")
    try:
        lines = (line.decode(errors="replace") for line in sent or ())
        season = import_season(league, lines, by=signed_in(request))
    except RefusedError as refused:
        show_errors(request, refused)
        return redirect("season", latest_season(league).pk)
    messages.success(request, _("%(season)s is imported.") % {"season": season})
    return redirect("season", season.pk)
