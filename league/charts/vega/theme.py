"""The frame of every chart, and its colours and fonts for light and dark themes.

Negative values are orange and positive ones blue, which most colour-blind people can distinguish.
Lines have the colours of the players' avatars, in lighter shades in the dark theme. Ink and axes
use the colours in `tokens.css`. Documents name common system fonts. Pictures on our pages use the
pages' fonts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Definitions shared by all charts: the sizes on phones and wide screens, and the document frame.


Document = dict[str, Any]
Row = Mapping[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# panel width on a 360-pixel-wide phone, and on screens wider than 760 pixels
NARROW, WIDE = 304, 680
LETTER = 6.3  # letter width at 11 pixels, slightly more than the average


def document(width: int, height: int, rows: Sequence[Row], **rest: Any) -> Document:
    """Return a document with these rows and exactly this size, including labels."""
    return {
        "$schema": SCHEMA,
        "width": width,
        "height": height,
        "autosize": {"type": "fit", "contains": "padding"},
        "data": {"values": list(rows)},
        **rest,
    }


def rows_of(chart: Document) -> list[dict[str, Any]]:
    """Return the document's rows, which may be fewer than it was created from."""
    rows: list[dict[str, Any]] = chart["data"]["values"]
    return rows


def by_address(chart: Document, address: str) -> Document:
    """Return the document with a data URL instead of its rows."""
    data = {"url": address, "format": {"type": "json", "property": "results"}}
    return {**chart, "data": data}


def short(text: str, room: float) -> str:
    """Return the text, shortened if it is wider than `room` pixels."""
    most = max(3, int(room / LETTER))
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def width_of(texts: Sequence[str], most: float) -> int:
    """Return the width of the longest string in pixels, limited to `most`."""
    return round(min(most, LETTER * max(map(len, texts), default=0)))


FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours of a theme.

    `faint`, `half` and `full` are the text colours for weak, medium and strong cells. Some cell
    colours have enough contrast only with pure black or white.
    """

    ink: str
    muted: str
    grid: str
    zero: str
    grey: str
    lines: tuple[str, ...]
    diverging: tuple[str, ...]
    faint: str
    half: str
    full: str


THEMES = {
    "light": Theme(
        ink="#16201b",
        muted="#55605a",
        grid="#e3e1d8",
        zero="#81867c",
        grey="#b3b5ac",
        lines=(
            "#0f7f63",
            "#2f6fd0",
            "#8c35a3",
            "#c4460f",
            "#8f6500",
            "#c6307a",
            "#3d5212",
            "#352f96",
            "#8a1538",
            "#4b5660",
        ),
        diverging=("#a84300", "#e39a5f", "#eceae2", "#74abd8", "#1766a9"),
        faint="#16201b",
        half="#000000",
        full="#ffffff",
    ),
    "dark": Theme(
        ink="#eceae2",
        muted="#a1afa7",
        grid="#27332d",
        zero="#73857c",
        grey="#4b5b54",
        lines=(
            "#4fd0a5",
            "#7fb2ff",
            "#d68cec",
            "#ff9a57",
            "#e3c54d",
            "#ff8cc0",
            "#b5cf6e",
            "#aaa4ff",
            "#f58a9f",
            "#b4c1cc",
        ),
        diverging=("#ff9a57", "#8a4a1c", "#26332e", "#235a87", "#74bdf5"),
        faint="#ffffff",
        half="#000000",
        full="#000000",
    ),
}


def with_theme(document: Document, name: str) -> Document:
    """Return the document with the colours of a theme.

    A line chart lists the number of each line's colour in `usermeta`.
    """
    theme = THEMES[name]
    numbers = document.get("usermeta", {}).get("colours") or range(len(theme.lines))
    text = {"color": theme.ink, "fontSize": 11}
    config = {
        "font": FONT,
        "aria": False,  # the page also describes the chart and shows its data in a table
        "view": {"stroke": None},
        "range": {
            "category": [theme.lines[each] for each in numbers],
            "diverging": list(theme.diverging),
        },
        "axis": {
            "labelColor": theme.ink,
            "titleColor": theme.muted,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "gridColor": theme.grid,
            "domainColor": theme.zero,
            "tickColor": theme.zero,
        },
        "axisX": {"grid": False},
        "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
        "style": {
            "zero": {"color": theme.zero, "strokeWidth": 1.5},
            "line-named": {"strokeWidth": 2.25, "strokeCap": "butt", "strokeJoin": "round"},
            "line-not-named": {"color": theme.grey, "strokeWidth": 1},
            "leader": {"strokeWidth": 1},
            "end": {"fontSize": 11, "fontWeight": "bold"},
            "number": text,
            "bar-won": {"color": theme.diverging[-1]},
            "bar-lost": {"color": theme.diverging[0]},
            "on-faint": {**text, "fontSize": 10, "color": theme.faint},
            "on-half": {**text, "fontSize": 10, "color": theme.half},
            "on-full": {**text, "fontSize": 10, "color": theme.full},
        },
    }
    return {**document, "background": None, "config": config}
