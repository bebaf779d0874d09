"""Charts as a page shows them: a picture in the looks of the screen, and beside it a table."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.charts import catalog
from league.charts import rendering as charts_rendering
from league.charts.vega.frame import NARROW, WIDE, Document, Row
from league.charts.vega.lines import MOST_NAMED
from league.models import League, RenderedChart
from league.pages.seasons.html_tables import table
from league.stats.figures.attendance import Evenings

SIZES = {"narrow": NARROW, "wide": WIDE}
TOLD_NIGHTS = 12  # of the table beside a line chart


class Drawn(Protocol):
    def __call__(self, rows: Sequence[Row], width: int) -> Document: ...


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart to be shown: its title and words, how it is drawn, the same as a table."""

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
    """A chart as it is rendered, there already or still to come."""

    chart: Chart
    rendered: RenderedChart


def chart_panels(league: League, charts: Sequence[Chart]) -> list[ChartPanel]:
    """Return the charts as they are rendered; those without rows are left out."""
    shown = [chart for chart in charts if chart.rows]
    found = charts_rendering.request_charts(league, [chart.wanted() for chart in shown])
    return [ChartPanel(chart, row) for chart, row in zip(shown, found, strict=True)]


def lines(read: Evenings, *, title: str, words: str, name: str = "nights", note: str = "") -> Chart:
    """Return the running net of players over the nights."""
    if len(read.players) > MOST_NAMED:
        note = _("The best and the worst are named.")
    rows, shown = catalog.net_rows(read), _nights_table(read)
    return Chart(name, title, words, rows, catalog.net_lines, shown, note)


def _nights_table(read: Evenings) -> SafeString:
    step = -(-len(read.played) // TOLD_NIGHTS)
    told = sorted(read.played[::-1][:: step or 1])
    lines: list[list[str | int]] = []
    for each in read.players:
        upto = (bisect_right(each.at, at) for at in told)
        lines.append([each.name, *(each.totals[n - 1] if n else 0 for n in upto)])
    lines.sort(key=lambda cells: -int(cells[-1]))
    return table([_("Player"), *(read.nights[at].name for at in told)], lines)


def cells(
    name: str,
    rows: Sequence[Row],
    *,
    title: str,
    words: str,
    table: SafeString,
    note: str = "",
) -> Chart:
    """Return a grid of numbers."""
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
    """Return bars, with rows of `name`, `value` and `hands`."""
    drawn = catalog.lengths_in_order if in_order else catalog.lengths
    ordered = rows if in_order else sorted(rows, key=lambda row: -row["value"])
    told = table(heads, [[row["name"], row["value"], f"{row['hands']:,}"] for row in ordered])
    return Chart(name, title, words, rows, drawn, told)
