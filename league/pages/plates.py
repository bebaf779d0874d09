"""Charts as a page shows them: a picture in the looks of the screen, and beside it a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from league import charting, drawing
from league.charts.shapes import NARROW, WIDE, Document, Row
from league.models import Drawing, League
from league.stats.evenings import PlayerNight

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

    def wanted(self) -> drawing.Wanted:
        documents = {name: self.drawn(self.rows, width) for name, width in SIZES.items()}
        return drawing.Wanted(self.words, documents)


@dataclass(frozen=True, slots=True)
class Plate:
    """A chart with its drawing, there already or still to come."""

    chart: Chart
    drawing: Drawing


def plates(league: League, charts: Sequence[Chart]) -> list[Plate]:
    """Return the charts with their drawings; those without rows are left out."""
    shown = [chart for chart in charts if chart.rows]
    found = drawing.ask(league, [chart.wanted() for chart in shown])
    return [Plate(chart, row) for chart, row in zip(shown, found, strict=True)]


def signed(chips: int) -> str:
    """Return chips as they are written where a sign matters."""
    return f"{chips:+,}" if chips else "0"


def table(head: Sequence[str], rows: Sequence[Sequence[str | int]]) -> SafeString:
    """Return a table: the first of each row is its name, numbers are chips."""
    top = [format_html('<th scope="col">{}</th>', head[0])]
    top += [format_html('<th scope="col" class="num">{}</th>', each) for each in head[1:]]
    # one line after the other: a template takes ten times as long over thousands of cells
    lines = (
        f'<tr><th scope="row" class="wrap">{escape(name)}</th>{"".join(map(_cell, cells))}</tr>'
        for name, *cells in rows
    )
    body = f"<tr>{''.join(top)}</tr></thead><tbody>{''.join(lines)}"
    return mark_safe(f"<table><thead>{body}</tbody></table>")  # noqa: S308 (escaped above)


def _cell(value: str | int) -> str:
    if isinstance(value, int):
        return f'<td class="num">{signed(value)}</td>'
    return f'<td class="num">{escape(value)}</td>'


def lines(rows: Sequence[PlayerNight], *, title: str, words: str) -> Chart:
    """Return the running net of players over the nights."""
    nights = sorted({(each.started_at, each.night, each.night_name) for each in rows})
    order = {night: at for at, (_day, night, _name) in enumerate(nights, start=1)}
    players = len({each.player for each in rows})
    note = _("The best and the worst are named.") if players > 8 else ""
    told, shown = charting.net_rows(rows), _nights_table(rows, nights, order)
    return Chart("nights", title, words, told, charting.net_lines, shown, note)


def _nights_table(
    rows: Sequence[PlayerNight],
    nights: Sequence[tuple[object, UUID, str]],
    order: Mapping[UUID, int],
) -> SafeString:
    step = -(-len(nights) // TOLD_NIGHTS)
    told = sorted({*range(len(nights), 0, -step)}) if nights else []
    totals: dict[str, dict[int, int]] = {}
    for each in rows:
        totals.setdefault(each.name, {})[order[each.night]] = each.total
    lines: list[list[str | int]] = []
    for name, known in totals.items():
        cells: list[str | int] = [name]
        for at in told:
            upto = [night for night in known if night <= at]
            cells.append(known[max(upto)] if upto else 0)
        lines.append(cells)
    lines.sort(key=lambda cells: -int(cells[-1]))
    return table([_("Player"), *(nights[at - 1][2] for at in told)], lines)


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
    return Chart(name, title, words, rows, charting.cells, table, note)


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
    drawn = charting.lengths_in_order if in_order else charting.lengths
    ordered = rows if in_order else sorted(rows, key=lambda row: -row["value"])
    told = table(heads, [[row["name"], row["value"], f"{row['hands']:,}"] for row in ordered])
    return Chart(name, title, words, rows, drawn, told)
