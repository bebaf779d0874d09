"""The charts for one season or all seasons, each with a text alternative and a table."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from league.access import Action, find_league
from league.charts import catalog
from league.charts import rendering as charts_rendering
from league.charts.catalog import flow_cells, game_cells, net_and_adjusted_net
from league.charts.vega.lines import MOST_NAMED
from league.charts.vega.theme import NARROW, WIDE, Document, Row
from league.common.pictures import with_font
from league.common.text import name_order
from league.models import League, RenderedChart
from league.pages.parts.numbers import signed
from league.pages.seasons.html_tables import table
from league.stats.figures.all_ins import AllInNight, summed
from league.stats.figures.games import AtGame, GameFigures, by_game
from league.stats.figures.players import flows
from league.stats.figures.results_by_night import Evenings
from league.stats.scopes import Scope

# Views that return a single chart, either as a picture in one theme and size or as an HTML
# fragment.


A_YEAR = 365 * 24 * 3600


@require_safe
def chart(request: HttpRequest, league_id: UUID, digest: str) -> HttpResponse:
    """Return a chart as an HTML fragment, for a page that is waiting for it."""
    return render(
        request, "seasons/chart.html", {"chart": _rendered_chart(request, league_id, digest)}
    )


@require_safe
def picture(request: HttpRequest, league_id: UUID, digest: str, look: str) -> HttpResponse:
    """Return a chart's picture.

    The picture can be cached forever because a changed chart has a new URL.
    """
    svg = (_rendered_chart(request, league_id, digest, "pictures").pictures or {}).get(look)
    if svg is None:
        raise Http404
    headers = {"Cache-Control": f"private, max-age={A_YEAR}, immutable"}
    return HttpResponse(with_font(svg), content_type="image/svg+xml", headers=headers)


def _rendered_chart(
    request: HttpRequest, league_id: UUID, digest: str, *also: str
) -> RenderedChart:
    league = find_league(request.user, Action.VIEW, league_id)
    columns = ("digest", "league", "words", "sizes", "state", *also)
    chart = RenderedChart.objects.filter(pk=digest, league=league).only(*columns).first()
    if chart is None:
        raise Http404
    return chart


# Charts on a page. Each chart is a picture in the current theme, shown next to a table.


SIZES = {"narrow": NARROW, "wide": WIDE}
TOLD_NIGHTS = 12  # maximum number of nights in the table next to a line chart


class Drawn(Protocol):
    def __call__(self, rows: Sequence[Row], width: int) -> Document: ...


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart to show: its title, text alternative, drawing function and table."""

    name: str
    title: str
    words: str
    rows: Sequence[Row]
    drawn: Drawn
    table: SafeString
    note: str = ""

    def wanted(self) -> charts_rendering.ChartRequest:
        documents = {name: self.drawn(self.rows, width) for name, width in SIZES.items()}
        return charts_rendering.ChartRequest(self.words, documents)


@dataclass(frozen=True, slots=True)
class ChartPanel:
    """A chart with its rendering, which may still be pending."""

    chart: Chart
    rendered: RenderedChart


def chart_panels(league: League, charts: Sequence[Chart]) -> list[ChartPanel]:
    """Request renderings of the charts and return them. Charts without rows are omitted."""
    shown = [chart for chart in charts if chart.rows]
    rendered = charts_rendering.request_charts(league, [chart.wanted() for chart in shown])
    return [ChartPanel(chart, row) for chart, row in zip(shown, rendered, strict=True)]


def lines(read: Evenings, *, title: str, words: str, name: str = "nights", note: str = "") -> Chart:
    """Return a line chart of the players' running net over the nights."""
    if read.has_open:
        note = f"{note} {_('Includes open nights: hands so far.')}".strip()
    if len(read.players) > MOST_NAMED:
        some = {"count": MOST_NAMED, "all": len(read.players)}
        text = _("Shows the names of the best and worst %(count)d of %(all)d players.") % some
        note = f"{note} {text}".strip()
    # The table shows evenly spaced nights, and always the last one.
    step = -(-len(read.played) // TOLD_NIGHTS)
    nights = sorted(read.played[::-1][:: step or 1])
    rows: list[list[str | int]] = []
    for player in read.players:
        upto = (bisect_right(player.at, at) for at in nights)
        rows.append([player.name, *(player.totals[n - 1] if n else 0 for n in upto)])
    rows.sort(key=lambda row: -int(row[-1]))
    shown = table([_("Player"), *(read.nights[at].name for at in nights)], rows)
    return Chart(name, title, words, catalog.net_rows(read), catalog.net_lines, shown, note)


def cells(
    name: str,
    rows: Sequence[Row],
    *,
    title: str,
    words: str,
    table: SafeString,
    note: str = "",
) -> Chart:
    """Return a heat map."""
    return Chart(name, title, words, rows, catalog.cells, table, note)


def lengths(
    name: str,
    rows: Sequence[Row],
    *,
    title: str,
    words: str,
    heads: Sequence[str],
    in_order: bool = False,
) -> Chart:
    """Return a bar chart. Rows contain `name`, `value` and `hands`."""
    drawn = catalog.lengths_in_order if in_order else catalog.lengths
    ordered = rows if in_order else sorted(rows, key=lambda row: -row["value"])
    numbers = table(heads, [[row["name"], row["value"], f"{row['hands']:,}"] for row in ordered])
    return Chart(name, title, words, rows, drawn, numbers)


def charts_of(
    scope: Scope, dealt: Sequence[GameFigures], nights: Evenings, sums: Sequence[AtGame]
) -> tuple[Chart, ...]:
    """Return the charts of net over nights, net by game, and chips between players."""
    if not dealt:  # there were only tournaments
        return (net_over_nights(nights),)
    won = by_game(scope, at_games=sums, names={each.game: each.name for each in dealt})
    best = max(won, key=lambda row: row.net)
    words = {"player": best.player_name, "game": best.game_name, "net": signed(best.net)}
    names = sorted({row.player_name for row in won}, key=name_order)
    nets = {(row.game, row.player_name): row.net for row in won}
    at_games = cells(
        "games",
        game_cells(won),
        title=_("Players by game"),
        words=_("Heat map of net by game and player. Highest: %(net)s, %(player)s at %(game)s.")
        % words,
        note=_("Net of each player by game. The most played game is on top."),
        table=table(
            [_("Game"), *names],
            [[row.name, *(nets.get((row.game, name), "–") for name in names)] for row in dealt],
        ),
    )
    flowed, flow_words = flows(scope), ""
    if flowed:
        top = flowed[0]
        most = {"loser": top.loser_name, "winner": top.winner_name, "n": f"{top.chips:,}"}
        flow_words = (
            _("Matrix of who won from whom. Highest: %(n)s chips, %(winner)s from %(loser)s.")
            % most
        )
    between_players = cells(
        "flows",
        flow_cells(flowed),
        title=_("Who won from whom"),
        words=flow_words,
        note=_("Each row shows what a player won from the others."),
        table=table(
            [_("Winner"), _("Loser"), _("Chips"), _("Hands")],
            [[each.winner_name, each.loser_name, each.chips, f"{each.hands:,}"] for each in flowed],
        ),
    )
    return net_over_nights(nights), at_games, between_players


def net_over_nights(nights: Evenings) -> Chart:
    """Return a line chart of all players' running net."""
    ends = {each.name: each.totals[-1] for each in nights.players}
    best, worst = max(ends, key=ends.__getitem__), min(ends, key=ends.__getitem__)
    named = {"best": best, "up": signed(ends[best]), "worst": worst, "down": signed(ends[worst])}
    words = _("Line chart of the running net: %(best)s is at %(up)s, %(worst)s at %(down)s.")
    return lines(nights, title=_("Net over nights"), words=words % named)


# A player's actual results compared with the all-in adjusted results.


def all_in_lines(nights: Evenings, ended: Sequence[AllInNight]) -> Chart:
    """Return a chart of the actual running net and the all-in adjusted net.

    The note has the number of all-ins that were adjusted, and that could not be computed.
    """
    read = net_and_adjusted_net(nights, ended)
    if not read.players:
        return lines(read, name="all-ins", title="", words="")
    [figures] = summed(ended)
    note = ngettext(
        "%(n)s all-in before the last card: %(luck)s compared with its share of the pot.",
        "%(n)s all-ins before the last card: %(luck)s compared with their shares of the pots.",
        figures.exact,
    ) % {"n": figures.exact, "luck": signed(round(figures.luck))}
    if left := figures.hands - figures.exact:
        more = ngettext(
            "%(n)s more not included: too many possible outcomes.",
            "%(n)s more not included: too many possible outcomes.",
            left,
        )
        note += f" {more % {'n': left}}"
    words = _("Line chart of the running net: %(net)s actual, %(adjusted)s all-in adjusted.")
    was, adjusted = (signed(each.totals[-1]) for each in read.players)
    words %= {"net": was, "adjusted": adjusted}
    return lines(read, name="all-ins", title=_("All-in adjusted"), words=words, note=note)
