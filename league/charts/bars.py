"""Bars that go right from zero for what was won and left for what was lost."""

from collections.abc import Sequence
from typing import Any

from league.charts.shapes import WIDE, Document, Row, document, width_of

LINE = 26
MOST_BARS = 16


def bars(
    rows: Sequence[Row],
    width: int = WIDE,
    *,
    others: str = "others",
    in_order: bool = False,
) -> Document:
    """Return a bar for each name, the highest first or in the order of the rows.

    Rows: `name`, `value`. Of too many the smallest are summed up as `others`.
    """
    wide = width >= WIDE
    rows = _folded(rows, others)
    names = [row["name"] for row in (rows if in_order else sorted(rows, key=_by_value))]
    low, high = _reach([row["value"] for row in rows], spare=0.14 if wide else 0.42)
    limit = 170 if wide else 104
    return document(
        width,
        LINE * max(1, len(names)) + 16,
        rows,
        padding={"left": 4, "top": 8, "bottom": 8, "right": 8},
        transform=[{"calculate": "format(datum.value, '+,d')", "as": "told"}],
        encoding={
            "y": {
                "field": "name",
                "type": "nominal",
                "title": None,
                "sort": names,
                "scale": {"paddingInner": 0.25, "paddingOuter": 0.1},
                "axis": {
                    "domain": False,
                    "ticks": False,
                    "grid": False,
                    "labelLimit": limit,
                    "minExtent": min(40, width_of(names, limit)),
                    "labelPadding": 6,
                },
            },
            "x": {
                "field": "value",
                "type": "quantitative",
                "title": None,
                "scale": {"domain": [low, high], "nice": False},
                "axis": None,
            },
        },
        layer=[
            _bar("won", "datum.value > 0"),
            _bar("lost", "datum.value < 0"),
            {"mark": {"type": "rule", "style": "zero"}, "encoding": {"x": {"datum": 0}, "y": None}},
            _number("left", "datum.value >= 0", 5),
            _number("right", "datum.value < 0", -5),
        ],
    )


def _by_value(row: Row) -> tuple[int, str]:
    return -row["value"], row["name"].lower()


def _folded(rows: Sequence[Row], others: str) -> list[dict[str, Any]]:
    if len(rows) <= MOST_BARS + 1:
        return [{"name": row["name"], "value": row["value"]} for row in rows]
    large = sorted(rows, key=lambda row: -abs(row["value"]))[:MOST_BARS]
    kept = {row["name"] for row in large}
    found = [{"name": row["name"], "value": row["value"]} for row in rows if row["name"] in kept]
    rest = sum(row["value"] for row in rows if row["name"] not in kept)
    return [*found, {"name": others, "value": rest}]


def _reach(values: Sequence[int], *, spare: float) -> tuple[float, float]:
    """Return the ends of the axis, with room for a number beyond each bar."""
    low, high = min(0, *values, 0), max(0, *values, 0)
    room = max(1, high - low) * spare
    return low - room * (low < 0), high + room * (high > 0 or low == 0)


def _bar(style: str, which: str) -> Document:
    return {"transform": [{"filter": which}], "mark": {"type": "bar", "style": f"bar-{style}"}}


def _number(align: str, which: str, dx: int) -> Document:
    return {
        "transform": [{"filter": which}],
        "mark": {"type": "text", "style": "number", "align": align, "dx": dx},
        "encoding": {"text": {"field": "told"}},
    }
