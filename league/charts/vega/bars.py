"""Bar charts: bars to the right of zero for wins and to the left for losses."""

from collections.abc import Iterable, Sequence
from typing import Any

from league.charts.vega.theme import LETTER, WIDE, Document, Row, document, width_of
from league.common.text import name_order

# The number format used on the pages: zero has no sign, and billions use B instead of G.
TEXT = (
    "!datum.value ? '0' : abs(datum.value) < 1e6 ? format(datum.value, '+,d')"
    " : replace(format(datum.value, '+.3~s'), 'G', 'B')"
)
LINE = 26
MOST_BARS = 16
MARGIN = 40  # minimum width for names, which aligns charts with short names
BESIDE = 24  # space around names and bars
BEFORE_A_NUMBER = 8
LONGEST_NUMBER = len("+999,999")  # longer numbers are given in millions


def bars(
    rows: Sequence[Row],
    width: int = WIDE,
    *,
    others: str = "others",
    in_order: bool = False,
) -> Document:
    """Return a chart with a bar for each name, highest first or in the order of the rows.

    Rows have `name` and `value`. If there are too many, the smallest are combined as `others`.
    """
    wide = width >= WIDE
    if not in_order:
        rows = sorted(rows, key=lambda row: (-row["value"], name_order(row["name"])))
    rows = _folded(rows, others)
    names = [row["name"] for row in rows]
    limit = 170 if wide else 120
    left = max(MARGIN, width_of(names, limit))
    values = [row["value"] for row in rows]
    low, high = min(0, *values, 0), max(0, *values, 0)
    # the axis leaves enough pixels for each bar's number
    below = _width_of_numbers(value for value in values if value < 0)
    above = _width_of_numbers(value for value in values if value >= 0)
    chip = max(1, high - low) / (width - left - BESIDE - below - above)
    return document(
        width,
        LINE * max(1, len(names)) + 16,
        rows,
        padding={"left": 4, "top": 8, "bottom": 8, "right": 8},
        transform=[{"calculate": TEXT, "as": "told"}],
        encoding={
            "y": _names_axis(names, limit, left),
            "x": {
                "field": "value",
                "type": "quantitative",
                "title": None,
                "scale": {"domain": [low - below * chip, high + above * chip], "nice": False},
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


def _names_axis(names: Sequence[str], limit: int, left: float) -> Document:
    return {
        "field": "name",
        "type": "nominal",
        "title": None,
        "sort": list(names),
        "scale": {"paddingInner": 0.25, "paddingOuter": 0.1},
        "axis": {
            "domain": False,
            "ticks": False,
            "grid": False,
            "labelLimit": limit,
            "minExtent": left,
            "labelPadding": 6,
        },
    }


def _folded(rows: Sequence[Row], others: str) -> list[dict[str, Any]]:
    if len(rows) <= MOST_BARS + 1:
        return [{"name": row["name"], "value": row["value"]} for row in rows]
    large = sorted(rows, key=lambda row: -abs(row["value"]))[:MOST_BARS]
    large_names = {row["name"] for row in large}
    bars = [
        {"name": row["name"], "value": row["value"]} for row in rows if row["name"] in large_names
    ]
    rest = sum(row["value"] for row in rows if row["name"] not in large_names)
    return [*bars, {"name": others, "value": rest}]


def _width_of_numbers(values: Iterable[int]) -> float:
    texts = [f"{value:+,d}"[:LONGEST_NUMBER] for value in values]
    return width_of(texts, LETTER * LONGEST_NUMBER) + BEFORE_A_NUMBER if texts else 0


def _bar(style: str, which: str) -> Document:
    return {"transform": [{"filter": which}], "mark": {"type": "bar", "style": f"bar-{style}"}}


def _number(align: str, which: str, dx: int) -> Document:
    return {
        "transform": [{"filter": which}],
        "mark": {"type": "text", "style": "number", "align": align, "dx": dx},
        "encoding": {"text": {"field": "told"}},
    }
